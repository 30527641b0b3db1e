// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The beta distribution on 0...1: what is believed of a rate after `alpha − 1` conversions and `beta − 1` units without one,
/// from a flat start.
struct BetaDistribution: Hashable, Sendable {
    let alpha: Double
    let beta: Double

    /// - Parameters:
    ///   - alpha: above 0 and finite.
    ///   - beta: above 0 and finite.
    init(alpha: Double, beta: Double) {
        precondition(
            alpha > 0 && beta > 0 && (alpha + beta).isFinite, "A beta distribution has two positive, finite parameters.")
        (self.alpha, self.beta) = (alpha, beta)
    }

    var mean: Double { alpha / (alpha + beta) }

    var standardDeviation: Double {
        let total = alpha + beta
        return (mean * (beta / total) / (total + 1)).squareRoot()
    }

    /// The density at x, for 0 < x < 1.
    func density(_ x: Double) -> Double { front(x, 1 - x) / (x * (1 - x)) }

    /// P(X ≤ x): the regularised incomplete beta function. 0 below 0, 1 above 1.
    func below(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        return isLeft(x) ? tail(x, 1 - x) : 1 - mirrored.tail(1 - x, x)
    }

    /// P(X > x), exact to the last digits also where it is tiny.
    func above(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < 1 else { return 0 }
        return isLeft(x) ? 1 - tail(x, 1 - x) : mirrored.tail(1 - x, x)
    }

    private var mirrored: BetaDistribution { BetaDistribution(alpha: beta, beta: alpha) }

    /// The continued fraction is quick on this side of the mean only.
    private func isLeft(_ x: Double) -> Bool { x <= (alpha + 1) / (alpha + beta + 2) }

    /// x^alpha · y^beta / B(alpha, beta) for y = 1 − x. Of huge parameters only the distance from the mean is left over.
    private func front(_ x: Double, _ y: Double) -> Double {
        let total = alpha + beta
        // x·total − alpha, by the smaller of x and y, whose last digits are not rounded away.
        let excess = x < y ? (-alpha).addingProduct(x, total) : -(-beta).addingProduct(y, total)
        let exponent = scaledLog(alpha, excess, x * (total / alpha)) + scaledLog(beta, -excess, y * (total / beta))
        let remainders = GammaFunction.remainder(total) - GammaFunction.remainder(alpha) - GammaFunction.remainder(beta)
        return (alpha * (beta / total) / (2 * .pi)).squareRoot() * exp(exponent + remainders)
    }

    /// part · ln(ratio), where ratio = 1 + excess / part.
    private func scaledLog(_ part: Double, _ excess: Double, _ ratio: Double) -> Double {
        part * (abs(excess) < part / 2 ? log1p(excess / part) : log(ratio))
    }

    /// Lentz's way through the continued fraction of the lower tail.
    private func tail(_ x: Double, _ y: Double) -> Double {
        let tiny = 1e-300
        let total = alpha + beta
        var c = 1.0
        var d = 1 - total * x / (alpha + 1)
        if abs(d) < tiny { d = tiny }
        d = 1 / d
        var fraction = d
        func advance(_ numerator: Double) {
            d = 1 + numerator * d
            if abs(d) < tiny { d = tiny }
            c = 1 + numerator / c
            if abs(c) < tiny { c = tiny }
            d = 1 / d
            fraction *= d * c
        }
        for step in 1...1_000_000 {
            let m = Double(step)
            advance(m * (beta - m) * x / ((alpha + 2 * m - 1) * (alpha + 2 * m)))
            advance(-(alpha + m) * (total + m) * x / ((alpha + 2 * m) * (alpha + 2 * m + 1)))
            if abs(d * c - 1) < 1e-15 { break }
        }
        return min(1, front(x, y) * fraction / alpha)
    }
}
