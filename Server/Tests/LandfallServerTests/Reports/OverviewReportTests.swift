// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports

@Suite("The report of the overview", .timeLimit(.minutes(1)))
struct OverviewReportTests {
    @Test("has the days of the campaigns report and its sums, from rows and from computed days")
    func days() async throws {
        try await ReportedApp.run { app in
            for _ in 0..<2 {
                let overview = try await app.report("overview"), byDay = try await app.report("campaigns?by=day")
                let whole = try await app.report("overview?by="), campaigns = try await app.report("campaigns")

                #expect(overview.report == "overview" && overview.by == ["day"])
                #expect(overview.rows == byDay.rows && overview.totals == byDay.totals && overview.columns == byDay.columns)
                #expect(whole.rows.count == 1 && whole.totals["firstOpens"] == campaigns.totals["firstOpens"])
                while try await app.server.services.rollups.step() {}
            }
        }
    }

    @Test("has no other field than the day, and says so")
    func fields() async throws {
        try await ReportedApp.run { app in
            let answer = try await app.server.send(.get, "/v1/reports/overview?by=source", phone: nil, key: LinkRouteServer.serverKey)

            #expect(answer.problem?.code == .invalidValue)
        }
    }
}
