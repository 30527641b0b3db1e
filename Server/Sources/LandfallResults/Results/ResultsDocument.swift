// SPDX-License-Identifier: Apache-2.0

/// The results of an experiment: what `landfall results --json` prints. What is not known is null.
public struct ResultsDocument: Encodable, Hashable, Sendable {
    public struct Health: Encodable, Hashable, Sendable {
        /// Did units go to the variations by their weights?
        public struct Ratio: Encodable, Hashable, Sendable {
            public let ok: Bool
            /// Of the sequential test, the least of all looks.
            public let p: Double
            /// Of Pearson's test, for comparison; nil if units are in a variation without weight.
            public let chiSquare: Double?
            public let chiSquareP: Double
        }

        /// The same question to some of the units.
        public struct RatioPart: Encodable, Hashable, Sendable {
            /// `platform`, `version` or `source`.
            public let by: String
            public let value: String
            /// Whether `adjustedP` is not below the threshold.
            public let ok: Bool
            public let p: Double
            /// By Bonferroni, for all parts.
            public let adjustedP: Double
            /// One for each variation, in their order.
            public let units: [Int]
        }

        /// Was an equal share of those for whom it was decided shown their variation?
        public struct ShownOverDecided: Encodable, Hashable, Sendable {
            public let ok: Bool
            public let p: Double
            public let byVariation: [String: Double]
        }

        public let ratio: Ratio
        public let ratioParts: [RatioPart]
        public let shownOverDecided: ShownOverDecided?
        public let crossovers: Double?
        public let matured: Double?
        public let echoed: Int?
        public let fallbackFirst: Int?
    }

    public struct Variation: Encodable, Hashable, Sendable {
        public let variation: String
        public let units: Int
        public let conversions: Int?
        public let rate: Double?
        /// By Wilson, for the units as they are: it describes, and decides nothing.
        public let rateInterval: Interval?
        public let mean: Double?
        public let meanUncapped: Double?
        public let cap: Double?
    }

    public enum Role: String, Encodable, Hashable, Sendable {
        case primary
        case secondary
        case guardrail
        case segment
    }

    public struct Comparison: Encodable, Hashable, Sendable {
        public let variation: String
        public let control: String
        public let metric: String
        public let role: Role
        public let segment: String?
        /// Variation − control, within strata. Nil with too few units.
        public let difference: Double?
        public let standardError: Double?
        /// Valid at any look. Nil without variance.
        public let interval: Interval?
        /// Valid at any look.
        public let p: Double
        public let adjustedP: Double
        public let lift: Double?
        public let liftInterval: Interval?
        public let probabilityBetter: Double?
        public let expectedLoss: Double?
        public let verdict: Verdict
        public let decidedOnDay: Int?
        /// Both variations' units that were compared.
        public let units: Int
        /// The probability by which the interval may ever miss the truth.
        public let level: Double
    }

    public let experiment: String?
    public let state: String?
    public let day: Int?
    public let basis: ExperimentNumbers.Basis
    public let plannedUnits: Int
    /// How many more a pair needs to its planned number; of the pair that has the fewest.
    public let unitsLeft: Int
    public let health: Health
    public let variations: [Variation]
    public let comparisons: [Comparison]
    /// What a reader has to know beside the numbers, in sentences.
    public let notes: [String]

    public var isSuppressed: Bool { !health.ratio.ok }
}
