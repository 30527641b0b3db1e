// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase
import LandfallWire

/// `/v1/reports/{name}`: the numbers about links, campaigns and paywalls, for a server key with `reports`, or for a command.
struct ReportRoutes: Sendable {
    static let path = "/v1/reports/{name}"
    static let names = [CampaignReport.name, LinkReport.name, PaywallReport.name]

    let database: any Database
    let time: ServerTime

    /// `GET ?from=&to=&by=`
    @Sendable func report(_ request: Request, context: AppContext) async throws -> Answer<ReportDocument> {
        let query = request.uri.queryParameters
        let nowMs = time.nowMs()
        let days = try ReportDays(from: query["from"].map(String.init), to: query["to"].map(String.init), nowMs: nowMs)
        let sheet = try await sheet(
            context.parameters.get("name") ?? "", days, by: query["by"].map(String.init), context.snapshot, nowMs: nowMs)
        return Answer(sheet.document(nowMs: nowMs))
    }

    private func sheet(
        _ name: String, _ days: ReportDays, by: String?, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> ReportSheet {
        switch name {
        case LinkReport.name:
            let report = try LinkReport(days: days, by: by)
            let counts = try await LinkReportStore(database: database).counts(report, of: snapshot.app.id)
            return report.sheet(counts, isWhole: ReportKnowledge(days, snapshot.retention, nowMs: nowMs).clicks)
        case CampaignReport.name:
            let report = try CampaignReport(days: days, by: by, metrics: snapshot.metrics)
            return try await report.sheet(database, snapshot, nowMs: nowMs)
        case PaywallReport.name:
            let report = try PaywallReport(days: days, by: by, metrics: snapshot.metrics)
            return try await report.sheet(database, snapshot, nowMs: nowMs)
        default:
            throw RequestError(
                .notFound, "There is no report '\(name.shortened)'.\(Suggestion.sentence(for: name, among: Self.names))")
        }
    }
}
