// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What Apple Ads cost for a cohort", .timeLimit(.minutes(1)))
struct AdSpendTests {
    private static let monday = SoldChain.monday

    /// Two days of campaign 7 with its ad group 70, and a day of campaign 8, in dollars of 0.50. Each brought ten installs a day.
    /// - Parameter more: what campaigns cost besides, in euros.
    private func spend(
        by: [RevenueDimension], rate: String? = "0.5", days: ClosedRange<Int64> = 0...1, more: [(campaign: Int64, day: Int64, milliunits: Int64)] = [],
        filters: [RevenueDimension: String] = [:]
    ) async throws -> AdSpend {
        let store = try await TestStore()
        try await store.database.write { connection in
            let rows: [(String, Int64, Int64, Int64, Int64, String)] = [
                ("campaign", 7, 0, 7, 5_000, "EUR"), ("campaign", 7, 1, 7, 3_000, "EUR"), ("campaign", 8, 1, 8, 1_001, "USD"),
                ("adGroup", 7, 0, 70, 4_000, "EUR"), ("adGroup", 7, 1, 70, 2_000, "EUR"),
            ]
            let others = more.map { ("campaign", $0.campaign, $0.day, $0.campaign, $0.milliunits, "EUR") }
            for (kind, campaign, day, id, milliunits, currency) in rows + others {
                try connection.run(
                    """
                    INSERT INTO apple_ads_spend (
                      app_id, kind, campaign_id, day, id, country, currency, milliunits, impressions, taps, installs, read_at_ms
                    )
                    VALUES ($1, $2, $3, $4, $5, 'DE', $6, $7, 0, 0, 10, 0)
                    """,
                    [
                        .text(TestStore.app.rawValue), .text(kind), .integer(campaign), .integer(Self.monday + day), .integer(id), .text(currency),
                        .integer(milliunits),
                    ])
            }
        }
        var rules = SoldChain.euros
        if let rate { rules.rates = [RateDay(day: Int(Self.monday), rates: ["USD": try #require(ExactDecimal(rate))])] }
        var request = try RevenueRequest(.cohorts, by: by, days)
        request.filters = filters
        return try await AdSpend(AppleAdsSpend(store.database, app: TestStore.app), request, rules, currency: "EUR")
    }

    private func milliunits(_ spend: AdSpend, _ days: ClosedRange<Int64>, _ key: [RevenueDimension: String] = [:]) -> Int64? {
        spend.milliunits(Self.monday + days.lowerBound...Self.monday + days.upperBound, key.mapValues { Array($0.utf8) })
    }

    @Test("is that of all campaigns of its days, each amount converted by the rate of its day")
    func all() async throws {
        let spend = try await spend(by: [.day])

        #expect(milliunits(spend, 0...0) == 5_000)
        // 3,000 and 500.5, which is rounded away from zero.
        #expect(milliunits(spend, 1...1) == 3_501)
        #expect(milliunits(spend, 0...1) == 8_501)
        // Apple was not asked about the day after.
        #expect(milliunits(spend, 1...2) == nil)
    }

    @Test("is that of the campaign or the ad group of the row; what Apple Ads does not name has none that is known")
    func named() async throws {
        let campaigns = try await spend(by: [.source, .campaign]), groups = try await spend(by: [.campaign, .adGroup])
        let channels = try await spend(by: [.channel])

        #expect(milliunits(campaigns, 0...1, [.source: "apple_search_ads", .campaign: "7"]) == 8_000)
        #expect(milliunits(campaigns, 0...0, [.source: "apple_search_ads", .campaign: "8"]) == 0)
        #expect(milliunits(campaigns, 0...1, [.source: "link", .campaign: "7"]) == nil)
        #expect(milliunits(campaigns, 0...1, [.source: "apple_search_ads", .campaign: "unknown"]) == nil)
        #expect(milliunits(groups, 0...1, [.campaign: "7", .adGroup: "70"]) == 6_000)
        #expect(milliunits(channels, 0...1, [.channel: "social"]) == nil)
        #expect(milliunits(channels, 0...1) == 8_501)
    }

    @Test("with a filter by a campaign has its cost in the totals, beside the ad groups of the rows")
    func filtered() async throws {
        let groups = try await spend(by: [.adGroup], filters: [.campaign: "7"])

        #expect(milliunits(groups, 0...1, [.campaign: "7"]) == 8_000)
        #expect(milliunits(groups, 0...1, [.campaign: "7", .adGroup: "70"]) == 6_000)
    }

    @Test("comes with the installs that Apple counts, for rows of Apple Ads only and without a need for rates")
    func installs() async throws {
        let campaigns = try await spend(by: [.source, .campaign]), groups = try await spend(by: [.adGroup]), unrated = try await spend(by: [.source], rate: nil)
        func installs(_ spend: AdSpend, _ days: ClosedRange<Int64>, _ key: [RevenueDimension: String]) -> Int64? {
            spend.installs(Self.monday + days.lowerBound...Self.monday + days.upperBound, key.mapValues { Array($0.utf8) })
        }

        #expect(installs(campaigns, 0...1, [.source: "apple_search_ads", .campaign: "7"]) == 20)
        #expect(installs(campaigns, 0...0, [.source: "apple_search_ads", .campaign: "8"]) == 0)
        #expect(installs(groups, 0...1, [.adGroup: "70"]) == 20)
        #expect(installs(unrated, 0...1, [.source: "apple_search_ads"]) == 30)
        #expect(installs(unrated, 0...1, [.source: "link"]) == nil)
        // Of all sources together.
        #expect(installs(campaigns, 0...1, [:]) == nil)
        // Apple was not asked about the day after.
        #expect(installs(campaigns, 1...2, [.source: "apple_search_ads", .campaign: "7"]) == nil)
    }

    @Test("is not known where it is too large for a number; nothing traps")
    func tooLarge() async throws {
        let spend = try await spend(by: [.campaign], more: [(9, 0, .max), (9, 1, .max), (10, 0, .max)])

        #expect(milliunits(spend, 0...0) == nil)
        #expect(milliunits(spend, 0...1) == nil)
        #expect(milliunits(spend, 0...0, [.campaign: "9"]) == .max)
        #expect(milliunits(spend, 0...1, [.campaign: "9"]) == nil)
        #expect(milliunits(spend, 0...1, [.campaign: "7"]) == 8_000)
    }

    @Test("is not known where no rate converts a part of it, or nothing was read")
    func unknown() async throws {
        let spend = try await spend(by: [.day], rate: nil), store = try await TestStore()
        let none = try await AdSpend(
            AppleAdsSpend(store.database, app: TestStore.app), RevenueRequest(.cohorts, by: [.day], 0...1), SoldChain.euros, currency: "EUR")

        #expect(milliunits(spend, 0...0) == 5_000)
        #expect(milliunits(spend, 1...1) == nil)
        #expect(milliunits(none, 0...0) == nil)
    }
}
