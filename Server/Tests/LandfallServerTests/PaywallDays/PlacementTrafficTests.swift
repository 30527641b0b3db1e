// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("The traffic by which an experiment is planned", .timeLimit(.minutes(1)))
struct PlacementTrafficTests {
    /// The day is one of November 2026.
    private typealias Row = (day: Int, placement: String, audience: String?, shown: Double, converted: Double?)

    private static func report(_ rows: [Row]) -> ReportDocument {
        ReportDocument(
            report: "paywalls", from: "2026-11-01", to: "2026-11-28", timeZone: "UTC", completeToMilliseconds: 1,
            by: ["day", "placement", "audience"], columns: [],
            rows: rows.map { row in
                let day = row.day < 10 ? "0\(row.day)" : "\(row.day)"
                return .init(
                    key: ["day": "2026-11-" + day, "placement": row.placement, "audience": row.audience],
                    values: ["shown": row.shown, "converted.trial": row.converted])
            }, totals: [:])
    }

    private static let rows: [Row] = [
        (9, "home", "everyone", 60, 3), (9, "home", "spring", 20, 10), (19, "home", "everyone", 40, 2), (1, "other", "everyone", 900, 1),
        (28, "home", nil, 5, 5), (2, "home", "everyone", 0, 0),
    ]

    @Test("is that of one placement, and of one audience where one is named, since somebody first saw it")
    func counted() throws {
        let all = try #require(PlacementTraffic(Self.report(Self.rows), placement: "home", metric: "trial"))
        let everyone = try #require(PlacementTraffic(Self.report(Self.rows), placement: "home", audience: "everyone", metric: "trial"))

        #expect(all.shown == 125 && all.converted == 20 && all.from == "2026-11-09" && all.to == "2026-11-28" && all.unitsPerDay == 125.0 / 20)
        #expect(everyone.shown == 100 && everyone.rate == 0.05 && everyone.unitsPerDay == 5)
    }

    @Test("has units without a rate where reports do not count the metric")
    func uncounted() throws {
        let report = Self.report([(9, "home", "everyone", 60, nil), (10, "home", "everyone", 40, 4)])

        let traffic = try #require(PlacementTraffic(report, placement: "home", metric: "trial"))

        #expect(traffic.shown == 100 && traffic.converted == nil && traffic.rate == nil)
        #expect(PlacementTraffic(Self.report(Self.rows), placement: "home", metric: "bought")?.converted == nil)
    }

    @Test("is unknown where nobody came; names are compared by their bytes")
    func unseen() {
        #expect(PlacementTraffic(Self.report(Self.rows), placement: "nowhere", metric: "trial") == nil)
        #expect(PlacementTraffic(Self.report(Self.rows), placement: "home", audience: "winter", metric: "trial") == nil)
        let composed = Self.report([(9, "caf\u{E9}", nil, 60, 3)])
        #expect(PlacementTraffic(composed, placement: "cafe\u{301}", metric: "trial") == nil)
        #expect(PlacementTraffic(composed, placement: "caf\u{E9}", metric: "trial")?.shown == 60)
    }
}
