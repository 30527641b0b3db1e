// SPDX-License-Identifier: Apache-2.0

/// Two means compared once, at a number of units that was fixed before, each with its own variance: Welch's t-test.
struct WelchTest: Hashable, Sendable {
    let pair: PairEstimate
    /// By Welch and Satterthwaite.
    let degreesOfFreedom: Double

    /// Nil without variance, or with fewer than two units in a variation.
    init?(control: Sample, variation: Sample) {
        guard let first = control.estimate, let second = variation.estimate, control.units > 1, variation.units > 1 else {
            return nil
        }
        self.init(
            control: first, controlUnits: control.units, variation: second, variationUnits: variation.units)
    }

    /// From means and the variances of those means.
    init?(control: Estimate, controlUnits: Int, variation: Estimate, variationUnits: Int) {
        let both = control.variance + variation.variance
        guard both > 0, both.isFinite, controlUnits > 1, variationUnits > 1 else { return nil }
        pair = PairEstimate(control: control, variation: variation, units: controlUnits + variationUnits)
        // Shares of the variance: their squares neither overflow nor vanish.
        let (first, second) = (control.variance / both, variation.variance / both)
        degreesOfFreedom = 1 / (first * first / Double(controlUnits - 1) + second * second / Double(variationUnits - 1))
    }

    var t: Double { pair.difference / pair.standardError }

    /// With two sides.
    var p: Double { StudentDistribution(degreesOfFreedom: degreesOfFreedom).beyond(t) }

    /// How many standard errors the interval reaches to each side.
    func multiplier(alpha: Double) -> Double {
        StudentDistribution(degreesOfFreedom: degreesOfFreedom).critical(alpha: alpha)
    }

    func interval(alpha: Double) -> Interval {
        let reach = multiplier(alpha: alpha) * pair.standardError
        return Interval(pair.difference - reach, pair.difference + reach)
    }
}
