// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// The way from a click to a paywall, step by step. Clicks are counted on the left, installs on the right: nobody knows which
/// click becomes which install, unless a link brought it.
package struct FunnelReport: Sendable {
    package enum Dimension: String, ReportDimension {
        case day, source, campaign, country
    }

    /// The places of the counts.
    static let clicks = 0, sentToStore = 1, firstOpens = 2, shown = 3, size = 4

    let days: ReportDays
    let by: [Dimension]

    /// - Throws: ``ReportError/campaignsAndCountries``.
    init(days: ReportDays, by: [Dimension]) throws(ReportError) {
        if by.contains(.campaign), by.contains(.country) { throw .campaignsAndCountries }
        (self.days, self.by) = (days, by)
    }

    /// - Parameter state: nil before the first days are counted; then the rows of installs are read.
    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64) async throws -> ReportSheet {
        let report = CampaignReport(days: days, by: by.compactMap { CampaignReport.Dimension(rawValue: $0.rawValue) }, metrics: [])
        let installs = try await report.installs(store.database, snapshot, state, nowMs: nowMs, store.rows)
        let clicks = try await report.clicks([.clicks, .sentToStore], store.clicks, snapshot, nowMs: nowMs), figures = clicks.rows
        var rows: [ReportSheet.Key: [Int64?]] = [:]
        for (key, counts) in installs.rows {
            // A row may be about reinstalls only.
            guard counts[ReportCohort.installs] != 0 else { continue }
            let clicks: Int64? = figures != nil && canHaveClicks(key) ? 0 : nil
            rows[key] = [clicks, clicks, counts[ReportCohort.installs], counts[ReportCohort.shown]]
        }
        let none = installs.known.counts(Array(repeating: 0, count: ReportCohort.firstMetric))
        for (key, found) in figures ?? [:] {
            var row = rows[key] ?? [nil, nil, none[ReportCohort.installs], none[ReportCohort.shown]]
            (row[Self.clicks], row[Self.sentToStore]) = (found[0], found[1])
            rows[key] = row
        }
        let unknown = [
            Self.clicks: figures == nil, Self.sentToStore: figures == nil, Self.firstOpens: none[ReportCohort.installs] == nil,
            Self.shown: none[ReportCohort.shown] == nil,
        ].filter(\.value).keys
        return ReportSheet(
            kind: .funnel, days: days, completeToMs: min(installs.completeToMs, clicks.completeToMs), by: by.map(\.rawValue), columns: Self.columns, rows: rows,
            totals: ReportSheet.sums(rows.values, count: Self.size, unknown: Set(unknown)))
    }

    /// Only links have clicks. Rows without a source that could be theirs have clicks too.
    private func canHaveClicks(_ key: ReportSheet.Key) -> Bool {
        by.firstIndex(of: .source).map { key[$0] == Array(AttributionSource.link.rawValue.utf8) } ?? true
    }

    private static let columns: [ReportSheet.Column] = [
        .init(name: "clicks", definition: LinkReport.Figure.clicks.definition, content: .count(clicks)),
        .init(name: "sentToStore", definition: LinkReport.Figure.sentToStore.definition, content: .count(sentToStore)),
        .init(name: "rate.sentToStore", definition: "sentToStore in clicks.", content: .ratio(sentToStore, in: clicks)),
        .init(name: "firstOpens", definition: CampaignReport.firstOpens, content: .count(firstOpens)),
        .init(
            name: "shown", definition: "Of the first opens, those who saw a paywall within \(ReportCohort.shownDays) days.",
            content: .count(shown)),
        .init(name: "rate.shown", definition: "shown in firstOpens.", content: .ratio(shown, in: firstOpens)),
    ]
}
