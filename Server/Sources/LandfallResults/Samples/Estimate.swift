// SPDX-License-Identifier: Apache-2.0

/// A mean, and the variance of that mean.
package struct Estimate: Hashable, Sendable {
    package let mean: Double
    package let variance: Double

    init(mean: Double, variance: Double) { (self.mean, self.variance) = (mean, variance) }
}

/// A variation beside its control.
package struct PairEstimate: Hashable, Sendable {
    package let control: Estimate
    package let variation: Estimate
    /// The units of both.
    package let units: Int

    package init(control: Estimate, variation: Estimate, units: Int) {
        (self.control, self.variation, self.units) = (control, variation, units)
    }

    /// Variation − control.
    package var difference: Double { variation.mean - control.mean }

    package var standardError: Double { (control.variance + variation.variance).squareRoot() }

    /// The difference in standard errors. Nil without variance: nothing says how far chance reaches.
    package var z: Double? { standardError > 0 && standardError.isFinite ? difference / standardError : nil }

    /// (variation − control) / control. Nil unless the control is above zero.
    package var lift: Double? { control.mean > 0 ? difference / control.mean : nil }
}

/// Two ends, both included.
package struct Interval: Hashable, Sendable {
    package let lower: Double
    package let upper: Double

    package init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }

    package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
