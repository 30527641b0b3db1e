// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The report of links", .timeLimit(.minutes(1)))
struct LinkReportTests {
    private static let path = "/v1/reports/links"
    private static let beach = "https://go.example.com/beach"

    @Test("counts for each link the people, the same visitor once, the machines, and the links that reached the app")
    func byLink() async throws {
        try await TestServer.runBrand { server in
            for browser in [Browser.onPhone, .onPhone, Browser(address: "198.51.100.1"), Browser(userAgent: Browser.google)] {
                _ = try await browser.open(Self.beach, in: server)
            }
            _ = try await Browser.onAndroid.open("https://go.example.com/over", in: server)
            _ = try await server.send(.post, WirePath.linkOpen, #"{"url":"\#(Self.beach)","key":"k"}"#, phone: nil)

            let report = try await server.report()

            #expect(report.by == ["host", "path"])
            #expect(report.rows.map { $0.key["path"] } == ["/beach", "/over"])
            #expect(report.rows.map { Self.values($0.values) } == [[3, 2, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 0, 0]])
            #expect(Self.values(report.totals) == [3, 2, 1, 1, 0, 1, 0])
            #expect(
                report.columns.map(\.name) == [
                    "clicks", "uniqueClicks", "sentToStore", "expiredClicks", "machineRequests", "appOpens", "unprovenAppOpens", "buttonTaps",
                ])
            #expect(report.timeZone == "UTC" && report.completeToMilliseconds == server.services.time.nowMs())
        }
    }

    @Test("has a row for each day, campaign and platform on request, and null if a click has none")
    func byFields() async throws {
        try await TestServer.runBrand { server in
            _ = try await Browser.onPhone.open(Self.beach, in: server)
            server.clock.advance(by: .seconds(86_400))
            _ = try await Browser.onAndroid.open("https://go.example.com/shown", in: server)
            let nowMs = server.services.time.nowMs()
            let days = [-1, 0].map { ReportDays.text(nowMs / Retention.dayMs + $0) }

            let report = try await server.report("day,campaign,platform")
            let first = try await server.report("day", from: days[0], to: days[0])

            #expect(
                report.rows.map(\.key) == [
                    ["day": days[0], "campaign": "summer", "platform": "ios"],
                    ["day": days[1], "campaign": nil, "platform": "android"],
                ])
            #expect(first.rows.map(\.key) == [["day": days[0]]])
            #expect(first.completeToMilliseconds == (nowMs / Retention.dayMs) * Retention.dayMs)
        }
    }

    @Test("has one row for all if it has no fields, and no row if nothing was counted")
    func all() async throws {
        try await TestServer.runBrand { server in
            #expect(try await server.report("").rows.isEmpty)
            _ = try await Browser.onPhone.open(Self.beach, in: server)
            _ = try await Browser.onPhone.open("https://go.example.com/shown", in: server)

            let report = try await server.report("")

            #expect(report.rows.map(\.key) == [[:]])
            #expect(report.rows.map { Self.values($0.values)[0] } == [2])
        }
    }

    @Test("has null as total for days whose clicks may be deleted already")
    func unknown() async throws {
        try await TestServer.runBrand { server in
            let today = server.services.time.nowMs() / Retention.dayMs
            let report = try await server.report(from: ReportDays.text(today - 450), to: ReportDays.text(today - 100))

            #expect(report.totals["clicks"] == .some(nil))
        }
    }

    @Test(
        "refuses invalid days, too many days, and unknown fields",
        arguments: [
            "from=2026-02-30", "from=yesterday", "to=2026-1-1", "from=2026-11-02&to=2026-11-01", "from=2025-01-01&to=2026-11-01",
            "by=visitor", "by=path,path",
        ])
    func refused(query: String) async throws {
        try await TestServer.runBrand { server in
            await #expect(throws: ReportError.self) { _ = try await server.report(query: query) }
        }
    }

    @Test("distinguishes campaigns by their bytes, on one day and on several days")
    func bytes() async throws {
        try await TestServer.runBrand { server in
            for campaign in ["\u{212A}ate", "Kate"] {
                let url = "https://go.example.com/own/1?lf_campaign="
                let encoded = campaign.utf8.map { "%" + String($0, radix: 16) }.joined()
                _ = try await Browser.onPhone.open(url + encoded, in: server)
                server.clock.advance(by: .seconds(86_400))
                _ = try await Browser.onPhone.open(url + encoded, in: server)
            }

            let report = try await server.report("campaign")

            #expect(report.rows.map { Self.values($0.values)[0] } == [2, 2])
        }
    }

    @Test("has the largest thousand rows of a day; what the others count is one row, and the totals have all")
    func tooMany() async throws {
        try await TestServer.runBrand { server in
            let nowMs = server.services.time.nowMs()
            let clicks = (0...(DayCells.most + 100)).map { max($0, 1) }.map { number in
                ClickEntry(
                    click: Click(
                        id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: .person, platform: .ios, host: "go.example.com",
                        path: LinkPath(stored: "/\(number)"), outcome: .store, labels: LinkLabels()))
            }
            let (store, app) = (server.services.clicks, server.services.snapshot.app.id)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for click in clicks { group.addTask { try await store.record(click, of: app) } }
                try await group.waitForAll()
            }

            let report = try await server.report("path")

            #expect(report.rows.count == DayCells.most && report.totals["clicks"] == Double(DayCells.most + 101))
            #expect(report.rows[0].key["path"] == DayCells.other && report.rows[0].values["clicks"] == 101)
            #expect(report.rows[1].key["path"] == "/1" && report.rows[1].values["clicks"] == 2)
            #expect(try await server.report("host").rows.map { $0.values["clicks"] } == [Double(DayCells.most + 101)])
        }
    }

    @Test("accepts only keys with the scope for reports")
    func key() async throws {
        let keys: [(key: String?, scopes: Set<ServerKey.Scope>, status: HTTPResponse.Status)] = [
            (LinkRouteServer.serverKey, [.reports], .ok), (LinkRouteServer.serverKey, [.links], .forbidden),
            ("pk_test", [.reports], .unauthorized), (nil, [.reports], .unauthorized),
        ]
        for (key, scopes, status) in keys {
            var configuration = Configuration.sample()
            configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: scopes)!]
            try await TestServer.run(configuration: configuration) { server in
                let answer = try await server.send(.get, Self.path + "?by=day", phone: nil, key: key)

                #expect(answer.status == status)
                if status == .ok { #expect(try answer.decoded(ReportDocument.self).by == ["day"]) }
            }
        }
    }

    @Test("reads only the clicks of its days: the plan uses the primary key", .sqlitePlans)
    func plan() async throws {
        try await TestServer.runBrand { server in
            for text in [ClickTally.text, ClickDays.firstText] {
                let rows = try await server.rows("EXPLAIN QUERY PLAN " + text, [.text("example"), .text("0"), .text("1"), .integer(1)])

                let plan = try rows.map { try $0.text("detail") }.joined(separator: "\n")
                #expect(plan.contains("SEARCH click USING"), "\(plan)")
                #expect(plan.contains("click_id>? AND click_id<?") && !plan.contains("TEMP B-TREE"), "\(plan)")
            }
        }
    }

    private static func values(_ values: [String: Double?]) -> [Double] {
        LinkReport.columns.map(\.name).filter { $0 != "sentToStore" }.map { (values[$0] ?? nil) ?? -1 }
    }
}

extension TestServer {
    fileprivate func report(_ by: String? = nil, from: String? = nil, to: String? = nil) async throws -> ReportDocument {
        let nowMs = services.time.nowMs()
        let days = try ReportDays(from: from, to: to, nowMs: nowMs)
        let report = LinkReport(days: days, by: try by.map { try .named($0) } ?? [.host, .path])
        let counts = try await LinkReportStore(database: services.database).counts(report, of: services.snapshot.app.id)
        return report.sheet(counts.table, isWhole: counts.isWhole(days, services.snapshot.retention, nowMs: nowMs), completeToMs: nowMs).document()
    }

    fileprivate func report(query: String) async throws -> ReportDocument {
        let items = URLComponents(string: "?" + query)?.queryItems ?? []
        func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
        return try await report(item("by"), from: item("from"), to: item("to"))
    }
}
