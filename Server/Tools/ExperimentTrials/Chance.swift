// SPDX-License-Identifier: Apache-2.0
import Foundation

/// SplitMix64 and draws from it: the same seed gives the same numbers on every machine.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Above 0 and below 1.
    mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

    /// How many of `count` convert, by inversion: fast if few convert.
    mutating func conversions(of count: Int, rate: Double) -> Int {
        var left = uniform(), conversions = 0
        var probability = pow(1 - rate, Double(count))
        while left > probability, conversions < count {
            left -= probability
            probability *= Double(count - conversions) / Double(conversions + 1) * rate / (1 - rate)
            conversions += 1
        }
        return conversions
    }

    mutating func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }

    /// How many of `count` fall on one of two equal sides.
    mutating func half(of count: Int) -> Int {
        var sum = 0
        for start in stride(from: 0, to: count, by: 64) {
            sum += (next() << UInt64(max(0, 64 - count + start))).nonzeroBitCount
        }
        return sum
    }
}
