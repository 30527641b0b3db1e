// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An interval of a difference that may be looked at any number of times: with probability 1 − alpha it contains the truth at
/// every look at once. All verdicts come from it.
///
/// `d ± c·se` with `c = √[(k+1)/k · (ln(k+1) − 2 ln alpha)]`, `k = n·ρ²`, n both variations' units, and
/// `ρ² = [−2 ln alpha + ln(1 − 2 ln alpha)] / plannedUnits`: narrowest about the planned number of units, valid at any. It is
/// asymptotic: a verdict waits for ten conversions in each variation.
///
/// Source: Waudby-Smith and others (arXiv:2103.06476), Howard and others (arXiv:1810.08240).
package struct ConfidenceSequence: Hashable, Sendable {
    package static let usualPlannedUnits = 5000

    let alpha: Double
    /// Both variations' units at the planned end. Fixed at the start: a plan that follows the data is not valid.
    let plannedUnits: Int

    /// - Parameters:
    ///   - alpha: the probability of an interval that ever misses the truth; above 0 and below 1.
    ///   - plannedUnits: at least 1.
    package init(alpha: Double = 0.05, plannedUnits: Int = usualPlannedUnits) {
        precondition(alpha > 0 && alpha < 1, "alpha is a probability above 0 and below 1.")
        precondition(plannedUnits >= 1, "At least one unit has to be planned.")
        (self.alpha, self.plannedUnits) = (alpha, plannedUnits)
    }

    /// ρ².
    var tuning: Double { Self.strength(alpha) / Double(plannedUnits) }

    /// c: how many standard errors the interval reaches to each side after so many units of both variations. Infinite before the first.
    /// - Parameter level: another probability than ``alpha``, with the same tuning, for several comparisons at once.
    package func multiplier(units: Int, level: Double? = nil) -> Double {
        guard units > 0 else { return .infinity }
        let k = Double(units) * tuning
        return ((k + 1) / k * (log1p(k) - 2 * log(level ?? alpha))).squareRoot()
    }

    /// The interval of the difference. Nil without variance: nothing says how far chance reaches.
    package func interval(_ pair: PairEstimate, level: Double? = nil) -> Interval? {
        guard pair.z != nil, pair.units > 0 else { return nil }
        let reach = multiplier(units: pair.units, level: level) * pair.standardError
        return Interval(pair.difference - reach, pair.difference + reach)
    }

    /// The least level at which the interval excludes zero: `min(1, √(k+1) · exp(−k z² / (2(k+1))))`. 1 without variance.
    func p(_ pair: PairEstimate) -> Double {
        guard let z = pair.z else { return 1 }
        return p(z: z, units: pair.units)
    }

    func p(z: Double, units: Int) -> Double {
        let k = Double(units) * tuning
        return min(1, exp(log1p(k) / 2 - k * z * z / (2 * (k + 1))))
    }

    /// k at the planned number of units, which is the same for every plan.
    static func strength(_ alpha: Double) -> Double { -2 * log(alpha) + log(1 - 2 * log(alpha)) }
}
