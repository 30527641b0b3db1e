// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The gamma function and its regularised incomplete forms. Everything is computed from Stirling's formula and its
/// remainder, so that huge arguments cancel where they should.
enum GammaFunction {
    /// ln Γ(z), for z > 0.
    static func log(_ z: Double) -> Double {
        precondition(z > 0, "The logarithm of the gamma function is computed for positive numbers.")
        return (z - 0.5) * Foundation.log(z) - z + halfLogOfTwoPi + remainder(z)
    }

    /// Q(shape, x) = Γ(shape, x) / Γ(shape): the upper tail of the gamma distribution. From 1 at x = 0 down to 0.
    static func upperTail(shape: Double, _ x: Double) -> Double {
        precondition(
            shape > 0 && x >= 0, "The tail of the gamma distribution is computed for a positive shape and from zero on.")
        guard x > 0 else { return 1 }
        guard x.isFinite else { return 0 }
        return x < shape + 1 ? max(0, 1 - series(shape, x)) : continuedFraction(shape, x)
    }

    /// ln Γ(z) − [(z − ½) ln z − z + ½ ln 2π]: what Stirling's formula leaves out. About 1/(12 z).
    static func remainder(_ z: Double) -> Double {
        // Γ(z + 1) = z·Γ(z) lifts small arguments to where the series is exact to the last bit.
        var (z, lifted) = (z, 0.0)
        while z < 10 {
            lifted += (z + 0.5) * log1p(1 / z) - 1
            z += 1
        }
        let square = 1 / (z * z)
        let series =
            1.0 / 12 - square
            * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square * (1.0 / 1188 - square * 691 / 360360))))
        return series / z + lifted
    }

    /// x^shape · e^(−x) / Γ(shape).
    private static func front(_ shape: Double, _ x: Double) -> Double {
        (shape / (2 * .pi)).squareRoot() * exp(shape * Foundation.log(x / shape) + shape - x - remainder(shape))
    }

    private static func series(_ shape: Double, _ x: Double) -> Double {
        var term = 1 / shape, sum = term, step = shape
        while term > sum * 1e-17 {
            step += 1
            term *= x / step
            sum += term
        }
        return sum * front(shape, x)
    }

    /// Lentz's way through the continued fraction of the upper tail.
    private static func continuedFraction(_ shape: Double, _ x: Double) -> Double {
        let tiny = 1e-300
        var b = x + 1 - shape
        var c = 1 / tiny
        var d = 1 / b
        var fraction = d
        for step in 1...100_000 {
            let a = -Double(step) * (Double(step) - shape)
            b += 2
            d = a * d + b
            if abs(d) < tiny { d = tiny }
            c = b + a / c
            if abs(c) < tiny { c = tiny }
            d = 1 / d
            fraction *= d * c
            if abs(d * c - 1) < 1e-16 { break }
        }
        return front(shape, x) * fraction
    }

    private static let halfLogOfTwoPi = 0.918_938_533_204_672_741_78
}
