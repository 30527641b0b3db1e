// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases
@testable import struct LandfallSimulator.SeededNumbers

@Suite("An exact amount", .timeLimit(.minutes(1)))
struct ExactAmountTests {
    @Test(
        "is rounded to a milliunit, half of one away from zero",
        arguments: [
            (0, 5, 7, 0), (7, 0, 5, 0), (3, 1, 1, 3),
            (1, 49, 100, 0), (1, 50, 100, 1), (1, 1, 3, 0), (2, 1, 3, 1), (1, 3, 2, 2), (5, 1, 2, 3), (7, 1, 2, 4),
            (9990, 67_932, 100_000, 6786),
            (.max, 1, 1, .max), (.max, .max, .max, .max), (.max, 1, 2, 4_611_686_018_427_387_904),
        ] as [(Int64, Int64, Int64, Int64)])
    func rounding(_ milliunits: Int64, _ over: Int64, _ under: Int64, _ expected: Int64) {
        var amount = ExactAmount(milliunits)
        amount.multiply(by: over, over: under)

        #expect(amount.rounded == expected)
    }

    @Test("is rounded once, after everything")
    func once() {
        var third = ExactAmount(10)
        third.multiply(by: 1, over: 3)
        third.multiply(by: 3, over: 1)
        // A quarter: by halves that are rounded each it would be 1.
        var quarter = ExactAmount(1)
        quarter.multiply(by: 1, over: 2)
        quarter.multiply(by: 1, over: 2)

        #expect(third.rounded == 10)
        #expect(quarter.rounded == 0)
    }

    @Test("is multiplied by a decimal number digit by digit", arguments: [("1.0850", 10_839), ("0", 0), ("0.00005", 0), ("0.00006", 1)] as [(String, Int64)])
    func decimal(_ text: String, _ expected: Int64) throws {
        var amount = ExactAmount(9990)
        amount.multiply(by: try #require(ExactDecimal(text)))

        #expect(amount.rounded == expected)
    }

    @Test("that is too large has no value, and nothing traps")
    func tooLarge() {
        func amount(_ milliunits: Int64, _ factors: [(Int64, Int64)]) -> Int64? {
            var amount = ExactAmount(milliunits)
            for (over, under) in factors { amount.multiply(by: over, over: under) }
            return amount.rounded
        }

        #expect(amount(.max, [(3, 2)]) == nil)
        // The largest number and a half: (2⁶⁴ - 1) ÷ 2.
        #expect(amount(6_148_914_691_236_517_205, [(3, 2)]) == nil)
        #expect(amount(.max, [(.max, 1)]) == nil)
        #expect(amount(.max, [(.max, 1), (.max, 1), (.max, 1), (.max, 1), (.max, 1)]) == nil)
        // Nearly nothing, but divided by a number of 189 bits.
        #expect(amount(.max, [(1, .max), (1, .max - 1), (1, .max - 2)]) == nil)
        // Beyond 128 bits on the way, and back.
        #expect(amount(.max, [(.max, 1), (.max, 1), (1, .max), (1, .max)]) == .max)
        #expect(amount(.max, [(.max, 1), (.max, 1), (1, .max), (1, .max), (1, 2)]) == 4_611_686_018_427_387_904)
    }

    @Test("has no value outside of its range: less than nothing, or divided by nothing")
    func outOfRange() {
        func amount(_ milliunits: Int64, _ over: Int64, _ under: Int64) -> Int64? {
            var amount = ExactAmount(milliunits)
            amount.multiply(by: over, over: under)
            return amount.rounded
        }

        #expect(amount(-1, 1, 1) == nil)
        #expect(amount(.min, 1, 1) == nil)
        #expect(amount(1, -1, 1) == nil)
        #expect(amount(1, 1, 0) == nil)
        #expect(amount(1, 1, -1) == nil)
        #expect(amount(1, .min, .min) == nil)
    }

    @Test("is the same in any order of its factors, also beyond 128 bits", arguments: 0..<10 as Range<UInt64>)
    func order(_ seed: UInt64) {
        var draw = SeededNumbers(seed)
        for _ in 0..<200 {
            let milliunits = Int64.random(in: 0...(.max), using: &draw)
            let one = Int64.random(in: 1 << 61..<1 << 62, using: &draw), other = Int64.random(in: 1 << 61..<1 << 62, using: &draw)
            let tenths = Int64.random(in: 0...9, using: &draw)
            let factors: [(Int64, Int64)] = [(one, 1), (other, 1), (1, one), (1, other), (tenths, 10)]
            let (quotient, remainder) = Int64(10).dividingFullWidth(milliunits.multipliedFullWidth(by: tenths))

            var amount = ExactAmount(milliunits)
            for (over, under) in factors.shuffled(using: &draw) { amount.multiply(by: over, over: under) }

            #expect(amount.rounded == quotient + (remainder >= 5 ? 1 : 0), "\(milliunits) \(factors)")
        }
    }
}
