// SPDX-License-Identifier: Apache-2.0

/// What an experiment has counted: everything that its results are computed from.
package struct ExperimentNumbers: Hashable, Sendable {
    /// Units that are compared with each other only: an epoch.
    package struct Stratum: Hashable, Sendable {
        /// By which units were drawn, one for each variation.
        var weights: [Double]
        /// One for each variation; nil if the variation did not take part.
        var samples: [Sample?]

        init(weights: [Double], samples: [Sample?]) { (self.weights, self.samples) = (weights, samples) }
    }

    /// One metric of all variations.
    package struct Metric: Hashable, Sendable {
        package var name: String
        package var strata: [Stratum]

        package init(name: String, strata: [Stratum]) { (self.name, self.strata) = (name, strata) }
    }

    struct Guarded: Hashable, Sendable {
        var metric: Metric
        var bound: Guardrail

        init(metric: Metric, bound: Guardrail) { (self.metric, self.bound) = (metric, bound) }
    }

    /// The primary metric among some of the units, such as those of one source.
    struct Segment: Hashable, Sendable {
        var name: String
        var strata: [Stratum]

        init(name: String, strata: [Stratum]) { (self.name, self.strata) = (name, strata) }
    }

    /// Looks of one epoch: how many units came to each variation since the look before.
    struct RatioLooks: Hashable, Sendable {
        var weights: [Double]
        var looks: [[Int]]
        /// The day of each look, so that epochs which overlap are looked at together. Empty: one epoch after the other.
        var days: [Int]

        init(weights: [Double], looks: [[Int]], days: [Int] = []) {
            (self.weights, self.looks, self.days) = (weights, looks, days)
        }
    }

    /// A part of the units (of a platform, a version or a source) whose sample ratio is checked separately.
    struct RatioPart: Hashable, Sendable {
        /// `platform`, `version` or `source`.
        var by: String
        var value: String
        /// For each epoch, all units in one look.
        var epochs: [RatioLooks]

        init(by: String, value: String, epochs: [RatioLooks]) { (self.by, self.value, self.epochs) = (by, value, epochs) }
    }

    /// The state of the primary metric after a day.
    package struct Moment: Hashable, Sendable {
        package var day: Int
        var strata: [Stratum]

        package init(day: Int, strata: [Stratum]) { (self.day, self.strata) = (day, strata) }
    }

    /// Which units are analysed: those to whom the variation was shown, or all with a decision.
    package enum Basis: String, Hashable, Sendable, CaseIterable {
        case shown
        case decided
    }

    /// Further facts about the units; nil if not known.
    struct Facts: Hashable, Sendable {
        var experiment: String?
        var state: String?
        var day: Int?
        /// Units of each variation with a decision.
        var decided: [Int]?
        /// Units to whom each variation was shown; nil: the analysed ones.
        var shown: [Int]?
        /// The share of units whose person was in two variations.
        var crossovers: Double?
        /// The share of units whose window is over.
        var matured: Double?
        /// Units whose assignment the phone brought back.
        var echoed: Int?
        /// Units that saw the bundled fallback before their variation.
        var fallbackFirst: Int?

        init() {}
    }

    /// In order; the first is the control.
    package var variations: [String]
    var alpha = 0.05
    package var plannedUnits = ConfidenceSequence.usualPlannedUnits
    package var basis = Basis.shown
    package var primary: Metric
    var guardrails: [Guarded] = []
    package var secondaries: [Metric] = []
    var segments: [Segment] = []
    /// Empty if nobody noted them: then each stratum is one look.
    var ratio: [RatioLooks] = []
    var ratioParts: [RatioPart] = []
    /// By day; empty if nobody noted it.
    package var history: [Moment] = []
    /// For each variation, the mean before it was capped; nil if nothing is capped.
    var uncappedMeans: [Double?]?
    /// What payments were capped at.
    package var cap: Double?
    /// Of money; nil if no metric is one, or if nobody said it.
    package var currency: String?
    package var unconverted: [UnconvertedMoney] = []
    var facts = Facts()
    /// What a reader has to know beside the numbers, in sentences.
    package var notes: [String] = []

    package init(variations: [String], primary: Metric) { (self.variations, self.primary) = (variations, primary) }

    /// All of a variation's units as one sample. Nil if it never took part.
    func pooled(_ strata: [Stratum], _ variation: Int) -> Sample? {
        strata.compactMap { $0.samples[variation] }.reduce(nil) { sum, sample in sum.map { $0 + sample } ?? sample }
    }

    /// A variation beside the control, in strata.
    func pair(_ strata: [Stratum], _ variation: Int) -> PairedStrata {
        PairedStrata(
            strata.compactMap { stratum in
                guard let control = stratum.samples[0], let other = stratum.samples[variation] else { return nil }
                let weights = stratum.weights[0] + stratum.weights[variation]
                let share = weights > 0 ? stratum.weights[variation] / weights : 0
                return .init(control: control, variation: other, share: share)
            })
    }
}
