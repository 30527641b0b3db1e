// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Testing

@testable import LandfallReports
@testable import LandfallRules

@Suite("Subscriptions by day", .timeLimit(.minutes(1)))
struct SubscriptionDaysTests {
    private func result(
        _ chains: SoldChain..., by: [RevenueDimension]? = nil, days: ClosedRange<Int64>, now: Int64 = 1_000
    ) throws -> RevenueResult {
        let request = try RevenueRequest(.subscriptions, by: by, days)
        var counted = RevenueSubscriptions(request, SoldChain.euros, nowMs: SoldChain.noon(now))
        for chain in chains {
            for charge in chain.charges {
                guard let running = RunningCharge(DatedCharge(charge, of: chain.id)) else { continue }
                counted.add(running, to: request.by.contains(.product) ? [Array(charge.productID.utf8)] : [])
            }
        }
        return counted.result()
    }

    private func day(_ number: Int64, _ result: RevenueResult, product: String? = nil) throws -> RevenueValues {
        var key = ["day": ReportDays.text(SoldChain.monday + number)]
        key["product"] = product
        return try #require(result.rows.first { $0.key == key }).values
    }

    @Test("counts a subscription from the day of its purchase to the day before its service ends")
    func plain() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 2, days: 30)

        let result = try result(chain, days: 0...40)

        #expect(result.rows.count == 41)
        for number in 0...40 as ClosedRange<Int64> {
            let values = try day(number, result), isActive = (2...31).contains(number)
            #expect(values.numbers[.active] == (isActive ? 1 : 0), "day \(number)")
            #expect(values.numbers[.mrrMilliunits] == (isActive ? 9_990 : 0), "day \(number)")
            #expect(values.numbers[.arrMilliunits] == (isActive ? 119_880 : 0), "day \(number)")
            #expect(values.numbers[.started] == (number == 2 ? 1 : 0), "day \(number)")
            #expect(values.numbers[.ended] == (number == 32 ? 1 : 0), "day \(number)")
            #expect(values.ratios[.churn] == ((3...31).contains(number) ? 0 : number == 32 ? 1 : nil), "day \(number)")
        }
        #expect(result.totals.numbers == [.active: 0, .trials: 0, .mrrMilliunits: 0, .arrMilliunits: 0, .started: 1, .ended: 1])
        #expect(result.totals.ratios[.churn] == nil)
    }

    @Test("goes on through grace, and ends with it")
    func grace() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0, days: 30)
        chain.fail(on: 30, graceUntil: 46)

        let result = try result(chain, days: 28...50)

        #expect(try day(30, result).numbers[.active] == 1)
        #expect(try day(45, result).numbers[.active] == 1)
        #expect(try day(45, result).numbers[.mrrMilliunits] == 9_990)
        #expect(try day(46, result).numbers[.active] == 0)
        #expect(try day(46, result).numbers[.ended] == 1)
        #expect(result.totals.numbers[.ended] == 1)
        #expect(result.totals.ratios[.churn] == 1)
    }

    @Test("counts a free trial apart, and starts with the first payment")
    func trial() throws {
        var chain = SoldChain("1")
        chain.tryFree("1", on: 0, days: 7)
        chain.sell("2", on: 7)

        let result = try result(chain, days: 0...20)

        #expect(try (0...8).map { try day($0, result).numbers[.trials] } == [1, 1, 1, 1, 1, 1, 1, 0, 0])
        #expect(try (0...8).map { try day($0, result).numbers[.active] } == [0, 0, 0, 0, 0, 0, 0, 1, 1])
        #expect(try day(6, result).numbers[.mrrMilliunits] == 0)
        #expect(try day(7, result).numbers[.started] == 1)
        #expect(try day(7, result).numbers[.ended] == 0)
        #expect(try day(7, result).ratios[.churn] == nil)
    }

    @Test("is not ended and started by a renewal")
    func renewal() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0)
        chain.sell("2", on: 30)

        let result = try result(chain, days: 0...50)

        #expect(result.rows.allSatisfy { $0.values.numbers[.active] == 1 && $0.values.numbers[.ended] == 0 })
        #expect(result.totals.numbers[.started] == 1)
        #expect(result.totals.numbers[.mrrMilliunits] == 9_990)
    }

    @Test("is one subscription through an upgrade, with the new price from that day on; by product one ends and one starts")
    func upgrade() throws {
        var chain = SoldChain("1")
        chain.sell("1", "month", on: 0)
        chain.sell("2", "year", on: 10, days: 365, milliunits: 59_990)

        let all = try result(chain, days: 0...20), products = try result(chain, by: [.day, .product], days: 0...20)

        #expect(all.rows.allSatisfy { $0.values.numbers[.active] == 1 && $0.values.numbers[.ended] == 0 })
        #expect(try day(9, all).numbers[.mrrMilliunits] == 9_990)
        // 59,990 ÷ 12 = 4,999.17
        #expect(try day(10, all).numbers[.mrrMilliunits] == 4_999)
        #expect(try day(10, all).numbers[.arrMilliunits] == 59_988)
        #expect(try day(10, products, product: "month").numbers[.ended] == 1)
        #expect(try day(10, products, product: "month").ratios[.churn] == 1)
        #expect(try day(10, products, product: "year").numbers[.started] == 1)
        #expect(!products.rows.contains { $0.key["product"] == "month" && $0.key["day"] == ReportDays.text(SoldChain.monday + 11) })
        for totals in [all.totals, products.totals] {
            #expect(totals.numbers[.active] == 1)
            #expect(totals.numbers[.started] == 1)
            #expect(totals.numbers[.ended] == 0)
        }
    }

    @Test("ends on the day of its refund")
    func refund() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0) { $0.revocationDateMs = SoldChain.noon(5) }

        let result = try result(chain, days: 0...8)

        #expect(result.rows.map { $0.values.numbers[.active] } == [1, 1, 1, 1, 1, 0, 0, 0, 0])
        #expect(try day(5, result).numbers[.ended] == 1)
        #expect(result.totals.numbers[.mrrMilliunits] == 0)
    }

    @Test("knows who was active before the first day: churn is a part of them")
    func churn() throws {
        let chains = (0..<4).map { number in
            var chain = SoldChain("\(number)")
            // Three end on day 10, 11 and 12; the fourth goes on.
            chain.sell("\(number)", on: Int64(number) - 20, days: number == 3 ? 365 : 30)
            return chain
        }

        let result = try result(chains[0], chains[1], chains[2], chains[3], days: 10...13)

        #expect(result.rows.map { $0.values.numbers[.active] } == [3, 2, 1, 1])
        #expect(result.rows.map { $0.values.numbers[.ended] } == [1, 1, 1, 0])
        #expect(result.rows.map { $0.values.numbers[.started] } == [0, 0, 0, 0])
        let churn: [Double?] = [0.25, 1.0 / 3, 0.5, 0]
        #expect(result.rows.map { $0.values.ratios[.churn] } == churn)
        #expect(result.totals.ratios[.churn] == 0.75)
    }

    @Test("counts seats that were added within their subscription, and their price with it")
    func seats() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0, days: 30, milliunits: 50_000)
        chain.sell("2", on: 1, days: 29, milliunits: 9_000) { $0.additionalReason = .seatAddition }

        let result = try result(chain, days: 0...31)

        #expect(try day(0, result).numbers[.mrrMilliunits] == 50_000)
        #expect(try day(1, result).numbers[.mrrMilliunits] == 59_000)
        #expect(result.rows.prefix(30).allSatisfy { $0.values.numbers[.active] == 1 })
        #expect(result.totals.numbers[.started] == 1)
        #expect(result.totals.numbers[.ended] == 1)
    }

    @Test("counts today what runs now, and no later day")
    func today() throws {
        var ending = SoldChain("1"), coming = SoldChain("2")
        // Until six in the evening; the next one is signed a day before it begins.
        ending.sell("1", on: -30) { $0.expiresDateMs = SoldChain.noon(0) + SoldChain.day / 4 }
        coming.sell("2", on: 1)

        let result = try result(ending, coming, days: -1...5, now: 0)

        #expect(result.rows.map { $0.values.numbers[.active] } == [1, 1])
        #expect(result.rows.last?.key["day"] == ReportDays.text(SoldChain.monday))
        #expect(result.totals.numbers[.active] == 1)
        #expect(result.totals.numbers[.ended] == 0)
    }

    @Test("of days that have not begun has no row")
    func future() throws {
        var chain = SoldChain("1")
        chain.sell("1", on: 0)

        let result = try result(chain, days: 3...5, now: 2)

        #expect(result.rows.isEmpty)
        #expect(result.totals.numbers[.started] == 0)
    }

    @Test("has the largest rows of each day, and one for the others")
    func other() throws {
        let request = try RevenueRequest(.subscriptions, by: [.day, .product], 0...1)
        var counted = RevenueSubscriptions(request, SoldChain.euros, nowMs: SoldChain.noon(100), mostRows: 6), number = 0
        for (product, count) in [("d", 1), ("b", 2), ("c", 1), ("a", 3)] {
            for _ in 0..<count {
                number += 1
                var chain = SoldChain("\(number)")
                chain.sell("\(number)", product, on: -1)
                for charge in chain.running { counted.add(charge, to: [Array(product.utf8)]) }
            }
        }

        let result = counted.result()

        #expect(result.rows.map { $0.key["product"] } == ["a", "b", "other", "a", "b", "other"])
        #expect(result.rows.map { $0.values.numbers[.active] } == [3, 2, 2, 3, 2, 2])
        #expect(result.rows.map { $0.values.numbers[.mrrMilliunits] } == [29_970, 19_980, 19_980, 29_970, 19_980, 19_980])
        #expect(result.totals.numbers[.active] == 7)
    }

    @Test("agrees with a count day by day", arguments: 0..<20 as Range<UInt64>)
    func counted(seed: UInt64) throws {
        var random = SeededRandom(seed: seed), chains: [SoldChain] = []
        for number in 0..<30 {
            var chain = SoldChain("\(number)"), begin = Int64.random(in: -60..<60, using: &random)
            for transaction in 0...Int.random(in: 0..<5, using: &random) {
                let days: Int64 = [7, 30, 365][Int.random(in: 0..<3, using: &random)], used = Int64.random(in: 0..<days, using: &random)
                let revokedAtMs = Int.random(in: 0..<5, using: &random) == 0 ? SoldChain.noon(begin + used) : nil
                chain.sell("\(number)-\(transaction)", on: begin, days: days) { $0.revocationDateMs = revokedAtMs }
                begin += Bool.random(using: &random) ? days : Int64.random(in: 0..<2 * days, using: &random)
            }
            chains.append(chain)
        }
        let request = try RevenueRequest(.subscriptions, 0...60)
        var counted = RevenueSubscriptions(request, SoldChain.euros, nowMs: SoldChain.noon(1_000))
        let running = chains.flatMap(\.running)
        // The order of the store: chains take turns.
        for charge in running.sorted(by: { $0.purchasedAtMs < $1.purchasedAtMs }) { counted.add(charge, to: []) }

        let result = counted.result()

        func active(_ number: Int64) -> Set<String> {
            let lastMs = (SoldChain.monday + number + 1) * SoldChain.day - 1
            return Set(running.filter { $0.purchasedAtMs <= lastMs && lastMs < $0.serviceEndsAtMs }.map(\.chain))
        }
        for number in 0...60 as ClosedRange<Int64> {
            let values = try day(number, result), before = active(number - 1), now = active(number)
            #expect(values.numbers[.active] == Int64(now.count), "seed \(seed), day \(number)")
            #expect(values.numbers[.started] == Int64(now.subtracting(before).count), "seed \(seed), day \(number)")
            #expect(values.numbers[.ended] == Int64(before.subtracting(now).count), "seed \(seed), day \(number)")
        }
    }
}
