// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Testing

@testable import LandfallReports
@testable import LandfallRules

@Suite("Monthly recurring revenue", .timeLimit(.minutes(1)))
struct MonthlyRevenueTests {
    @Test(
        "is the price divided by the months of the period",
        arguments: [
            // 1,990 × 365 ÷ 84 = 8,647.02
            (7, 1_990, 8_647),
            (28, 9_990, 9_990), (29, 9_990, 9_990), (30, 9_990, 9_990), (31, 9_990, 9_990),
            (59, 15_000, 7_500), (61, 15_000, 7_500), (62, 15_000, 7_500),
            (89, 24_990, 8_330), (92, 24_990, 8_330),
            // 49,990 ÷ 6 = 8,331.67
            (181, 49_990, 8_332), (184, 49_990, 8_332),
            // 59,990 ÷ 12 = 4,999.17
            (365, 59_990, 4_999), (366, 59_990, 4_999),
            // Of no length that the App Store sells: 3,000 × 30.4375 ÷ 10 = 9,131.25, and 3,000 × 30.4375 ÷ 14 = 6,522.32
            (10, 3_000, 9_131), (14, 3_000, 6_522),
            // 3,000 × 30.4375 ÷ 27 = 3,381.94, and ÷ 32 = 2,853.52
            (27, 3_000, 3_382), (32, 3_000, 2_854),
        ] as [(Int64, Int64, Int64)])
    func periods(days: Int64, milliunits: Int64, monthly: Int64) throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0, days: days, milliunits: milliunits)
        let charge = try #require(chain.running.first), months = try #require(charge.months)

        #expect(Pricing(MoneyRules(), currency: "EUR").monthly(charge.terms, months: months) == monthly)
    }

    @Test("takes a month for one also when the clocks change meanwhile", arguments: [-3_600_000, 3_600_000] as [Int64])
    func clocks(shift: Int64) throws {
        let end = SoldChain.noon(31) + shift

        #expect(Charge.Fraction(monthsFrom: SoldChain.noon(0), to: end) == Charge.Fraction(numerator: 1, denominator: 1))
        #expect(Charge.Fraction(monthsFrom: SoldChain.noon(0), to: SoldChain.noon(7) + shift) == Charge.Fraction(numerator: 84, denominator: 365))
    }

    @Test("has no months where a period ends when it begins, or before")
    func empty() {
        #expect(Charge.Fraction(monthsFrom: 5, to: 5) == nil)
        #expect(Charge.Fraction(monthsFrom: 5, to: 4) == nil)
        #expect(Charge.Fraction(monthsFrom: .min, to: .max) == nil)
    }

    @Test("is rounded once: after the rate and the division")
    func rounding() throws {
        var rules = MoneyRules()
        rules.currency = "EUR"
        rules.rates = [RateDay(day: Int(SoldChain.monday), rates: ["USD": try #require(ExactDecimal("0.5"))])]
        var chain = SoldChain("1")
        // 11 × 0.5 = 5.5, and ÷ 12 = 0.46; rounded twice it would be 6 ÷ 12 = 0.5, so 1.
        chain.sell("1", on: 0, days: 365, milliunits: 11, currency: "USD")
        let charge = try #require(chain.running.first), months = try #require(charge.months)

        #expect(Pricing(rules).monthly(charge.terms, months: months) == 0)
    }

    @Test("lists what no rate converts, and counts its subscription")
    func unconverted() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0, milliunits: 1_500_000, currency: "JPY")
        chain.sell("2", on: 30, milliunits: 1_600_000, currency: "JPY")
        var counted = RevenueSubscriptions(try RevenueRequest(.subscriptions, 0...40), SoldChain.euros, nowMs: SoldChain.noon(100))
        for charge in chain.running { counted.add(charge, to: []) }

        let result = counted.result()

        #expect(result.totals.numbers[.active] == 1)
        #expect(result.totals.numbers[.mrrMilliunits] == 0)
        #expect(result.unconverted == [.init(currency: "JPY", grossMilliunits: 3_100_000, refundsMilliunits: 0)])
    }

    @Test("that is too large for a number is not known; nothing traps")
    func tooLarge() throws {
        var first = SoldChain("1"), second = SoldChain("2")
        first.sell("1", on: 0, milliunits: .max)
        second.sell("2", on: 1, milliunits: .max)

        func result(_ chains: [SoldChain], _ rules: MoneyRules = SoldChain.euros, by: [RevenueDimension] = [.day]) throws -> RevenueResult {
            var counted = RevenueSubscriptions(try RevenueRequest(.subscriptions, by: by, 0...10), rules, nowMs: SoldChain.noon(100), mostRows: 11)
            for (chain, product) in zip(chains, ["a", "b"]) {
                for charge in chain.running { counted.add(charge, to: by.contains(.product) ? [Array(product.utf8)] : []) }
            }
            return counted.result()
        }

        let one = try result([first]), both = try result([first, second]), other = try result([first, second], by: [.day, .product])
        #expect(one.totals.numbers[.mrrMilliunits] == .max && one.totals.numbers[.arrMilliunits] == nil)
        #expect(both.rows.map { $0.values.numbers[.mrrMilliunits] } == [.max] + [Int64?](repeating: nil, count: 10))
        #expect(other.rows.map { $0.values.numbers[.mrrMilliunits] } == [.max] + [Int64?](repeating: nil, count: 10))
        #expect(both.totals.numbers == [.active: 2, .trials: 0, .started: 2, .ended: 0])
        var dollars = MoneyRules()
        dollars.currency = "USD"
        #expect(try result([first, second], dollars).unconverted == [.init(currency: "EUR", grossMilliunits: .max, refundsMilliunits: 0)])
    }

    @Test("is in the only currency where none is configured, and in none where several are: each is listed then")
    func ownCurrency() throws {
        var yen = SoldChain("1"), dollars = SoldChain("2")
        yen.sell("1", on: 0, milliunits: 1_500_000, currency: "JPY")
        dollars.sell("2", on: 0, milliunits: 9_990, currency: "USD")

        func result(_ chains: [SoldChain]) throws -> RevenueResult {
            var counted = RevenueSubscriptions(try RevenueRequest(.subscriptions, 0...10), MoneyRules(), nowMs: SoldChain.noon(100))
            for charge in chains.flatMap(\.running) { counted.add(charge, to: []) }
            return counted.result()
        }

        let one = try result([yen]), both = try result([yen, dollars])
        #expect(one.currency == "JPY" && one.unconverted.isEmpty)
        #expect(one.totals.numbers[.mrrMilliunits] == 1_500_000)
        #expect(both.currency == nil && both.unconverted.map(\.currency) == ["JPY", "USD"])
        #expect(both.totals.numbers[.mrrMilliunits] == 0)
        #expect(both.totals.numbers[.active] == 2)
    }
}
