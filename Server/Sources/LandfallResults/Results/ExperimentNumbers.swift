// SPDX-License-Identifier: Apache-2.0

/// What an experiment has counted: everything that its results are computed from.
public struct ExperimentNumbers: Hashable, Sendable {
    /// Units that are compared with each other only: an epoch.
    public struct Stratum: Hashable, Sendable {
        /// By which units were drawn, one for each variation.
        public var weights: [Double]
        /// One for each variation; nil where the variation did not take part.
        public var samples: [Sample?]

        public init(weights: [Double], samples: [Sample?]) { (self.weights, self.samples) = (weights, samples) }
    }

    /// One question to all variations.
    public struct Metric: Hashable, Sendable {
        public var name: String
        public var strata: [Stratum]

        public init(name: String, strata: [Stratum]) { (self.name, self.strata) = (name, strata) }
    }

    public struct Guarded: Hashable, Sendable {
        public var metric: Metric
        public var bound: Guardrail

        public init(metric: Metric, bound: Guardrail) { (self.metric, self.bound) = (metric, bound) }
    }

    /// The primary metric among some of the units, such as those of one source.
    public struct Segment: Hashable, Sendable {
        public var name: String
        public var strata: [Stratum]

        public init(name: String, strata: [Stratum]) { (self.name, self.strata) = (name, strata) }
    }

    /// Looks of one epoch: how many units came to each variation since the look before.
    public struct RatioLooks: Hashable, Sendable {
        public var weights: [Double]
        public var looks: [[Int]]
        /// The day of each look, so that epochs which overlap are looked at together. Empty: one epoch after the other.
        public var days: [Int]

        public init(weights: [Double], looks: [[Int]], days: [Int] = []) {
            (self.weights, self.looks, self.days) = (weights, looks, days)
        }
    }

    /// Some of the units, to ask of them alone whether they came by the weights: those of a platform, of a version, of a source.
    public struct RatioPart: Hashable, Sendable {
        /// `platform`, `version` or `source`.
        public var by: String
        public var value: String
        /// Of each epoch all units in one look.
        public var epochs: [RatioLooks]

        public init(by: String, value: String, epochs: [RatioLooks]) { (self.by, self.value, self.epochs) = (by, value, epochs) }
    }

    /// The primary metric as it stood after a day.
    public struct Moment: Hashable, Sendable {
        public var day: Int
        public var strata: [Stratum]

        public init(day: Int, strata: [Stratum]) { (self.day, self.strata) = (day, strata) }
    }

    /// Which units are analysed: those to whom the variation was shown, or all for whom it was decided.
    public enum Basis: String, Hashable, Sendable, CaseIterable {
        case shown
        case decided
    }

    /// What is known beside the counts; nil where it is not known.
    public struct Facts: Hashable, Sendable {
        public var experiment: String?
        public var state: String?
        public var day: Int?
        /// Units for whom each variation was decided.
        public var decided: [Int]?
        /// Units to whom each variation was shown; nil: the analysed ones.
        public var shown: [Int]?
        /// The share of units whose person was in two variations.
        public var crossovers: Double?
        /// The share of units whose window is over.
        public var matured: Double?
        /// Units whose assignment the phone brought back.
        public var echoed: Int?
        /// Units that saw the bundled fallback before their variation.
        public var fallbackFirst: Int?

        public init() {}
    }

    /// In order; the first is the control.
    public var variations: [String]
    public var alpha = 0.05
    public var plannedUnits = ConfidenceSequence.usualPlannedUnits
    public var basis = Basis.shown
    public var primary: Metric
    public var guardrails: [Guarded] = []
    public var secondaries: [Metric] = []
    public var segments: [Segment] = []
    /// Empty if nobody noted them: then each stratum is one look.
    public var ratio: [RatioLooks] = []
    public var ratioParts: [RatioPart] = []
    /// By day; empty if nobody noted it.
    public var history: [Moment] = []
    /// For each variation, the mean before it was capped; nil where nothing is capped.
    public var uncappedMeans: [Double?]?
    /// What payments were capped at.
    public var cap: Double?
    public var facts = Facts()
    /// What a reader has to know beside the numbers, in sentences.
    public var notes: [String] = []

    public init(variations: [String], primary: Metric) { (self.variations, self.primary) = (variations, primary) }

    /// All of a variation's units as one sample. Nil if it never took part.
    func pooled(_ strata: [Stratum], _ variation: Int) -> Sample? {
        strata.compactMap { $0.samples[variation] }.reduce(nil) { sum, sample in sum.map { $0 + sample } ?? sample }
    }

    /// A variation beside the control, in strata.
    public func pair(_ strata: [Stratum], _ variation: Int) -> PairedStrata {
        PairedStrata(
            strata.compactMap { stratum in
                guard let control = stratum.samples[0], let other = stratum.samples[variation] else { return nil }
                let weights = stratum.weights[0] + stratum.weights[variation]
                let share = weights > 0 ? stratum.weights[variation] / weights : 0
                return .init(control: control, variation: other, share: share)
            })
    }
}
