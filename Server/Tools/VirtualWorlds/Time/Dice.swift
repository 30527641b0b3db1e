// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The random numbers of a simulation: the same seed gives the same numbers (SplitMix64).
final class Dice: Sendable {
    private let state: Mutex<UInt64>

    /// The first state of neighbouring seeds is mixed: the state moves in equal steps, so without mixing one seed would
    /// give the numbers that its neighbour gives a moment later.
    init(seed: UInt64) { state = Mutex(Self.mixed(seed ^ 0x1234_5678_9ABC_DEF1)) }

    /// Separate dice, so that more throws of one do not change the other's.
    func split() -> Dice { Dice(seed: next()) }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return Self.mixed(state)
        }
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 ..< 1.
    var share: Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    func happens(_ probability: Double) -> Bool { share < probability }

    func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }

    func time(_ milliseconds: ClosedRange<Int>) -> Duration { .milliseconds(number(milliseconds)) }

    func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }

    func bytes(_ count: Int) -> [UInt8] { (0..<max(0, count)).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
