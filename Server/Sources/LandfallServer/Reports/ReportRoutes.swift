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
    let rollups: RollupWork

    /// `GET ?from=&to=&by=`
    @Sendable func report(_ request: Request, context: AppContext) async throws -> Answer<ReportDocument> {
        let query = request.uri.queryParameters
        let nowMs = time.nowMs()
        let state = try await rollups.settled()
        // Until days by another zone are computed, every report has the old one: their sums agree.
        let days = try ReportDays(
            from: query["from"].map(String.init), to: query["to"].map(String.init),
            in: state?.serving?.rules.zone ?? context.snapshot.configuration.reportZone, nowMs: nowMs)
        return Answer(
            try await document(
                context.parameters.get("name") ?? "", days, by: query["by"].map(String.init), context.snapshot, state, nowMs: nowMs))
    }

    /// The same for pages of the console.
    func document(
        _ name: String, _ days: ReportDays, by: String?, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> ReportDocument {
        try await document(name, days, by: by, snapshot, try await rollups.settled(), nowMs: nowMs)
    }

    private func document(
        _ name: String, _ days: ReportDays, by: String?, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64
    ) async throws -> ReportDocument {
        if name == CampaignReport.name, let state {
            let report = try CampaignReport(days: days, by: by, metrics: snapshot.metrics)
            if let computed = try await report.sheet(database, snapshot, state, nowMs: nowMs) {
                return computed.sheet.document(nowMs: computed.completeToMs)
            }
        }
        return try await sheet(name, days, by: by, snapshot, nowMs: nowMs).document(nowMs: nowMs)
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
