// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// The way from a click to a paywall and to a purchase, step by step. Clicks are counted on the left, installs on the right: nobody knows which
/// click becomes which install, unless a link brought it.
package struct FunnelReport: Sendable {
    package enum Dimension: String, ReportDimension {
        case day, source, campaign, country
    }

    static let layout = MetricLayout([.clicks, .sentToStore, .firstOpens, .shown, .purchased])

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
        let clicks = try await report.clicks([.clicks, .sentToStore], store.clicks, snapshot, nowMs: nowMs)
        let opened = installs.layout[.firstOpens], shown = installs.layout[.shown]
        let isKnown = Self.layout.metrics.map { $0 == .clicks || $0 == .sentToStore ? clicks.rows != nil : installs.known.knows($0) }
        let nothing = isKnown.map { $0 ? Int64(0) : nil }, paid = Self.layout[.purchased]
        var rows: [ReportSheet.Key: [Int64?]] = [:]
        for (key, counts) in installs.rows {
            // A row may be about reinstalls only.
            guard counts[opened] != 0 else { continue }
            let none: Int64? = clicks.rows != nil && canHaveClicks(key) ? 0 : nil
            rows[key] = [none, none, counts[opened], counts[shown], nothing[paid]]
        }
        if isKnown[paid] {
            let purchasers = FunnelPurchasers(database: store.database, snapshot: snapshot, report: report)
            for (key, count) in try await store.rows.run({ try await purchasers.counts(before: installs.completeToMs, nowMs: nowMs) }) {
                // Computed days put their smallest rows together.
                let place = rows[key] == nil ? ReportSheet.rest(key, by.map(\.rawValue)) : key
                rows[place]?[paid]? += count
            }
        }
        for (key, counts) in clicks.rows ?? [:] {
            rows[key] = counts.map(Optional.some) + (rows[key] ?? nothing).suffix(3)
        }
        return ReportSheet(
            kind: .funnel, days: days, completeToMs: min(installs.completeToMs, clicks.completeToMs), by: by.map(\.rawValue),
            columns: Self.columns, layout: Self.layout, rows: rows,
            totals: ReportSheet.sums(rows.values, count: Self.layout.count, unknown: Set(isKnown.indices.filter { !isKnown[$0] })))
    }

    /// Only links have clicks. Rows without a source that could be theirs have clicks too.
    private func canHaveClicks(_ key: ReportSheet.Key) -> Bool {
        by.firstIndex(of: .source).map { key[$0] == Array(AttributionSource.link.rawValue.utf8) } ?? true
    }

    private static let columns: [ReportSheet.Column] = [
        .init(.clicks, LinkReport.clicks),
        .init(.sentToStore, LinkReport.sentToStore),
        .init(name: "rate.sentToStore", definition: "sentToStore in clicks.", content: .ratio(.sentToStore, in: .clicks)),
        .init(.firstOpens, CampaignReport.firstOpens),
        .init(.shown, CampaignReport.shown),
        .init(name: "rate.shown", definition: "shown in firstOpens.", content: .ratio(.shown, in: .firstOpens)),
        .init(.purchased, "First opens that have paid in the App Store since. Free trials alone, and purchases from before, do not count."),
        .init(name: "rate.purchased", definition: "purchased in firstOpens.", content: .ratio(.purchased, in: .firstOpens)),
    ]
}
