// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallRules
package import LandfallServer
import LandfallStore
import LandfallWire

/// `/v1/reports/{name}`: the numbers about links, campaigns, paywalls, the funnel and retention, for a server key with `reports`, or for a command.
package struct ReportRoutes: Sendable {
    package static let path = "/v1/reports/{name}"
    static let names = [
        CampaignReport.name, FunnelReport.name, LinkReport.name, OverviewReport.name, PaywallReport.name, RetentionReport.name,
    ]

    package let store: ReportStore
    package let time: ServerTime
    package let rollups: RollupWork

    package init(store: ReportStore, time: ServerTime, rollups: RollupWork) {
        (self.store, self.time, self.rollups) = (store, time, rollups)
    }

    private var database: any Database { store.database }

    /// `GET ?from=&to=&by=`
    @Sendable package func report(_ request: Request, context: AppContext) async throws -> Answer<ReportDocument> {
        let query = request.uri.queryParameters
        let counted = try await counted(context.snapshot)
        let days = try ReportDays(
            from: query["from"].map(String.init), to: query["to"].map(String.init), in: counted.zone, nowMs: counted.nowMs)
        return Answer(
            try await document(
                context.parameters.get("name") ?? "", days, by: query["by"].map(String.init), context.snapshot, counted))
    }

    /// What the reports of one moment share.
    package struct Counted {
        /// Nil before the first days are counted.
        package let state: RollupState?
        /// Where all of them cut days. Until days by another zone are computed, every report has the old one: their sums agree.
        package let zone: ReportZone
        package let nowMs: Int64

        package var today: Int64 { zone.day(ofMs: nowMs) }

        /// So many days up to this one.
        package func days(_ count: Int, endingOn last: Int64) throws -> ReportDays {
            try ReportDays(from: ReportDays.text(last - Int64(count) + 1), to: ReportDays.text(last), in: zone, nowMs: nowMs)
        }
    }

    package func counted(_ snapshot: Snapshot) async throws -> Counted {
        let nowMs = time.nowMs()
        let state = try await rollups.settled()
        return Counted(state: state, zone: state?.serving?.rules.zone ?? snapshot.configuration.reportZone, nowMs: nowMs)
    }

    /// - Parameter days: in the zone of `counted`.
    func document(
        _ name: String, _ days: ReportDays, by: String?, _ snapshot: Snapshot, _ counted: Counted
    ) async throws -> ReportDocument {
        let found = try await found(name, days, by: by, snapshot, counted)
        return found.sheet.document(nowMs: found.completeToMs)
    }

    /// The report before it is a document: its rows can still be filtered and merged.
    /// - Parameters:
    ///   - days: in the zone of `counted`.
    ///   - most: so many of the first rows are asked for, in the order of a document; nil for all. A report may answer with more.
    package func found(
        _ name: String, _ days: ReportDays, by: String?, most: Int? = nil, _ snapshot: Snapshot, _ counted: Counted
    ) async throws -> FunnelReport.Found {
        let (nowMs, state) = (counted.nowMs, counted.state)
        switch name {
        case CampaignReport.name:
            let report = try CampaignReport(days: days, by: by, metrics: snapshot.metrics)
            if let state, let computed = try await report.sheet(store, snapshot, state, nowMs: nowMs) {
                return .init(sheet: computed.sheet, completeToMs: computed.completeToMs)
            }
        case OverviewReport.name:
            let campaigns = try await found(
                CampaignReport.name, days, by: try OverviewReport(by: by).fields, snapshot, counted)
            return .init(sheet: OverviewReport.sheet(campaigns.sheet), completeToMs: campaigns.completeToMs)
        case FunnelReport.name: return try await FunnelReport(days: days, by: by).sheet(store, snapshot, state, nowMs: nowMs)
        case LinkReport.name:
            let report = try LinkReport(days: days, by: by)
            let counts = try await store.clicks.counts(report, of: snapshot.app.id)
            return .init(
                sheet: report.sheet(counts.table, isWhole: counts.isWhole(days, snapshot.retention, nowMs: nowMs), most: most),
                completeToMs: min(nowMs, counts.countedToMs ?? nowMs))
        case PaywallReport.name:
            return try await PaywallReport(days: days, by: by, metrics: snapshot.metrics).sheet(database, snapshot, state, nowMs: nowMs, rows: store.rows)
        case RetentionReport.name: return try await RetentionReport(days: days, by: by).sheet(database, snapshot, state, nowMs: nowMs, rows: store.rows)
        default: break
        }
        return .init(sheet: try await sheet(name, days, by: by, snapshot, nowMs: nowMs), completeToMs: nowMs)
    }

    private func sheet(
        _ name: String, _ days: ReportDays, by: String?, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> ReportSheet {
        switch name {
        case CampaignReport.name:
            let report = try CampaignReport(days: days, by: by, metrics: snapshot.metrics)
            return try await report.sheet(store, snapshot, nowMs: nowMs)
        default:
            throw RequestError(
                .notFound, "There is no report '\(name.shortened)'.\(Suggestion.sentence(for: name, among: Self.names))")
        }
    }
}
