// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallStore
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("The report of the funnel", .timeLimit(.minutes(1)))
struct FunnelReportTests {
    /// Three taps of the campaign of autumn, of which two led to a store, and a machine.
    private static func tap(_ app: ReportedApp) async throws {
        let nowMs = app.server.services.time.nowMs()
        for (kind, outcome) in [(ClickKind.person, Click.Outcome.store), (.person, .store), (.person, .page), (.bot, .store)] {
            let click = Click(
                id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: kind, platform: .ios, host: "go.example.com",
                path: LinkPath(stored: "/a"), outcome: outcome, labels: LinkLabels(campaign: "autumn"))
            try await app.server.services.clicks.record(ClickEntry(click: click), of: app.server.services.snapshot.app.id)
        }
    }

    @Test("has clicks on the left and installs on the right, the same from rows and from computed days")
    func steps() async throws {
        try await ReportedApp.run { app in
            try await Self.tap(app)

            let rows = try await app.report("funnel")
            while try await app.server.services.rollups.step() {}
            let days = try await app.report("funnel")

            let expected: [[Double?]] = Array(repeating: [3, 2, 2.0 / 3, 4, 3, 0.75], count: 2)
            for report in [rows, days] {
                #expect(report.by == ["day"])
                #expect(report.columns.map(\.name) == ["clicks", "sentToStore", "rate.sentToStore", "firstOpens", "shown", "rate.shown", "purchased", "rate.purchased"])
                #expect(report.values("clicks", "sentToStore", "rate.sentToStore", "firstOpens", "shown", "rate.shown") == expected)
            }
        }
    }

    @Test("has a row for each source and campaign; only links have clicks")
    func bySource() async throws {
        try await ReportedApp.run { app in
            try await Self.tap(app)
            while try await app.server.services.rollups.step() {}

            let report = try await app.report("funnel?by=source,campaign")
            let campaigns = try await app.report("campaigns?by=source,campaign")
            let byCampaign = try await app.report("funnel?by=campaign")

            func values(_ source: String?) -> [Double?]? {
                report.rows.first { $0.key["source"] == source }.map { row in
                    ["clicks", "sentToStore", "firstOpens", "shown"].map { row.values[$0] ?? nil }
                }
            }
            #expect(values("link") == [3, 2, 0, 0])
            #expect(values("tenjin") == [nil, nil, 2, 2])
            #expect(values(nil) == [nil, nil, 2, 1])
            #expect(report.totals["firstOpens"] == campaigns.totals["firstOpens"] && report.totals["clicks"] == 3)
            #expect(byCampaign.values("clicks", "firstOpens") == [[3, 2], [0, 2], [3, 4]])
        }
    }

    @Test("ends with who has paid since: each install once, and neither free trials, nor what is older than the first open, nor the sandbox")
    func purchased() async throws {
        let store = try SignedStore(nowMs: Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down)))
        var sandbox = store
        sandbox.environment = "Sandbox"
        let free: [String: Any] = ["price": 0, "offerType": 1, "offerDiscountType": "FREE_TRIAL"]
        let bought = [
            [try store.transaction("1", of: "1", daysAgo: 0)], [try store.transaction("2", of: "2")],
            [try store.transaction("3", of: "3", daysAgo: 0), try store.transaction("4", of: "4", daysAgo: 0)],
            [try store.transaction("5", of: "5", daysAgo: 0, adding: free), try sandbox.transaction("6", of: "6", daysAgo: 0)],
        ]
        try await ReportedApp.run(trust: store.trust()) { app in
            for (phone, texts) in zip([ReportedApp.maya, ReportedApp.omar, ReportedApp.noor, ReportedApp.ada], bought) {
                _ = try await app.server.report(texts, .purchase, by: phone)
            }

            let rows = try await app.report("funnel"), sources = try await app.report("funnel?by=source")
            let countries = try await app.report("funnel?by=country,source")
            while try await app.server.services.rollups.step() {}
            let days = try await app.report("funnel")

            for report in [rows, days] { #expect(report.values("firstOpens", "purchased", "rate.purchased") == [[4, 2, 0.5], [4, 2, 0.5]]) }
            for report in [sources, countries] {
                let counts = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.key["source"] ?? nil, $0.values["purchased"] ?? nil) })
                #expect(counts == ["tenjin": 1, nil: 1])
            }
        }
    }

    @Test("counts countries and campaigns apart, and has null for days whose clicks may be deleted")
    func bounds() async throws {
        try await ReportedApp.run(change: { $0.retention.clickDays = 5 }) { app in
            let both = try await app.server.send(.get, "/v1/reports/funnel?by=campaign,country", phone: nil, key: LinkRouteServer.serverKey)
            let report = try await app.report("funnel?by=country")

            #expect(both.problem?.code == .invalidValue)
            #expect(report.totals["clicks"] == .some(nil) && report.totals["firstOpens"] == 4)
        }
    }
}
