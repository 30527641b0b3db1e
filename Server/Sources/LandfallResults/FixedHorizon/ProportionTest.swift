// SPDX-License-Identifier: Apache-2.0

/// Two rates compared once, at a number of units that was fixed before: the usual z-test.
///
/// Only for comparison: with repeated looks it finds effects that do not exist in a third of all experiments.
/// Verdicts come from ``ConfidenceSequence``.
struct ProportionTest: Hashable, Sendable {
    let control: Sample
    let variation: Sample

    init(control: Sample, variation: Sample) { (self.control, self.variation) = (control, variation) }

    /// Nil without units.
    var pair: PairEstimate? {
        guard let first = control.estimate, let second = variation.estimate else { return nil }
        return PairEstimate(control: first, variation: second, units: control.units + variation.units)
    }

    /// The difference in standard errors, each rate with its own variance. Nil without variance.
    var z: Double? { pair?.z }

    /// The same with the variance of both rates together, as older texts have it.
    var pooledZ: Double? {
        guard let pair, let rate = (control + variation).mean else { return nil }
        let variance = rate * (1 - rate) * (1 / Double(control.units) + 1 / Double(variation.units))
        return variance > 0 ? pair.difference / variance.squareRoot() : nil
    }

    /// With two sides. 1 without variance.
    var p: Double { z.map(NormalDistribution.beyond) ?? 1 }

    func interval(alpha: Double) -> Interval? {
        guard let pair, pair.z != nil else { return nil }
        let reach = NormalDistribution.quantile(1 - alpha / 2) * pair.standardError
        return Interval(pair.difference - reach, pair.difference + reach)
    }

    /// Newcombe's interval from the two of Wilson: for few units.
    func newcombeInterval(alpha: Double) -> Interval? {
        guard let pair, let first = control.wilsonInterval(alpha: alpha), let second = variation.wilsonInterval(alpha: alpha)
        else {
            return nil
        }
        let (a, b) = (pair.control.mean, pair.variation.mean)
        func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return Interval(
            pair.difference - length(b - second.lower, first.upper - a),
            pair.difference + length(second.upper - b, a - first.lower))
    }
}
