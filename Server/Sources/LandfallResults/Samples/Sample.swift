// SPDX-License-Identifier: Apache-2.0

/// What the units of one variation did: each one converted or not, or each one is worth a number.
package struct Sample: Hashable, Sendable {
    /// More units than people: a larger number is a mistake.
    static let mostUnits = 1_000_000_000_000

    enum Kind: String, Hashable, Sendable {
        /// A share of units: conversions.
        case rate
        /// A number for each unit, zero included: revenue.
        case mean
        /// Units whose conversions are not known: the metric is not recorded.
        case unmeasured
    }

    let kind: Kind
    let units: Int
    /// How many units converted, or have a number other than zero. Nil if nobody counted them.
    let conversions: Int?
    let sum: Double
    let sumOfSquares: Double

    /// Units that convert once or not at all.
    package init(units: Int, conversions: Int) throws(SampleError) {
        try Self.check(units: units, conversions: conversions)
        self.init(
            kind: .rate, units: units, conversions: conversions, sum: Double(conversions), sumOfSquares: Double(conversions))
    }

    /// Units whose conversions are not known.
    init(unmeasured units: Int) throws(SampleError) {
        try Self.check(units: units, conversions: 0)
        self.init(kind: .unmeasured, units: units, conversions: nil, sum: 0, sumOfSquares: 0)
    }

    /// Units with a number each.
    /// - Parameters:
    ///   - sum: of all numbers.
    ///   - sumOfSquares: of all numbers.
    ///   - conversions: how many numbers are not zero, if it is known.
    package init(units: Int, sum: Double, sumOfSquares: Double, conversions: Int? = nil) throws(SampleError) {
        try Self.check(units: units, conversions: conversions ?? 0)
        guard sum.isFinite else { throw SampleError(field: "sum", problem: "The sum has to be a finite number.") }
        guard sumOfSquares.isFinite, sumOfSquares >= 0 else {
            throw SampleError(field: "sumOfSquares", problem: "The sum of squares has to be a finite number and not negative.")
        }
        guard units > 0 || (sum == 0 && sumOfSquares == 0) else {
            throw SampleError(
                field: "units", problem: "Without units there is no sum. Correct units, or set sum and sumOfSquares to 0.")
        }
        // The mean's square is never above the mean of squares; a few last digits may have been rounded away.
        guard units == 0 || sum / Double(units) * sum <= sumOfSquares * (1 + 1e-9) else {
            throw SampleError(
                field: "sumOfSquares",
                problem: "\(sumOfSquares) is less than sum² / units, which is impossible. Add up the squares of all numbers.")
        }
        self.init(kind: .mean, units: units, conversions: conversions, sum: sum, sumOfSquares: sumOfSquares)
    }

    private init(kind: Kind, units: Int, conversions: Int?, sum: Double, sumOfSquares: Double) {
        (self.kind, self.units, self.conversions, self.sum, self.sumOfSquares) = (kind, units, conversions, sum, sumOfSquares)
    }

    /// Nil without units, and if nothing was measured.
    var mean: Double? { units > 0 && kind != .unmeasured ? sum / Double(units) : nil }

    /// Of one unit's number: p(1 − p) for a rate, s² with n − 1 for a mean. Nil with too few units.
    var variance: Double? {
        guard let mean else { return nil }
        switch kind {
        case .rate: return mean * (1 - mean)
        case .unmeasured: return nil
        case .mean: return units > 1 ? max(0, sumOfSquares - sum * mean) / Double(units - 1) : nil
        }
    }

    /// The mean with its variance. Nil with too few units.
    package var estimate: Estimate? {
        guard let mean, let variance else { return nil }
        return Estimate(mean: mean, variance: variance / Double(units))
    }

    /// The number that can be compared: conversions, or units if conversions were not counted.
    var evidence: Int { conversions ?? units }

    /// Both samples as one. A rate and a mean together are a mean.
    static func + (left: Sample, right: Sample) -> Sample {
        var conversions: Int?
        if let first = left.conversions, let second = right.conversions { conversions = first + second }
        return Sample(
            kind: left.kind == right.kind ? left.kind : .mean, units: left.units + right.units, conversions: conversions,
            sum: left.sum + right.sum, sumOfSquares: left.sumOfSquares + right.sumOfSquares)
    }

    private static func check(units: Int, conversions: Int) throws(SampleError) {
        guard (0...mostUnits).contains(units) else {
            throw SampleError(
                field: "units", problem: "\(units) is not a count of units. Use a whole number from 0 to \(mostUnits).")
        }
        guard (0...units).contains(conversions) else {
            throw SampleError(
                field: "conversions",
                problem:
                    "\(conversions) of \(units) units cannot convert. A unit converts once: use a whole number from 0 to units."
            )
        }
    }
}
