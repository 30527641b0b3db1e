// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A filtered report", .timeLimit(.minutes(1)))
struct FilteredReportTests {
    /// Paths of one campaign on one day, more than a day keeps.
    private static let paths = DayCells.most + 100

    @Test("has all that its values count: what days left out of its rows is a row of its own, and the chart has the same sum")
    func rest() async throws {
        try await TestServer.run { server in
            let nowMs = server.services.time.nowMs(), atMs = nowMs - Retention.dayMs
            let clicks = try (0..<Self.paths).map { number in
                try ClickRow(
                    id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: "person", platform: "ios", host: "go.example.com", path: "/p\(number)",
                    outcome: "store", visitor: Int64(number), country: nil, labels: LinkLabels(campaign: "summer"), parameters: [:]
                ).insertion(into: server.services.snapshot.app.id)
            }
            try await server.services.database.write { connection in for click in clicks { _ = try connection.run(click) } }
            while try await server.services.rollups.step() {}
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)

            let byPath: ReportDocument = try await owner.get("/console/reports/links.json?by=path&campaign=summer").decoded()
            let byDay: ReportDocument = try await owner.get("/console/reports/links.json?by=day&campaign=summer").decoded()
            let both: ReportDocument = try await owner.get("/console/reports/links.json?by=day,path&campaign=summer").decoded()

            let all = Double(Self.paths)
            for document in [byPath, byDay, both] {
                #expect(document.totals["clicks"] == all && document.totals["uniqueClicks"] == all)
                #expect(document.rows.reduce(0) { $0 + (($1.values["clicks"] ?? nil) ?? 0) } == all)
            }
            let rest = try #require(byPath.rows.first { $0.key["path"] == DayCells.other })
            #expect(byPath.rows.count == DayCells.most && rest.values["clicks"] == all - Double(DayCells.most - 1))
            #expect(both.rows.count == DayCells.most && byDay.rows.count == 1)
        }
    }

    @Test("A row that days have complete gets no rest")
    func complete() throws {
        func sheet(_ by: [String], _ rows: [ReportSheet.Key: [Int64?]]) throws -> ReportSheet {
            ReportSheet(
                kind: .links, days: try ReportDays(from: "2026-11-01", to: "2026-11-02", nowMs: 0), completeToMs: 0, by: by, columns: [],
                layout: MetricLayout([.clicks, .uniqueClicks]), rows: rows,
                totals: ReportSheet.sums(rows.values, count: 2, unknown: [1]))
        }
        let path: ReportSheet.Key = [Array("/a".utf8)], rest: ReportSheet.Key = [Array(DayCells.other.utf8)]
        var same = try sheet(["path"], [path: [4, nil]]), more = same, fewer = same

        same.complete(to: try sheet([], [[]: [4, 9]]))
        more.complete(to: try sheet([], [[]: [7, 9]]))
        // What came after the whole was read.
        fewer.complete(to: try sheet([], [[]: [3, 9]]))

        #expect(same.rows == [path: [4, nil]] && same.totals == [4, nil])
        #expect(more.rows == [path: [4, nil], rest: [3, nil]] && more.totals == [7, nil])
        #expect(fewer.rows == [path: [4, nil]] && fewer.totals == [4, nil])
    }
}
