// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A place in the app: its audiences in order, each with the paywall that it sees. The first that matches wins.
struct Placement: Hashable, Sendable {
    struct Offer: Hashable, Sendable {
        let audience: Audience
        let paywall: Paywall
    }

    let id: PlacementID
    let offers: [Offer]
    /// What `everyone` sees: the last entry, which every placement has.
    let everyone: Paywall
}

/// What one placement shows.
struct Decision: Hashable, Sendable {
    let audience: AudienceID
    let paywallID: PaywallID
    /// In the locale that was asked for, as far as the paywall has it.
    let shown: LocalizedPaywall
    /// False while an answer that is on its way can still change the audience.
    let isFinal: Bool

    var paywall: WirePaywall { shown.wire }
}

extension Placement {
    /// What matches *now*: an audience that depends on what is pending does not match yet. The decision is final if no
    /// audience before the matching one can still turn out to match.
    func decide(locale: LocaleCode?, facts: AudienceFacts, pending: Pending) -> Decision {
        var isFinal = true
        for offer in offers {
            switch offer.audience.condition.evaluate(facts, pending: pending) {
            case .no: continue
            case .unknown: isFinal = false
            case .yes: return Decision(offer.audience.id, offer.paywall, locale, isFinal: isFinal)
            }
        }
        return Decision(.everyone, everyone, locale, isFinal: isFinal)
    }

    func defaultDecision(locale: LocaleCode?) -> Decision {
        Decision(.everyone, everyone, locale, isFinal: true)
    }
}

extension Decision {
    init(_ audience: AudienceID, _ paywall: Paywall, _ locale: LocaleCode?, isFinal: Bool) {
        self.init(audience: audience, paywallID: paywall.id, shown: paywall.localized(for: locale), isFinal: isFinal)
    }
}
