// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("Cohorts", .timeLimit(.minutes(1)))
struct CohortTests {
    private static let maya = InstallKey(InstallID("0199b0a0-0000-7000-8000-000000000001"))!
    private static let omar = InstallKey(InstallID("0199b0a0-0000-7000-8000-000000000002"))!
    private static let lena = InstallKey(InstallID("0199b0a0-0000-7000-8000-000000000003"))!

    private func cohorts(
        by: [RevenueDimension]? = nil, days: ClosedRange<Int64> = 0...2, now: Int64 = 500, knowsInstalls: Bool = true
    ) throws -> RevenueCohorts {
        try RevenueCohorts(
            RevenueRequest(.cohorts, by: by, days), SoldChain.euros, knowsInstalls: knowsInstalls, nowMs: SoldChain.noon(now))
    }

    private func day(_ number: Int64, _ result: RevenueResult) throws -> RevenueValues {
        try #require(result.rows.first { $0.key["day"] == ReportDays.text(SoldChain.monday + number) }).values
    }

    private func pay(_ chain: SoldChain, by bringer: RevenueCohorts.Bringer, in cohorts: inout RevenueCohorts) {
        for charge in chain.charges { cohorts.add(Pricing.Terms(charge), purchasedAtMs: charge.purchasedAtMs, by: bringer) }
    }

    @Test("add up what was bought within so many times 24 hours after the first open")
    func ages() throws {
        var cohorts = try cohorts(), chain = SoldChain("1")
        try cohorts.open(Self.maya, openedAtMs: SoldChain.noon(0), key: [])
        // Exactly 7 days after the first open, a millisecond more, then on the days 30, 90, 365 and 366.
        chain.sell("1", on: 7, milliunits: 1)
        chain.sell("2", on: 7, milliunits: 20) { $0.purchaseDateMs = SoldChain.noon(7) + 1 }
        for (place, number) in [30, 90, 365, 366].enumerated() { chain.sell("\(place + 3)", on: Int64(number), milliunits: [300, 4_000, 50_000, 600_000][place]) }
        pay(chain, by: .install(Self.maya), in: &cohorts)

        let values = try day(0, cohorts.result())

        #expect(values.numbers[.installs] == 1)
        #expect(values.numbers[.payers] == 1)
        #expect(values.numbers[.day7Milliunits] == 1)
        #expect(values.numbers[.day30Milliunits] == 321)
        #expect(values.numbers[.day90Milliunits] == 4_321)
        #expect(values.numbers[.day365Milliunits] == 54_321)
        #expect(values.numbers[.spendMilliunits] == nil)
        #expect(values.ratios[.roas] == nil)
    }

    @Test("lack what came back, also long after")
    func refunds() throws {
        var cohorts = try cohorts(), chain = SoldChain("1")
        try cohorts.open(Self.maya, openedAtMs: SoldChain.noon(0), key: [])
        chain.sell("1", on: 1, milliunits: 9_990) { payload in
            payload.revocationDateMs = SoldChain.noon(25)
            (payload.revocationType, payload.revocationPercentage) = (.prorated, 50_000)
        }
        pay(chain, by: .install(Self.maya), in: &cohorts)

        let values = try day(0, cohorts.result())

        #expect(values.numbers[.day7Milliunits] == 4_995)
        #expect(values.numbers[.payers] == 1)
    }

    @Test("do not know a sum before the youngest install of the row is old enough")
    func immature() throws {
        var cohorts = try cohorts(now: 31)
        try cohorts.open(Self.maya, openedAtMs: SoldChain.noon(0), key: [])
        try cohorts.open(Self.omar, openedAtMs: SoldChain.noon(1), key: [])
        try cohorts.open(Self.lena, openedAtMs: SoldChain.noon(1) + 1, key: [])

        let result = cohorts.result()

        #expect(try day(0, result).numbers == [.installs: 1, .payers: 0, .day7Milliunits: 0, .day30Milliunits: 0])
        // One of the two is a millisecond too young.
        #expect(try day(1, result).numbers == [.installs: 2, .payers: 0, .day7Milliunits: 0])
        #expect(try day(2, result).numbers == [.installs: 0, .payers: 0, .day7Milliunits: 0])
        #expect(result.totals.numbers == [.installs: 3, .payers: 0, .day7Milliunits: 0])
    }

    @Test("count who paid once, and nobody for a free trial")
    func payers() throws {
        var cohorts = try cohorts(), first = SoldChain("1"), second = SoldChain("2"), free = SoldChain("3")
        for install in [Self.maya, Self.omar, Self.lena] { try cohorts.open(install, openedAtMs: SoldChain.noon(0), key: []) }
        first.sell("1", on: 0)
        first.sell("2", on: 30)
        second.sell("3", on: 3, milliunits: 5_000)
        free.tryFree("4", on: 0)

        pay(first, by: .install(Self.maya), in: &cohorts)
        pay(second, by: .install(Self.maya), in: &cohorts)
        pay(free, by: .install(Self.omar), in: &cohorts)

        let values = try day(0, cohorts.result())
        #expect(values.numbers[.installs] == 3)
        #expect(values.numbers[.payers] == 1)
        #expect(values.numbers[.day30Milliunits] == 24_980)
    }

    @Test("are weeks from Monday above 31 days, of which the first may begin before the first day")
    func weeks() throws {
        var cohorts = try cohorts(days: 2...40)
        for (install, number) in [(Self.maya, 3), (Self.omar, 6), (Self.lena, 7)] as [(InstallKey, Int64)] {
            try cohorts.open(install, openedAtMs: SoldChain.noon(number), key: [])
        }

        let result = cohorts.result()

        #expect(result.rows.map { $0.key["day"] } == stride(from: 0, through: 35, by: 7).map { ReportDays.text(SoldChain.monday + $0) })
        #expect(result.rows.map { $0.values.numbers[.installs] } == [2, 1, 0, 0, 0, 0])
        #expect(ReportDays.text(SoldChain.monday) == "2024-10-07")
    }

    @Test("keep the money of an install that is deleted; the number of installs is not known then")
    func expired() throws {
        var cohorts = try cohorts(knowsInstalls: false), chain = SoldChain("1")
        chain.sell("1", on: 1)
        let gone = RevenueCohorts.Bringer.expired(chain: chain.id.description, openedAtMs: SoldChain.noon(0), key: [])
        let other = RevenueCohorts.Bringer.expired(chain: "2", openedAtMs: SoldChain.noon(-1), key: [])

        pay(chain, by: gone, in: &cohorts)
        pay(chain, by: other, in: &cohorts)

        let values = try day(0, cohorts.result())
        #expect(values.numbers[.installs] == nil)
        #expect(values.numbers[.payers] == 1)
        #expect(values.numbers[.day7Milliunits] == 9_990)
        #expect(cohorts.result().totals.numbers[.day7Milliunits] == 9_990)
    }

    @Test("leave out what an install brought that is not counted, such as a test device's")
    func uncounted() throws {
        var cohorts = try cohorts(), chain = SoldChain("1")
        chain.sell("1", on: 1)

        pay(chain, by: .install(Self.omar), in: &cohorts)

        #expect(cohorts.result().totals.numbers[.payers] == 0)
        #expect(cohorts.result().totals.numbers[.day7Milliunits] == 0)
    }

    @Test("divide the proceeds so far by the spend, where it is known")
    func spend() throws {
        var cohorts = try cohorts(by: [.campaign]), chain = SoldChain("1")
        let summer = Array("summer".utf8), winter = Array("winter".utf8)
        try cohorts.open(Self.maya, openedAtMs: SoldChain.noon(0), key: [summer])
        try cohorts.open(Self.omar, openedAtMs: SoldChain.noon(0), key: [winter])
        chain.sell("1", on: 400, milliunits: 9_990)
        pay(chain, by: .install(Self.maya), in: &cohorts)

        let result = cohorts.result { days, key in
            days == SoldChain.monday...SoldChain.monday + 2 && key[.campaign] == summer ? 10_000 : nil
        }

        let rows = Dictionary(uniqueKeysWithValues: result.rows.map { ($0.key["campaign"], $0.values) })
        #expect(rows["summer"]?.numbers[.spendMilliunits] == 10_000)
        // 9,990 without 30 % is 6,993.
        #expect(rows["summer"]?.ratios[.roas] == 6_993.0 / 10_000)
        #expect(rows["winter"]?.numbers[.spendMilliunits] == nil)
        #expect(result.rows.allSatisfy { $0.key["day"] == nil })
    }

    @Test("divide their first opens by Apple's installs, where these are known, above zero, and no first open is deleted")
    func coverage() throws {
        for (knows, brought, coverage) in [(true, 4, 0.5), (true, 0, nil), (true, nil, nil), (false, 4, nil)] as [(Bool, Int64?, Double?)] {
            let request = try RevenueRequest(.cohorts, by: [.campaign], 0...2)
            var cohorts = try RevenueCohorts(request, SoldChain.euros, knowsInstalls: knows, nowMs: SoldChain.noon(20))
            for install in [Self.maya, Self.omar] { try cohorts.open(install, openedAtMs: SoldChain.noon(0), key: [Array("7".utf8)]) }

            let result = cohorts.result(brought: { _, key in key.isEmpty ? nil : brought })

            #expect(result.rows.map(\.values.ratios[.coverage]) == [coverage])
            #expect(result.totals.ratios[.coverage] == nil)
        }
    }

    @Test("do not know a sum that is too large for a number; nothing traps")
    func tooLarge() throws {
        var cohorts = try cohorts(), first = SoldChain("1"), second = SoldChain("2")
        for (install, number) in [(Self.maya, 0), (Self.omar, 0), (Self.lena, 1)] as [(InstallKey, Int64)] {
            try cohorts.open(install, openedAtMs: SoldChain.noon(number), key: [])
        }
        first.sell("1", on: 1, milliunits: .max)
        second.sell("2", on: 20, milliunits: .max)
        pay(first, by: .install(Self.maya), in: &cohorts)
        pay(second, by: .install(Self.omar), in: &cohorts)
        pay(second, by: .install(Self.lena), in: &cohorts)

        let result = cohorts.result { _, _ in 10_000 }

        let values = try day(0, result)
        #expect(values.numbers[.day7Milliunits] == .max)
        #expect(values.numbers[.day30Milliunits] == nil)
        // Twice the largest number without 30 %.
        #expect(try #require(values.ratios[.roas]) > 0.6 * 2 * Double(Int64.max) / 10_000)
        #expect(try day(1, result).numbers[.day30Milliunits] == .max)
        #expect(result.totals.numbers == [.installs: 3, .payers: 3, .day7Milliunits: .max, .spendMilliunits: 10_000])
    }

    @Test("have the rows with the most installs, and one for the others")
    func other() throws {
        let request = try RevenueRequest(.cohorts, by: [.campaign], 0...2)
        var cohorts = try RevenueCohorts(request, SoldChain.euros, knowsInstalls: true, nowMs: SoldChain.noon(20), mostRows: 3), number = 0
        for (campaign, count) in [("d", 1), ("b", 2), ("c", 1), ("a", 3)] {
            for _ in 0..<count {
                number += 1
                let install = try #require(InstallKey(InstallID("0199b0a0-0000-7000-8000-00000000001\(number)")))
                try cohorts.open(install, openedAtMs: SoldChain.noon(0), key: [Array(campaign.utf8)])
            }
        }

        let result = cohorts.result()

        #expect(result.rows.map { $0.key["campaign"] } == ["a", "b", "other"])
        #expect(result.rows.map { $0.values.numbers[.installs] } == [3, 2, 2])
        #expect(result.totals.numbers == [.installs: 7, .payers: 0, .day7Milliunits: 0])
    }

    @Test("have only dimensions that are known at the first open")
    func dimensions() throws {
        #expect(throws: ReportError.dimensions(known: ["day", "source", "channel", "campaign", "adGroup", "keyword", "link"])) {
            try cohorts(by: [.day, .product])
        }
    }
}
