// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports

@Suite("Three hundred people, from the ad to the renewal and the refund", .timeLimit(.minutes(5)))
struct HeldStoryTests {
    private static let views = [RevenueView.purchase, .booking]
    /// Each field alone, none, some together, and all.
    private static let cuts =
        RevenueDimension.allCases.map { [$0] } + [[], [.source, .product], [.day, .campaign, .variation], RevenueDimension.allCases]

    /// Thirty people follow each plan, twenty of them on days 0 and 1.
    ///
    /// Purchases: 30 earlier, 150 weeks, 30 months in Germany, 30 years in Japan, 60 coins, 30 months and 30 years of upgrades. Gross:
    /// 30 × 9.99 + 150 × 4.99 + 20 × 10.989 + 10 × 11.988 + 30 × 42 + 60 × 2.587 + 30 × 69.98 = 4,902.48. Back: the German months, and half
    /// of the Japanese years: 339.66 + 630. Proceeds: 209.79 + 523.95 + 0 + 441 + 108.66 + 1,469.58. Upgrade credit: 30 × 6.66. Of sixty
    /// trials half are paid.
    private static let totals: [Int64?] = [360, 4_902_480, 969_660, 3_932_820, 2_752_980, 199_800, 60, 30, 60]

    /// Of the people without an earlier purchase, five of ten come by Apple Ads, three by links, and two from nowhere.
    private static let sources: [String: [Int64?]] = [
        "apple_search_ads": [165, 2_301_390, 484_830, 1_816_560, 1_271_595, 99_900, 30, 15, 30],
        "link": [99, 1_380_834, 290_898, 1_089_936, 762_957, 59_940, 18, 9, 18],
        "unknown": [66, 920_556, 193_932, 726_624, 508_638, 39_960, 12, 6, 12],
        "before": [30, 299_700, 0, 299_700, 209_790, 0, 0, 0, 0],
    ]

    @Test("pay what a hand counts, by every cut of both views; what Apple signed proves it")
    func counted() async throws {
        try await StoryWorld.run { world in
            for view in Self.views {
                for by in Self.cuts {
                    let document = try await world.report(view, by: by)

                    #expect(Self.rows(document) == HandCount.rows(by, view, day: StoryWorld.day), "\(view) by \(by)")
                    #expect(document.totals.list == Self.totals, "\(view) by \(by)")
                    #expect(document.currency == "USD")
                    #expect(document.unconverted == [.init(currency: "CHF", grossMilliunits: 150_000, refundsMilliunits: 0)])
                }
                let sources = try await world.report(view, by: [.source], isVerified: true)

                #expect(Dictionary(uniqueKeysWithValues: sources.rows.map { ($0.key["source"] ?? "", $0.values.list) }) == Self.sources)
                #expect(sources.verified?.differences == [])
            }
        }
    }

    @Test(
        "are the same bytes on PostgreSQL as in SQLite, in JSON and CSV",
        .enabled(if: !TestEngine.isEmbedded, "LANDFALL_TEST_DATABASE names no PostgreSQL"))
    func engines() async throws {
        try await StoryWorld.run { here in
            let texts = try await Self.texts(here)
            try await StoryWorld.run(isEmbedded: true) { embedded in
                let expected = try await Self.texts(embedded)
                #expect(texts == expected)
            }
        }
    }

    private static func rows(_ document: RevenueDocument) -> [[String: String]: [Int64?]] {
        Dictionary(uniqueKeysWithValues: document.rows.map { ($0.key, $0.values.list) })
    }

    /// Each report as it is sent, and as a file for spreadsheets.
    private static func texts(_ world: StoryWorld) async throws -> [String] {
        var texts: [String] = []
        for view in views {
            for by in cuts {
                let document = try await world.report(view, by: by)
                texts += [String(decoding: try WireCoding.encode(document), as: UTF8.self), RevenueCSV(document).text]
            }
        }
        return texts
    }
}
