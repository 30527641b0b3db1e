// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
import LandfallStore
import LandfallWire

/// Answers the six reports. The HTTP route, the pages of the console and, through the route, the command ask here, and get the same numbers.
package struct Reports: Sendable {
    private let store: ReportStore
    package let time: ServerTime
    package let rollups: RollupWork
    /// Whose signatures under purchases are believed where they are verified again. Nil: only their hashes are compared.
    let trust: AppStoreTrust?

    package init(store: ReportStore, time: ServerTime, rollups: RollupWork, trust: AppStoreTrust? = nil) {
        (self.store, self.time, self.rollups, self.trust) = (store, time, rollups, trust)
    }

    /// What the reports of one moment share.
    package struct Moment: Sendable {
        /// Where they all read from.
        package let store: ReportStore
        /// Nil before the first days are counted.
        let state: RollupState?
        /// The zone in which days begin, for all reports: until the days of another zone are computed it is the old one, so that sums agree.
        package let zone: ReportZone
        package let nowMs: Int64

        package var today: Int64 { zone.day(ofMs: nowMs) }
        /// False before the first days are counted: then reports read rows, which takes too long for a part of another page.
        package var hasCountedDays: Bool { state?.serving != nil }

        /// So many days up to this one.
        package func days(_ count: Int, endingOn last: Int64) throws(ReportError) -> ReportDays {
            try ReportDays(last - Int64(count) + 1, last, in: zone)
        }
    }

    package func moment(_ snapshot: Snapshot) async throws -> Moment {
        var nowMs = time.nowMs(), state = try await rollups.settled()
        let reads = await rollups.database.laggingReads()
        if let ageMs = reads.ageMs {
            // The reports of that moment: what came later is neither counted nor said to be.
            nowMs -= ageMs
            state = try await reads.store.read { [app = snapshot.app.id] in try RollupState.load(app, $0) }
        }
        return Moment(
            store: reads.ageMs == nil ? store : store.reading(reads.store), state: state, zone: state?.serving?.rules.zone ?? snapshot.configuration.reportZone,
            nowMs: nowMs)
    }

    /// The report before it is a document: its rows can still be filtered and merged.
    /// - Parameter request: its days are in the zone of the moment.
    /// - Throws: ``ReportError``; `busy` if too many reports read the store's rows; the errors of the store.
    package func answer(_ request: ReportRequest, _ snapshot: Snapshot, at moment: Moment) async throws -> ReportSheet {
        let (days, store, state, nowMs) = (request.days, moment.store, moment.state, moment.nowMs)
        switch request.report {
        case .campaigns(let by): return try await campaigns([request.campaigns(by, snapshot)], snapshot, moment)[0]
        case .overview(let by):
            var sheet = try await campaigns([request.campaigns(by.map(\.ofCampaigns), snapshot)], snapshot, moment)[0]
            sheet.kind = .overview
            return sheet
        case .funnel(let by): return try await FunnelReport(days: days, by: by).sheet(store, snapshot, state, nowMs: nowMs)
        case .links(let by):
            let report = LinkReport(days: days, by: by, only: LinkReport.Dimension.only(request.only))
            let counts = try await store.clicks.counts(report, of: snapshot.app.id)
            return report.sheet(
                counts.table, isWhole: counts.isWhole(days, snapshot.retention, nowMs: nowMs), most: request.limit,
                completeToMs: min(nowMs, counts.countedToMs ?? nowMs))
        case .paywalls(let by):
            return try await PaywallReport(days: days, by: by, metrics: snapshot.metrics)
                .sheet(store.database, snapshot, state, nowMs: nowMs, rows: store.rows)
        case .retention(let by):
            return try await RetentionReport(days: days, by: by).sheet(store.database, snapshot, state, nowMs: nowMs, rows: store.rows)
        }
    }

    /// Several reports, each read after the ones before it; days of those about campaigns are read once for all.
    /// - Throws: as ``answer(_:_:at:)``.
    package func answers(
        _ requests: [ReportRequest], _ snapshot: Snapshot, at moment: Moment
    ) async throws -> [ReportRequest: ReportSheet] {
        var together: [(request: ReportRequest, report: CampaignReport)] = [], sheets: [ReportRequest: ReportSheet] = [:]
        for request in requests {
            if case .campaigns(let by) = request.report {
                if !together.contains(where: { $0.request == request }) { together.append((request, request.campaigns(by, snapshot))) }
            } else if sheets[request] == nil {
                sheets[request] = try await answer(request, snapshot, at: moment)
            }
        }
        for (asked, sheet) in zip(together, try await campaigns(together.map { $0.report }, snapshot, moment)) { sheets[asked.request] = sheet }
        return sheets
    }

    /// - Parameter moment: of the report.
    package func names(_ snapshot: Snapshot, at moment: Moment) -> AppleAdsNames { AppleAdsNames(moment.store.database, app: snapshot.app.id) }

    private func campaigns(_ reports: [CampaignReport], _ snapshot: Snapshot, _ moment: Moment) async throws -> [ReportSheet] {
        var computed: [ReportSheet?] = reports.map { _ in nil }
        if let state = moment.state { computed = try await CampaignReport.sheets(reports, moment.store, snapshot, state, nowMs: moment.nowMs) }
        var sheets: [ReportSheet] = []
        for (report, found) in zip(reports, computed) {
            if let found { sheets.append(found) } else { sheets.append(try await report.sheet(moment.store, snapshot, nowMs: moment.nowMs)) }
        }
        return sheets
    }

    /// Whether days are counted by these dimensions. Otherwise the report is read from rows, and nothing is left out of it.
    package func isCounted(_ report: ReportRequest.Report, at moment: Moment) -> Bool {
        switch report {
        case .campaigns(let by): moment.state?.serving.map { RollupDimensions.with(by, $0.rules) != nil } ?? false
        case .overview, .paywalls, .funnel, .retention: true
        case .links(let by): ClickDimensions.with(by) != nil
        }
    }

    /// The first opens that each link brought, from computed days only: to read every install takes too long for a page.
    package func firstOpensOfLinks(_ days: ReportDays, _ snapshot: Snapshot, at moment: Moment) async throws -> CampaignReport.Installs? {
        guard let rules = moment.state?.serving?.rules, rules.zone == days.zone, rules.form >= RollupForm.unverified else { return nil }
        let report = CampaignReport(days: days, by: [.link], metrics: [])
        let found = try await report.installs(moment.store.database, snapshot, moment.state, nowMs: moment.nowMs, moment.store.rows)
        return found.known.installs ? found : nil
    }
}

extension ReportRequest {
    fileprivate func campaigns(_ by: [CampaignReport.Dimension], _ snapshot: Snapshot) -> CampaignReport {
        CampaignReport(days: days, by: by, metrics: snapshot.metrics, only: CampaignReport.Dimension.only(only))
    }
}
