// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Spend of Apple Ads", .timeLimit(.minutes(2)))
struct AppleAdsSpendTests {
    @Test("of 90 days is read at first, to the milliunit, and equal for campaigns, ad groups and ads")
    func first() async throws {
        try await AdsBench.run { bench in
            let days = bench.today - 89...bench.today
            let said = bench.platform.milliunits(on: days)
            try await bench.work.look()

            #expect(said > 0)
            for kind in [AppleAdsKind.campaign, .adGroup, .ad] { #expect(try await bench.milliunits(kind, on: 0...100_000) == said) }
            // Apple hides deleted keywords, and an ad group still says what they cost.
            let keywords = try await bench.milliunits(.keyword, on: days)
            #expect(keywords > 0 && keywords < said)
            let rows = try await bench.spend.rows(.campaign, on: days)
            #expect(Set(rows.map(\.currency)) == ["USD"])
            #expect(Set(rows.map(\.country)) == ["DE", "JP", "US"])
            #expect(rows.allSatisfy { $0.taps > 0 && $0.impressions >= $0.taps && $0.installs <= $0.taps })
            let account = try #require(try await AppleAdsReportStore(bench.store.database, app: bench.app).accounts().first)
            #expect(account.oldestDay == days.lowerBound)
            #expect(account.readDay == bench.today)
        }
    }

    @Test("of the last days is replaced when Apple says more, and no day counts twice")
    func restated() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let days = bench.today - 2...bench.today
            let before = try await bench.milliunits(.campaign, on: days)

            bench.time.advance(.seconds(86_400))
            try await bench.work.look()

            let after = try await bench.milliunits(.campaign, on: days)
            #expect(after == bench.platform.milliunits(on: days))
            #expect(after > before)
            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == bench.platform.milliunits(on: bench.today - 90...bench.today))
        }
    }

    @Test("is read once a day, although names are read each hour")
    func daily() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let reports = bench.requests("/v1/reports/apps/campaigns/query")
            for _ in 0..<3 {
                bench.time.advance(.seconds(3_600))
                // The test's day has more than three hours left.
                try await bench.work.look()
            }

            #expect(reports == 5)
            #expect(bench.requests("/v1/reports/apps/campaigns/query") == reports)
            #expect(bench.requests("/v1/acls") == 4)
        }
    }

    @Test("that Apple says no more is forgotten in the restated days, and stays before them")
    func gone() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let today = bench.today
            // Apple's countries are others.
            let planted = [today - 28, today - 40].map { day in
                Statement(
                    """
                    INSERT INTO apple_ads_spend (app_id, kind, campaign_id, day, id, country, currency, milliunits, impressions, taps, installs, read_at_ms)
                    VALUES ($1, 'campaign', $2, $3, $2, 'FR', 'USD', 1, 1, 1, 1, 5)
                    """, [.text(bench.app.rawValue), .integer(AdsBench.campaign), .integer(Int64(day))])
            }
            _ = try await bench.store.database.write { try $0.batch(planted) }

            bench.time.advance(.seconds(86_400))
            try await bench.work.look()

            let french = try await bench.spend.rows(.campaign, on: 0...100_000).filter { $0.country == "FR" }
            #expect(french.map(\.day) == [today - 40])
        }
    }

    @Test("of campaigns for another app is not read")
    func other() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.promoted = "999"
        try await AdsBench.run(behaviour: behaviour) { bench in
            var configuration = Configuration.sample()
            configuration.app = App(id: bench.app, name: "Example", bundleID: "com.example.app", teamID: nil, scheme: "example", appStoreID: 111)
            configuration.appleAds = AdsBench.access(bench.platform)
            _ = bench.live.serve(Snapshot(configuration, revision: 2))

            try await bench.work.look()

            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == 0)
            #expect(try await bench.name(.campaign, AdsBench.campaign) == "Brand")
        }
    }

    @Test(
        "The days that are read reach back to all that Apple may have corrected since",
        arguments: [(nil, 90), (100, 30), (99, 30), (98, 31), (60, 69), (39, 90), (1, 90)] as [(Int?, Int)])
    func days(readDay: Int?, count: Int) {
        let days = AppleAdsRun.days(after: readDay, today: 100)

        #expect(days == 100 - count + 1...100)
    }

    @Test("A country is two letters, or Apple names none", arguments: [("DE", "DE"), ("de", "DE"), ("", "")])
    func countries(said: String, country: String) throws {
        #expect(try Self.row(country: said).days().map(\.country) == [country])
    }

    @Test("A row whose country is anything else is not understood", arguments: ["D", "DEU", "D1", "Ä", "1"])
    func noCountries(said: String) throws {
        let row = try Self.row(country: said)

        #expect(throws: AppleAdsTrouble(.unexpected, "Apple's report has a country that is not two letters.")) { try row.days() }
    }

    private static func row(country: String) throws -> AppleAdsReportRow {
        let json = """
            {"metadata":{"id":7,"countryOrRegion":"\(country)"},
            "granularMetrics":[{"date":"2026-09-21","localSpend":{"amount":"1","currency":"EUR"},"taps":1}]}
            """
        return try JSONDecoder().decode(AppleAdsReportRow.self, from: Data(json.utf8))
    }

    @Test(
        "An amount is read digit by digit",
        arguments: [
            ("0", 0), ("12.34", 12_340), ("0.005", 5), ("7.1", 7_100), ("1.2344", 1_234), ("1.2345", 1_235), ("-0.50", -500),
            ("999999999999.999", 999_999_999_999_999), ("9007199254.993", 9_007_199_254_993),
        ] as [(String, Int64)])
    func amounts(text: String, milliunits: Int64) {
        #expect(AppleAdsMoney.milliunits(of: text) == milliunits)
    }

    @Test("A text that is no amount is none", arguments: ["", "-", ".5", "5.", "1,5", "1e3", "1.2.3", " 1", "1000000000000", "--1", "１"])
    func noAmounts(text: String) {
        #expect(AppleAdsMoney.milliunits(of: text) == nil)
    }
}
