// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Bayesian figures, as an explanation beside the verdict and never as the verdict: with repeated looks,
/// "more than 95 % likely to be better" appears without any effect in half of all experiments.
enum Posterior {
    /// The probability of each rate to be the highest, each from a flat prior, by quadrature. Adds up to 1.
    static func probabilitiesOfHighest(_ rates: [BetaDistribution]) -> [Double] {
        rates.indices.map { place in
            integral(over: [rates[place]], bending: rates) { x in
                rates.indices.reduce(rates[place].density(x)) { $1 == place ? $0 : $0 * rates[$1].below(x) }
            }
        }
    }

    /// How much is lost on average by choosing a rate where the other one may be higher: `E[(other − chosen)⁺]`, which is
    /// `∫ P(chosen ≤ x)·P(other > x) dx`.
    static func expectedLoss(choosing chosen: BetaDistribution, over other: BetaDistribution) -> Double {
        integral(over: [chosen, other], bending: [chosen, other]) { chosen.below($0) * other.above($0) }
    }

    /// The same two figures for a difference that is normal: of means, and over strata. Nil without variance.
    static func ofNormal(_ pair: PairEstimate) -> (probabilityBetter: Double, expectedLoss: Double)? {
        guard let z = pair.z else { return nil }
        let loss = pair.standardError * (NormalDistribution.density(z) - z * NormalDistribution.below(-z))
        return (NormalDistribution.below(z), max(0, loss))
    }

    /// Gauss and Legendre's quadrature over where the distributions live, in pieces that end where one of them begins or ends.
    private static func integral(
        over supports: [BetaDistribution], bending: [BetaDistribution], _ function: (Double) -> Double
    ) -> Double {
        let whole = supports.map(support)
        let lower = whole.map(\.lower).min() ?? 0, upper = whole.map(\.upper).max() ?? 1
        let bends = bending.flatMap { rate in
            let ends = support(rate)
            return [ends.lower, rate.mean, ends.upper].filter { $0 > lower && $0 < upper }
        }
        let ends = ([lower, upper] + bends).sorted()
        var sum = 0.0
        for (start, end) in zip(ends, ends.dropFirst()) where end > start {
            let half = (end - start) / Double(piecesPerPart) / 2
            for piece in 0..<piecesPerPart {
                let middle = start + half * Double(2 * piece + 1)
                for (node, weight) in nodes {
                    sum += half * weight * (function(middle - half * node) + function(middle + half * node))
                }
            }
        }
        return sum
    }

    /// What lies outside is below any digit that is printed.
    private static func support(_ rate: BetaDistribution) -> Interval {
        var (lower, upper) = (rate.mean, rate.mean)
        // The tail of few conversions is long: standard deviations alone do not say where it ends.
        while lower > 0, rate.below(lower) > 1e-17 { lower -= 3 * rate.standardDeviation }
        while upper < 1, rate.above(upper) > 1e-17 { upper += 3 * rate.standardDeviation }
        return Interval(max(0, lower), min(1, upper))
    }

    private static let piecesPerPart = 12

    /// The positive nodes of ten, with their weights.
    private static let nodes: [(Double, Double)] = [
        (0.148874338981631211, 0.295524224714752870), (0.433395394129247191, 0.269266719309996355),
        (0.679409568299024406, 0.219086362515982044), (0.865063366688984511, 0.149451349150580593),
        (0.973906528517171720, 0.066671344308688138),
    ]
}
