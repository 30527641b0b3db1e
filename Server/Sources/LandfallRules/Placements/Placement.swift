// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A place in the app: its audiences in order, each with its paywall or experiment. The first that matches wins. A class, because every
/// decision takes it.
package final class Placement: Equatable, Sendable {
    /// What an entry shows: a paywall, or one of an experiment's variations.
    package struct Showing: Equatable, Sendable {
        /// Nil if the entry names a paywall.
        let experiment: Experiment?
        /// Shown to units that no experiment assigns; nil shows nothing.
        package let paywall: Paywall?

        init(_ paywall: Paywall) { (experiment, self.paywall) = (nil, paywall) }

        init(_ experiment: Experiment) { (self.experiment, paywall) = (experiment, experiment.unassigned.plain) }
    }

    /// A class as well: a decision takes one of them.
    package final class Offer: Equatable, Sendable {
        package let audience: Audience
        package let showing: Showing

        init(audience: Audience, showing: Showing) {
            self.audience = audience
            self.showing = showing
        }

        package static func == (left: Offer, right: Offer) -> Bool { left.audience == right.audience && left.showing == right.showing }
    }

    package let id: PlacementID
    package let offers: [Offer]
    /// What `everyone` sees: the last entry, which every placement has.
    package let everyone: Showing
    /// The offers' audiences, ready to decide.
    package let program: AudienceProgram

    init(id: PlacementID, offers: [Offer], everyone: Showing) {
        self.id = id
        self.offers = offers
        self.everyone = everyone
        program = AudienceProgram(offers.map(\.audience.condition))
    }

    package static func == (left: Placement, right: Placement) -> Bool {
        left.id == right.id && left.offers == right.offers && left.everyone == right.everyone
    }

    /// True if one of its entries names the experiment.
    package func has(_ experiment: Experiment) -> Bool {
        everyone.experiment?.id == experiment.id || offers.contains { $0.showing.experiment?.id == experiment.id }
    }
}

/// What one placement shows.
package struct Decision: Equatable, Sendable {
    package let audience: AudienceID
    /// In the requested locale if the paywall has it; nil shows nothing.
    package private(set) var shown: LocalizedPaywall?
    /// False while an answer that is on its way can still change the audience.
    package let isFinal: Bool
    /// The experiment of the entry.
    package let experiment: Experiment?
    /// The variation that the unit is assigned to.
    private(set) var assigned: ExperimentOutcome.Assigned?

    package var paywall: WirePaywall? { shown?.wire }

    package var paywallID: PaywallID? { shown?.wire.name }

    package var assignment: Assignment? {
        guard let experiment, let assigned else { return nil }
        return Assignment(
            experiment: experiment.id, epoch: assigned.epoch, variation: experiment.variations[assigned.variation].name,
            bucket: assigned.bucket)
    }

    /// The same for a unit that the entry's experiment assigns.
    package mutating func take(_ assigned: ExperimentOutcome.Assigned?, locale: LocaleCode?) {
        guard let experiment, let assigned else { return }
        self.assigned = assigned
        shown = experiment.variations[assigned.variation].assigned?.localized(for: locale)
    }
}

extension Decision {
    /// True if both show the same paywall with the same replaced values: what a paywall itself contains is not compared.
    package static func showsTheSame(_ one: Decision?, _ other: Decision?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.paywallID == other.paywallID && one.replaced == other.replaced
    }

    private var replaced: [LocaleCode: [String: JSONValue]] {
        guard let experiment else { return [:] }
        guard let assigned else { return experiment.unassigned.replaced }
        return experiment.variations[assigned.variation].replaced
    }
}

extension Placement {
    /// The audience that matches *now*: an audience that depends on a pending answer does not match yet. The decision is final if no
    /// audience before the matching one can still turn out to match. Where the entry has an experiment, this is what the units
    /// see that it does not assign.
    package func decide(locale: LocaleCode?, facts: AudienceFacts, pending: Pending) -> Decision {
        let (audience, isFinal) = program.first(matching: facts, pending: pending)
        guard audience < offers.count else { return Decision(.everyone, everyone, locale, isFinal: isFinal) }
        let offer = offers[audience]
        return Decision(offer.audience.id, offer.showing, locale, isFinal: isFinal)
    }

    package func defaultDecision(locale: LocaleCode?) -> Decision {
        Decision(.everyone, everyone, locale, isFinal: true)
    }
}

extension Decision {
    init(_ audience: AudienceID, _ showing: Placement.Showing, _ locale: LocaleCode?, isFinal: Bool) {
        self.init(
            audience: audience, shown: showing.paywall?.localized(for: locale), isFinal: isFinal, experiment: showing.experiment,
            assigned: nil)
    }
}
