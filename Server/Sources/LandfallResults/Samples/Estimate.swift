// SPDX-License-Identifier: Apache-2.0

/// A mean, and the variance of that mean.
public struct Estimate: Hashable, Sendable {
    public let mean: Double
    public let variance: Double

    public init(mean: Double, variance: Double) { (self.mean, self.variance) = (mean, variance) }
}

/// A variation beside its control.
public struct PairEstimate: Hashable, Sendable {
    public let control: Estimate
    public let variation: Estimate
    /// Of both.
    public let units: Int

    public init(control: Estimate, variation: Estimate, units: Int) {
        (self.control, self.variation, self.units) = (control, variation, units)
    }

    /// Variation − control.
    public var difference: Double { variation.mean - control.mean }

    public var standardError: Double { (control.variance + variation.variance).squareRoot() }

    /// The difference in standard errors. Nil without variance: nothing says how far chance reaches.
    public var z: Double? { standardError > 0 && standardError.isFinite ? difference / standardError : nil }

    /// (variation − control) / control. Nil unless the control is above zero.
    public var lift: Double? { control.mean > 0 ? difference / control.mean : nil }
}

/// Two ends, both included.
public struct Interval: Hashable, Sendable {
    public let lower: Double
    public let upper: Double

    public init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }

    public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
