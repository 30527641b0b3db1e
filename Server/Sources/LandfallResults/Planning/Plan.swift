// SPDX-License-Identifier: Apache-2.0

/// How many units an experiment needs to find an effect of a wanted size.
///
/// Per variation `n = (m + z_power)² (σ_A² + σ_B²) / δ²`. For a single look at the end m is the normal quantile of `1 − alpha/2`;
/// for an interval that is valid at any look it is the multiplier of the ``ConfidenceSequence`` with that number of planned units.
/// That takes 1.91 times the units at 5 % and 80 %, and may stop as soon as an effect shows.
package struct Plan: Hashable, Sendable {
    package enum Looks: String, Hashable, Sendable {
        case any
        case last
    }

    package let alpha: Double
    package let power: Double
    package let looks: Looks
    /// The control included.
    package let variations: Int
    /// The units of one variation, before rounding up.
    package let exactUnits: Double

    /// - Parameters:
    ///   - rate: the control's, above 0 and below 1.
    ///   - effect: relative: 0.1 for a tenth more, negative for less. Not 0; the rate with it stays above 0 and below 1.
    ///   - alpha: above 0 and at most 0.5.
    ///   - power: the probability of finding the effect by the planned end, 0.5 or more and below 1.
    ///   - variations: 2 or more, the control included: alpha is divided among the others.
    package init(
        rate: Double, effect: Double, alpha: Double = 0.05, power: Double = 0.8, looks: Looks = .any, variations: Int = 2
    ) throws(SampleError) {
        let other = rate * (1 + effect)
        guard rate > 0, rate < 1 else {
            throw SampleError(field: "rate", problem: "\(rate) is not a rate above 0 and below 1.")
        }
        guard effect != 0, other > 0, other < 1 else {
            throw SampleError(
                field: "effect",
                problem:
                    "\(effect) makes \(other) of the rate \(rate). Use an effect that is not 0 and keeps the rate above 0 and below 1."
            )
        }
        let difference = other - rate
        try self.init(
            variances: (rate * (1 - rate), other * (1 - other)), difference: difference, alpha: alpha, power: power,
            looks: looks,
            variations: variations)
    }

    /// For means.
    /// - Parameter variances: of one unit's number, for the control and the variation.
    init(
        variances: (control: Double, variation: Double), difference: Double, alpha: Double = 0.05, power: Double = 0.8,
        looks: Looks = .any, variations: Int = 2
    ) throws(SampleError) {
        guard alpha > 0, alpha <= 0.5 else {
            throw SampleError(field: "alpha", problem: "\(alpha) is not above 0 and at most 0.5.")
        }
        guard power >= 0.5, power < 1 else {
            throw SampleError(field: "power", problem: "\(power) is not at least 0.5 and below 1.")
        }
        guard (2...100).contains(variations) else {
            throw SampleError(field: "variations", problem: "\(variations) variations are not 2 to 100, the control included.")
        }
        (self.alpha, self.power, self.looks, self.variations) = (alpha, power, looks, variations)
        let level = alpha / Double(variations - 1)
        let multiplier =
            switch looks {
            case .last: NormalDistribution.quantile(1 - level / 2)
            // The multiplier at the planned end is the same for every plan.
            case .any: ConfidenceSequence(alpha: alpha, plannedUnits: 1).multiplier(units: 1, level: level)
            }
        let reach = multiplier + NormalDistribution.quantile(power)
        exactUnits = reach * reach * (variances.control + variances.variation) / (difference * difference)
        guard exactUnits.isFinite, exactUnits <= Double(Sample.mostUnits) else {
            throw SampleError(
                field: "effect", problem: "Such a small effect needs more units than there are people. Use a larger effect.")
        }
    }

    package var unitsPerVariation: Int { max(1, Int(exactUnits.rounded(.up))) }

    /// The units of two variations: the value for `plannedUnits` of the experiment.
    package var plannedUnits: Int { 2 * unitsPerVariation }

    /// The units of all variations.
    package var units: Int { variations * unitsPerVariation }

    /// How many days the units take to come, before rounding up.
    package func exactDays(unitsPerDay: Double) -> Double { Double(variations) * exactUnits / unitsPerDay }

    /// In whole weeks, because users at weekends differ. The window of the metric is added.
    package func days(unitsPerDay: Double) -> Int { max(1, Int((exactDays(unitsPerDay: unitsPerDay) / 7).rounded(.up))) * 7 }
}
