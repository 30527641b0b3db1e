// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Revenue", .timeLimit(.minutes(1)))
struct RevenueReportTests {
    /// Purchases, gross, paid back, net, proceeds, upgrade credit, trials started, trials paid, refunds.
    private static let totals: [Int64?] = [24, 208_687, 13_986, 194_701, 130_269, 3_330, 2, 1, 2]

    @Test("by source is what a hand counts: rates, tax and commission of the day, refunds, trials, before and unknown")
    func bySource() async throws {
        let document = try await RevenueStory.written().report(by: [.source])

        #expect(document.rows.map { $0.key["source"] } == ["unknown", "link", "apple_search_ads", "tenjin", "before"])
        #expect(
            document.rows.map(\.values.list) == [
                [4, 80_890, 0, 80_890, 56_623, 3_330, 0, 0, 0],
                // 49.99 € × 1.10 and 9.99 € × 1.20; the first before, the second after Apple's share changed in Germany.
                [2, 66_977, 3_996, 62_981, 37_316, 0, 0, 0, 1],
                [14, 43_860, 9_990, 33_870, 23_709, 0, 1, 1, 1],
                [3, 11_970, 0, 11_970, 8_379, 0, 1, 0, 0],
                // 85 % of 4.99 is 4.2415.
                [1, 4_990, 0, 4_990, 4_242, 0, 0, 0, 0],
            ])
        #expect(document.totals.list == Self.totals)
        #expect(document.erased.list == [2, 3_980, 0, 3_980, 2_786, 0, 1, 0, 0])
        #expect(document.unconverted == [.init(currency: "GBP", grossMilliunits: 5_000, refundsMilliunits: 2_500)])
        #expect(document.currency == "USD" && document.timeZone == "UTC" && document.verified == nil)
        #expect(document.from == "2026-09-01" && document.to == "2026-09-30")
    }

    @Test("adds up to the same by every field, and by all of them", arguments: RevenueDimension.allCases.map { [$0] } + [[], RevenueDimension.allCases])
    func sums(by: [RevenueDimension]) async throws {
        let document = try await RevenueStory.written().report(by: by)

        #expect(document.totals.list == Self.totals)
        for (place, total) in Self.totals.enumerated() {
            #expect(document.rows.map { $0.values.list[place] ?? 0 }.reduce(0, +) == total)
        }
    }

    @Test("filtered by the key of a row is what the row is, in rows by other fields too", arguments: RevenueDimension.allCases.filter { $0 != .day })
    func filtered(field: RevenueDimension) async throws {
        let store = try await RevenueStory.written()

        for row in try await store.report(by: [field]).rows {
            let filters = [field: try #require(row.key[field.rawValue])]
            let document = try await store.report(by: [.day, .source], filters: filters)

            #expect(document.totals.list == row.values.list, "\(filters)")
            for place in Self.totals.indices {
                #expect(document.rows.map { $0.values.list[place] ?? 0 }.reduce(0, +) == row.values.list[place])
            }
        }
        #expect(try await store.report(by: [field], filters: [field: "toaster"]).rows.isEmpty)
    }

    @Test("has the keys of Apple Ads, of links, and of the paywall that sold")
    func keys() async throws {
        let document = try await RevenueStory.written().report(by: [.source, .campaign, .adGroup, .keyword, .link, .placement, .paywall, .variation])

        let keys = document.rows.map { row in document.by.map { row.key[$0] ?? "" } }
        let unknown = "unknown", before = "before"
        #expect(
            Set(keys) == [
                ["apple_search_ads", "542370539", "7", "8", unknown, "onboarding", "special", "B"],
                ["apple_search_ads", "542370539", "7", "8", unknown, unknown, unknown, unknown],
                ["link", "summer", unknown, unknown, "go.example/beach", unknown, unknown, unknown],
                ["tenjin", "spring", unknown, unknown, unknown, unknown, unknown, unknown],
                ["tenjin", unknown, unknown, unknown, unknown, unknown, unknown, unknown],
                [unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown],
                [before, before, before, before, before, unknown, unknown, unknown],
            ])
    }

    @Test("counts a refund on the day of its purchase, or on its own")
    func views() async throws {
        let store = try await RevenueStory.written()

        let day = try await store.report(by: [], 16...16)
        let early = try await store.report(.booking, by: [], 1...19), late = try await store.report(.booking, by: [], 20...30)

        #expect(day.totals.list == [1, 9_990, 9_990, 0, 0, 0, 0, 0, 1])
        #expect(early.totals.list == [23, 148_697, 0, 148_697, 97_754, 3_330, 2, 1, 0])
        #expect(early.unconverted == [.init(currency: "GBP", grossMilliunits: 5_000, refundsMilliunits: 2_500)])
        #expect(late.totals.list == [1, 59_990, 13_986, 46_004, 32_515, 0, 0, 0, 2])
        #expect(try await store.report(.booking, by: []).totals.list == Self.totals)
    }

    @Test("comes by day, then the largest net first")
    func order() async throws {
        let document = try await RevenueStory.written().report(.booking, by: [.source, .day], 9...20)

        #expect(
            document.rows.map { [$0.key["day"], $0.key["source"]] } == [
                ["2026-09-09", "apple_search_ads"], ["2026-09-09", "tenjin"], ["2026-09-10", "link"], ["2026-09-12", "link"],
                ["2026-09-13", "unknown"], ["2026-09-14", "unknown"], ["2026-09-16", "apple_search_ads"],
                ["2026-09-20", "unknown"], ["2026-09-20", "apple_search_ads"],
            ])
        #expect(document.rows.last?.values.list == [0, 0, 9_990, -9_990, -6_993, 0, 0, 0, 1])
    }

    @Test("is the same in pages of any size", arguments: [1, 2, 7], [RevenueView.purchase, .booking])
    func pages(page: Int, view: RevenueView) async throws {
        let store = try await RevenueStory.written(), by = RevenueDimension.allCases

        #expect(try await store.report(view, by: by, page: page) == store.report(view, by: by))
    }

    @Test("counts the refunds of one transaction once a day")
    func seats() async throws {
        let store = try await RevenueStore()
        try await store.chain("1")
        try await store.charge("1", of: "1", on: 2, 100_000)
        for (number, day) in [(1, 15), (2, 16)] as [(Int64, Int64)] {
            try await store.charge("1", of: "1", .seatRefund, on: 2, booked: day, 30_000, number: number)
        }
        try await store.charge("1", of: "1", .refund, on: 2, booked: 17, 40_000)

        let purchases = try await store.report(by: []), bookings = try await store.report(.booking, by: [.day])

        #expect(purchases.totals.numbers[.refunds] == 1 && purchases.totals.numbers[.refundsMilliunits] == 100_000)
        #expect(bookings.rows.map { $0.values.numbers[.refunds] } == [0, 1, 1, 1])
        #expect(bookings.rows.map { $0.values.numbers[.refundsMilliunits] } == [0, 30_000, 30_000, 40_000])
    }

    @Test("is of one app: another one with the same chains has its own")
    func apps() async throws {
        let store = try await RevenueStory.written()
        var other = store
        other.app = AppID("com.example.other")
        try await other.chain("1", by: RevenueStory.maya)
        try await other.charge("11", of: "1", on: 9, 1_000)

        let (own, others) = (try await store.report(by: [.source]), try await other.report(by: [.source]))

        #expect(own.totals.list == Self.totals)
        // Maya's phone is not one of that app's.
        #expect(others.rows.map(\.key) == [["source": "unknown"]] && others.totals.numbers[.grossMilliunits] == 1_000)
    }

    @Test("is not read to the end for a caller who has gone")
    func cancelled() async throws {
        let store = try await RevenueStory.written()

        let answer = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.report(by: [.source])
        }.result

        #expect(throws: CancellationError.self) { try answer.get() }
    }

    @Test(
        "is on PostgreSQL byte for byte what it is in SQLite",
        .enabled(if: !TestEngine.isEmbedded, "LANDFALL_TEST_DATABASE names no PostgreSQL"))
    func engines() async throws {
        let here = try await RevenueStory.written(), embedded = try await RevenueStory.written(isEmbedded: true)

        for view in [RevenueView.purchase, .booking] {
            for by in [[.source], [.day, .campaign, .link], RevenueDimension.allCases] as [[RevenueDimension]] {
                let (one, other) = (try await here.report(view, by: by), try await embedded.report(view, by: by))
                #expect(try WireCoding.encode(one) == WireCoding.encode(other))
            }
        }
    }
}

@Suite("The next report of revenue", .timeLimit(.minutes(1)))
struct RevenueMoveTests {
    @Test("is by the rates of then: those of days long ago too, and of currencies that had none")
    func rates() async throws {
        let store = try await RevenueStory.written()

        let dearer = try await store.report(by: [.currency], 1...30, RevenueStory.rules(euro: "2.00", pound: "1.30"))

        let gross = Dictionary(uniqueKeysWithValues: dearer.rows.map { ($0.key["currency"], $0.values.numbers[.grossMilliunits]) })
        // 99.98 and 11.988 from euros; 6.50 from pounds.
        #expect(gross == ["USD": 133_790, "EUR": 111_968, "JPY": 7_920, "GBP": 6_500, "unknown": 0])
        #expect(dearer.unconverted.isEmpty)
    }

    @Test("has the money of an install whose source became known where it belongs; the totals stay")
    func attribution() async throws {
        let store = try await RevenueStory.written(), before = try await store.report(by: [.source])

        try await store.fact(RevenueStory.noor, "adjust", campaign: "late", on: 25)
        let after = try await store.report(by: [.source])

        let gross = Dictionary(uniqueKeysWithValues: after.rows.map { ($0.key["source"], $0.values.numbers[.grossMilliunits]) })
        #expect(gross["unknown"] == 2_990 && gross["adjust"] == 77_900)
        #expect(after.totals == before.totals)
    }

    @Test("knows the paywall of a purchase as soon as its exposure has come")
    func exposure() async throws {
        let store = try await RevenueStory.written()
        func paywalls() async throws -> [String?] {
            try await store.report(by: [.paywall], 10...10).rows.map { $0.key["paywall"] }
        }
        let before = try await paywalls()

        var shown = Event(id: RevenueStory.exposure, type: .paywallShown, ageMilliseconds: 0)
        (shown.placement, shown.paywall) = ("onboarding", PaywallID("default"))
        _ = try await store.store.events.record(EventBatch(events: [shown]), TestStore.app, RevenueStory.omar, nowMs: RevenueStore.ms(11))

        #expect(before == ["unknown"])
        #expect(try await paywalls() == ["default"])
    }
}
