// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func uniform(_ from: Double, _ to: Double) -> Double {
        from + (to - from) * Double(next() >> 11) / 9_007_199_254_740_992
    }

    mutating func isLikely(_ share: Double) -> Bool { uniform(0, 1) < share }

    /// Log-normal: half of the values are below the median, 95 % below `p95`.
    mutating func logNormal(median: Double, p95: Double) -> Double {
        guard median > 0 else { return 0 }
        let spread = log(max(p95, median) / median) / 1.644_853_626_951_472_7
        // Box and Muller's normal value.
        let normal = sqrt(-2 * log(1 - uniform(0, 1))) * cos(2 * .pi * uniform(0, 1))
        return median * exp(spread * normal)
    }
}
