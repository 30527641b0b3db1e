// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Builds what the wire says of one placement from the configuration and an install.
struct PlacementAnswering {
    let snapshot: Snapshot

    /// The paywall of the audience that matches now.
    /// - Throws: `placement_unknown`, `invalid_locale`.
    func matching(
        _ placement: PlacementID, locale: String?, install: Install, outlook: AttributionOutlook, nowMs: Int64
    ) throws -> PaywallAnswer {
        let locale = try LocaleCode.canonical(locale) ?? install.device.locale.flatMap(LocaleCode.init(deviceLocale:))
        let facts = AudienceFacts(
            attribution: install.attribution(nowMs: nowMs), link: install.latestLink(nowMs: nowMs), device: install.device,
            attributes: install.attributes
        )
        func decide(_ pending: Pending) -> Decision? {
            snapshot.decide(placement: placement, locale: locale, facts: facts, pending: pending)
        }
        // What is shown goes by what is known now; whether it is final, by what is still on its way.
        guard let decision = decide(.nothing) else { throw RequestError.unknown(placement) }
        let isFinal = outlook.pending == .nothing ? true : decide(outlook.pending)?.isFinal ?? true
        let profile = install.wireProfile
        return PaywallAnswer(
            placement: placement, locale: locale?.rawValue ?? "", kind: .matching, audience: decision.audience,
            revision: snapshot.revision, profileId: profile.id, epoch: profile.epoch, profileVersion: profile.version,
            attributionVersion: profile.attributionVersion, final: isFinal, paywall: decision.paywall
        )
    }

    /// What everyone sees: needs no profile.
    func everyone(_ placement: PlacementID, locale: String?) throws -> PaywallAnswer {
        let locale = try LocaleCode.canonical(locale)
        guard let decision = snapshot.defaultDecision(placement: placement, locale: locale) else {
            throw RequestError.unknown(placement)
        }
        return PaywallAnswer(
            placement: placement, locale: locale?.rawValue ?? "", kind: .default, audience: decision.audience,
            revision: snapshot.revision, profileId: nil, epoch: 0, profileVersion: 0, attributionVersion: 0, final: true,
            paywall: decision.paywall
        )
    }
}

extension RequestError {
    static func unknown(_ placement: PlacementID) -> RequestError {
        RequestError(
            .placementUnknown, "The configuration has no placement of that id. Add it to landfall.yaml or correct the app.")
    }
}
