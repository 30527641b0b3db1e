// SPDX-License-Identifier: Apache-2.0
import Foundation
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("Fewer than ten installs in reports", .timeLimit(.minutes(1)))
struct FewInstallsTests {
    private static func sheet(
        _ kind: ReportKind, _ by: [String], _ metrics: [ReportMetric], _ rows: [[String?]: [Int64?]], totals: [Int64?]? = nil
    ) throws -> ReportSheet {
        let keyed = Dictionary(rows.map { row in (row.key.map { $0.map { Array($0.utf8) } }, row.value) }) { first, _ in first }
        return ReportSheet(
            kind: kind, days: try ReportDays(from: "2026-11-01", to: "2026-11-04", nowMs: 0), completeToMs: 0, by: by,
            columns: metrics.map { .init($0, "") }, layout: MetricLayout(metrics), rows: keyed,
            totals: totals ?? ReportSheet.sums(keyed.values, count: metrics.count))
    }

    @Test("A day of few has no numbers, nor has the next smallest day, and the totals stay")
    func days() throws {
        let sheet = try Self.sheet(
            .campaigns, ["day"], [.firstOpens, .reinstalls, .shown, .clicks],
            [["2026-11-01"]: [40, 0, 20, 5], ["2026-11-02"]: [1, 0, 1, 2], ["2026-11-03"]: [12, 0, 7, 0], ["2026-11-04"]: [0, 0, 0, 9]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("firstOpens", "reinstalls", "shown", "clicks") == [[40, 0, 20, 5], [nil, 0, nil, 2], [nil, 0, nil, 0], [0, 0, 0, 9], [53, 0, 28, 16]])
    }

    @Test("Few reinstalls of a day are not told; its first opens are")
    func reinstalls() throws {
        let sheet = try Self.sheet(
            .campaigns, ["day"], [.firstOpens, .reinstalls, .shown],
            [["2026-11-01"]: [40, 2, 20], ["2026-11-02"]: [50, 30, 1], ["2026-11-03"]: [60, 31, 7]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("firstOpens", "reinstalls", "shown") == [[40, nil, 20], [50, nil, 1], [60, 31, 7], [150, 63, 28]])
    }

    @Test("Totals of few say how many they are, and not what they did", arguments: [[], ["day"], ["source"]] as [[String]])
    func totals(by: [String]) throws {
        let sheet = try Self.sheet(.campaigns, by, [.firstOpens, .reinstalls, .shown], [by.map { _ in "2026-11-01" }: [4, 0, 3]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("firstOpens", "reinstalls", "shown") == [by.isEmpty ? [4, 0, nil] : [nil, 0, nil], [4, 0, nil]])
    }

    @Test("A group on a day of few is not told either")
    func groupsOfDays() throws {
        let sheet = try Self.sheet(
            .campaigns, ["day", "source"], [.firstOpens, .shown],
            [["2026-11-01", "a"]: [40, 20], ["2026-11-01", "b"]: [15, 5], ["2026-11-02", "a"]: [2, 1], ["2026-11-02", "b"]: [1, 1]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("firstOpens", "shown") == [[40, 20], [nil, nil], [nil, nil], [58, 27]])
    }

    @Test("Cohorts of few, and days that few of a cohort could be seen on, have no numbers")
    func retention() throws {
        let sheet = try Self.sheet(
            .retention, ["week"], [.size, .seen(0), .eligible(0)],
            [["2026-11-02"]: [30, 3, 28], ["2026-11-09"]: [20, 1, 1], ["2026-11-16"]: [3, 2, 3], ["2026-11-23"]: [50, 20, 49]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("size", "day1", "eligible.day1") == [[30, nil, nil], [nil, nil, nil], [nil, nil, nil], [50, 20, 49], [103, 26, 81]])
    }

    @Test("Where nobody saw a paywall first, few exposures are not told")
    func exposures() throws {
        let sheet = try Self.sheet(
            .paywalls, ["paywall"], [.shown, .exposures], [["a"]: [0, 1], ["b"]: [40, 60], ["c"]: [30, 50]])

        let told = try #require(sheet.forEverybody()).document()

        #expect(told.values("shown", "exposures") == [[40, 60], [30, nil], [0, nil], [70, 111]])
    }

    /// A campaign of 12 installs on four days: 9, 1, 1 and 1 of them, beside 40 others.
    private static func rare(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { server in
            let app = ReportedApp(server: server)
            for number in 1...52 {
                if [10, 11, 12].contains(number) { server.clock.advance(by: .seconds(86_400)) }
                let phone = Phone(number, secret: UInt8(number))
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                try await app.claim(number <= 12 ? "rare" : "many", phone)
            }
            try await body(server)
        }
    }

    @Test("A campaign of enough installs, by day: no page, chart or file tells a day of one", arguments: ["rare", "many"])
    func filteredByDay(campaign: String) async throws {
        try await Self.rare { server in
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let query = "?campaign=\(campaign)&by=day&compare=before"

            let page = try await viewer.get("/console/reports/campaigns" + query).page
            let exact = try await owner.get("/console/reports/campaigns" + query).page
            let json = try await owner.get("/console/reports/campaigns.json" + query).decoded(ReportDocument.self)
            let csv = try await owner.get("/console/reports/campaigns.csv" + query).page

            let isRare = campaign == "rare"
            #expect(page.contains(">1</td>") == false && exact.contains(">1</td>") == isRare)
            #expect(page.contains(": 1</title>") == false && exact.contains(": 1</title>") == isRare)
            #expect(json.totals["firstOpens"] == (isRare ? 12 : 40))
            for row in json.rows { #expect(!(1..<10).contains((row.values["firstOpens"] ?? nil) ?? 0)) }
            #expect(json.rows.count == (isRare ? 4 : 1) && json.rows.contains { ($0.values["shown"] ?? nil) == nil } == isRare)
            #expect(csv.split(separator: "\n").dropFirst().allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false)[1] != "1" })
        }
    }

    @Test("The overview tells a viewer no day of few and not what few did; an owner sees it", arguments: [Role.viewer, .owner])
    func overview(role: Role) async throws {
        try await ReportedApp.run { app in
            let page = try await ConsoleBrowser.signedIn(app.server, as: role).get("/console").page

            #expect(page.contains("First opens</a></dt><dd class=\"value\">4"))
            #expect(page.contains("25 %") == (role == .owner))
            #expect(page.contains("<figure class=\"chart\">") == (role == .owner))
            #expect(page.contains(Words(.english).fewOnDays) == (role == .viewer))
        }
    }
}
