// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A place in the app: its audiences in order, each with the paywall that it sees. The first that matches wins. A class, because
/// every decision takes it.
final class Placement: Equatable, Sendable {
    /// A class as well: a decision takes one of them.
    final class Offer: Equatable, Sendable {
        let audience: Audience
        let paywall: Paywall

        init(audience: Audience, paywall: Paywall) {
            self.audience = audience
            self.paywall = paywall
        }

        static func == (left: Offer, right: Offer) -> Bool { left.audience == right.audience && left.paywall == right.paywall }
    }

    let id: PlacementID
    let offers: [Offer]
    /// What `everyone` sees: the last entry, which every placement has.
    let everyone: Paywall
    /// The offers' audiences, ready to decide.
    let program: AudienceProgram

    init(id: PlacementID, offers: [Offer], everyone: Paywall) {
        self.id = id
        self.offers = offers
        self.everyone = everyone
        program = AudienceProgram(offers.map(\.audience.condition))
    }

    static func == (left: Placement, right: Placement) -> Bool {
        left.id == right.id && left.offers == right.offers && left.everyone == right.everyone
    }
}

/// What one placement shows.
struct Decision: Hashable, Sendable {
    let audience: AudienceID
    /// In the locale that was asked for, as far as the paywall has it.
    let shown: LocalizedPaywall
    /// False while an answer that is on its way can still change the audience.
    let isFinal: Bool

    var paywall: WirePaywall { shown.wire }

    var paywallID: PaywallID { shown.wire.name }
}

extension Placement {
    /// What matches *now*: an audience that depends on what is pending does not match yet. The decision is final if no
    /// audience before the matching one can still turn out to match.
    func decide(locale: LocaleCode?, facts: AudienceFacts, pending: Pending) -> Decision {
        let (audience, isFinal) = program.first(matching: facts, pending: pending)
        guard audience < offers.count else { return Decision(.everyone, everyone, locale, isFinal: isFinal) }
        let offer = offers[audience]
        return Decision(offer.audience.id, offer.paywall, locale, isFinal: isFinal)
    }

    func defaultDecision(locale: LocaleCode?) -> Decision {
        Decision(.everyone, everyone, locale, isFinal: true)
    }
}

extension Decision {
    init(_ audience: AudienceID, _ paywall: Paywall, _ locale: LocaleCode?, isFinal: Bool) {
        self.init(audience: audience, shown: paywall.localized(for: locale), isFinal: isFinal)
    }
}
