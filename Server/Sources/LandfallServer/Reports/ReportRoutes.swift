// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase

/// `/v1/reports/…`: what a team wants to know of its links, by a server key with `reports`, or by a command.
struct ReportRoutes: Sendable {
    static let linksPath = "/v1/reports/links"
    let database: any Database
    let time: ServerTime

    /// `GET ?from=&to=&by=`
    @Sendable func links(_ request: Request, context: AppContext) async throws -> Answer<ReportDocument> {
        let app = try context.requireCaller().app
        let query = request.uri.queryParameters
        let nowMs = time.nowMs()
        let days = try ReportDays(from: query["from"].map(String.init), to: query["to"].map(String.init), nowMs: nowMs)
        let report = try LinkReport(days: days, by: query["by"].map(String.init))
        let counts = try await LinkReportStore(database: database).counts(report, of: app)
        let keptFromMs = nowMs - context.snapshot.retention.clickMs
        return Answer(report.document(counts, keptFromMs: keptFromMs, nowMs: nowMs))
    }
}
