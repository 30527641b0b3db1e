// SPDX-License-Identifier: Apache-2.0

/// The results of an experiment: what `landfall results --json` prints. What is not known is null.
package struct ResultsDocument: Encodable, Hashable, Sendable {
    package struct Health: Encodable, Hashable, Sendable {
        /// Do the variations' units have the ratio of the weights?
        package struct Ratio: Encodable, Hashable, Sendable {
            package let ok: Bool
            /// p of the sequential test, the smallest of all looks.
            package let p: Double
            /// p of Pearson's test, for comparison; nil if units are in a variation without weight.
            let chiSquare: Double?
            let chiSquareP: Double
        }

        /// The same for a part of the units.
        package struct RatioPart: Encodable, Hashable, Sendable {
            /// `platform`, `version` or `source`.
            package let by: String
            package let value: String
            /// Whether `adjustedP` is not below the threshold.
            package let ok: Bool
            let p: Double
            /// By Bonferroni, for all parts.
            package let adjustedP: Double
            /// One for each variation, in their order.
            package let units: [Int]
        }

        /// Was an equal share of the units with a decision shown their variation?
        package struct ShownOverDecided: Encodable, Hashable, Sendable {
            package let ok: Bool
            package let p: Double
            package let byVariation: [String: Double]
        }

        package let ratio: Ratio
        package let ratioParts: [RatioPart]
        package let shownOverDecided: ShownOverDecided?
        package let crossovers: Double?
        package let matured: Double?
        package let echoed: Int?
        package let fallbackFirst: Int?
    }

    package struct Variation: Encodable, Hashable, Sendable {
        package let variation: String
        package let units: Int
        package let conversions: Int?
        package let rate: Double?
        /// Wilson's interval of the present units: it only describes, and decides nothing.
        package let rateInterval: Interval?
        package let mean: Double?
        package let meanUncapped: Double?
        package let cap: Double?
    }

    package enum MetricRole: String, Encodable, Hashable, Sendable {
        case primary
        case secondary
        case guardrail
        case segment
    }

    package struct Comparison: Encodable, Hashable, Sendable {
        package let variation: String
        package let control: String
        package let metric: String
        package let role: MetricRole
        package let segment: String?
        /// Variation − control, within strata. Nil with too few units.
        package let difference: Double?
        let standardError: Double?
        /// Valid at any look. Nil without variance.
        package let interval: Interval?
        /// Valid at any look.
        let p: Double
        let adjustedP: Double
        package let lift: Double?
        package let liftInterval: Interval?
        package let probabilityBetter: Double?
        package let expectedLoss: Double?
        package let verdict: Verdict
        package let decidedOnDay: Int?
        /// How many units of both variations were compared.
        package let units: Int
        /// The probability by which the interval may ever miss the truth.
        let level: Double
    }

    package let experiment: String?
    package let state: String?
    package let day: Int?
    package let basis: ExperimentNumbers.Basis
    package let plannedUnits: Int
    /// How many more units the smallest pair needs to reach its planned number.
    package let unitsLeft: Int
    package let health: Health
    package let variations: [Variation]
    package let comparisons: [Comparison]
    /// Of money, whose amounts are in its units; nil without metrics of money.
    package let currency: String?
    package let unconverted: [UnconvertedMoney]
    /// Remarks for the reader, in sentences.
    package let notes: [String]

    package var isSuppressed: Bool { !health.ratio.ok }
}
