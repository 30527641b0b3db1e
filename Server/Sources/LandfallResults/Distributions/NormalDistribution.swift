// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The standard normal distribution.
enum NormalDistribution {
    static func density(_ z: Double) -> Double { exp(-z * z / 2) / (2 * Double.pi).squareRoot() }

    /// P(Z ≤ z).
    static func below(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

    /// P(|Z| ≥ |z|): the p-value of a test with two sides.
    static func beyond(_ z: Double) -> Double { erfc(abs(z) / 2.0.squareRoot()) }

    /// The z below which the share `p` lies; −∞ for 0 and ∞ for 1.
    static func quantile(_ p: Double) -> Double {
        precondition((0...1).contains(p), "A quantile is computed for a share from 0 to 1.")
        let tail = min(p, 1 - p)
        guard tail > 0 else { return p == 0 ? -.infinity : .infinity }
        // A start that is right to three decimals (Abramowitz and Stegun 26.2.23), then Newton's steps in the logarithm.
        let t = (-2 * log(tail)).squareRoot()
        var z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
        for _ in 0..<4 {
            let above = erfc(z / 2.0.squareRoot()) / 2
            z += above / density(z) * log(above / tail)
        }
        return p < 0.5 ? -z : z
    }
}
