// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("What units paid", .timeLimit(.minutes(1)))
struct PaymentsTests {
    private static func payments(_ amounts: [Int64]) -> Payments {
        var payments = Payments()
        for amount in amounts { payments.count(.init(from: 0, to: amount)) }
        return payments
    }

    @Test("Sums are exact whatever the number of units: a million times ten cents is 100,000")
    func exact() throws {
        var payments = Payments()
        payments.count(.init(from: 0, to: 100), units: 1_000_000)

        #expect(payments.sum() == 100_000_000 && payments.payers == 1_000_000)
        let sample = try payments.sample(units: 2_000_000)
        #expect(sample.sum == 100_000 && sample.sumOfSquares == 10_000 && sample.mean == 0.05)
        #expect(sample.units == 2_000_000 && sample.conversions == 1_000_000)
    }

    @Test("A unit that pays again counts with its whole amount, and one that got everything back did not pay")
    func steps() throws {
        var payments = Self.payments([5_000, 9_990])
        payments.count(.init(from: 5_000, to: 12_000))
        payments.count(.init(from: 9_990, to: 0))
        payments.count(.init(from: 7, to: 7))

        let sample = try payments.sample(units: 3)
        #expect(sample.sum == 12 && sample.sumOfSquares == 144 && sample.conversions == 1)
        #expect(payments.amounts == [12_000: 1])
    }

    @Test("The cap bounds each unit's whole amount: the amount at its rank, and never below the highest price")
    func cap() throws {
        // Of 2,000 amounts the cap is the one at rank 1,998.
        let payments = Self.payments((1...2_000).map { Int64($0) })

        #expect(try payments.cap(highestPrice: 0) == 1_998 && payments.cap(highestPrice: 1_999) == 1_999)
        #expect(try Payments().cap(highestPrice: 9) == nil)
        // 1 + … + 1,998, and two units of 1,998.
        #expect(payments.sum(cap: 1_998) == 1_998 * 1_999 / 2 + 2 * 1_998)
        var again = Self.payments([60])
        again.count(.init(from: 60, to: 130))
        #expect(try again.sample(units: 1, cap: 100).sum == 0.1)
        #expect(try again.sample(units: 1, cap: 100).sumOfSquares == 0.01)
    }

    @Test("Without the payments of some units the rest remains, whichever steps they were counted in")
    func difference() throws {
        var all = Self.payments([5_000, 3_000])
        all.count(.init(from: 5_000, to: 9_000))

        all.add(Self.payments([9_000]), times: -1)

        let rest = try all.sample(units: 1)
        #expect(rest.sum == 3 && rest.sumOfSquares == 9 && rest.conversions == 1)
        #expect(all.amounts == [3_000: 1])
    }

    @Test("The largest amounts do not overflow")
    func largest() throws {
        var payments = Payments()
        payments.count(.init(from: 0, to: Payments.most), units: 10_000_000)

        #expect(try payments.sample(units: 10_000_000).mean == 1e12)
    }
}
