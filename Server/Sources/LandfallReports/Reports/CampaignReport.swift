// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// What installs did after their first open, by the source that brought them.
package struct CampaignReport: Sendable {
    package enum Dimension: String, ReportDimension {
        case day, source, channel, campaign, adGroup, adSet, creative, keyword, country, platform
        /// Host and path of the link that brought the install.
        case link
        /// Of the app, at the first open.
        case appVersion
    }

    let days: ReportDays
    let by: [Dimension]
    let metrics: [Metric]
    /// Other rows are left out where days have the dimension.
    let only: [Dimension: [UInt8]]

    package init(days: ReportDays, by: [Dimension], metrics: [Metric], only: [Dimension: [UInt8]] = [:]) {
        self.only = only
        self.days = days
        self.by = by
        self.metrics = metrics
    }

    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, nowMs: Int64) async throws -> ReportSheet {
        let found = try await store.rows.run { try await installs(store.database, snapshot, nowMs: nowMs) }
        let clicks = try await self.clicks(Self.clicks, store.clicks, snapshot, nowMs: nowMs)
        return sheet(found, clicks.rows, completeToMs: nowMs)
    }

    /// Reads every install, and the events of the days.
    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func installs(_ database: any StoreReading, _ snapshot: Snapshot, nowMs: Int64) async throws -> Installs {
        let (app, testDevices) = (snapshot.app.id, snapshot.testDevices)
        var cohort = ReportCohort(metrics: metrics, dayIndex: by.firstIndex(of: .day))
        try await InstallReader(database: database, app: app).forEach(openedMs: days.milliseconds) { install in
            // The installs of the team's own phones say nothing about its users.
            guard testDevices.device(install.id, first: install.firstInstall) == nil else { return }
            let key = by.map { $0.value(of: install, in: days.zone).map { Array($0.utf8) } }
            try cohort.add(
                install.key, to: key, openedAtMs: install.firstOpenAtMs, attributedAtMs: install.origin?.recordedAtMs,
                isOrganic: install.isOrganic, isReinstall: install.isReinstall, isUnverified: install.origin.map { !$0.verified } ?? false)
        }
        try await cohort.follow(database, of: app, from: days, types: [.paywallShown] + metrics.compactMap(\.event))
        let known = ReportKnowledge(days, snapshot.retention, nowMs: nowMs)
        let layout = cohort.layout
        return Installs(rows: cohort.counts.mapValues { known.counts($0, layout) }, layout: layout, known: known, completeToMs: nowMs)
    }

    /// - Parameter clicks: see ``Clicks/rows``.
    func sheet(_ installs: Installs, _ clicks: [ReportSheet.Key: [Int64]]?, completeToMs: Int64) -> ReportSheet {
        let layout = ReportCohort.layout(metrics.count, Self.clicks), rows = joined(installs, clicks, layout)
        let unknown = layout.metrics.indices.filter { index in
            let metric = layout.metrics[index]
            return Self.clicks.contains(metric) ? clicks == nil : !installs.knows(metric)
        }
        return ReportSheet(
            kind: .campaigns, days: days, completeToMs: completeToMs, by: by.map(\.rawValue), columns: columns, layout: layout, rows: rows,
            totals: ReportSheet.sums(rows.values, count: layout.count, unknown: Set(unknown)))
    }

    /// What rows count behind their installs.
    static let clicks: [ReportMetric] = [.clicks, .uniqueClicks]

    static let firstOpens = "Installs whose first open was on these days, without reinstalls."
    static let shown = "First opens that saw a paywall within \(ReportCohort.shownDays) days."

    private var columns: [ReportSheet.Column] {
        [
            .init(.firstOpens, Self.firstOpens),
            .init(.attributed, "First opens with a known source."),
            .init(.unverified, "Attributed installs whose source is only claimed: nobody has verified it."),
            .init(.organic, "First opens that no campaign brought, as a source says."),
            .init(.unknown, "First opens about which no source has said anything yet."),
            .init(.reinstalls, "Installs of these days on devices that had the app before. They are not first opens."),
            .init(.late, "Attributed installs that saw their first paywall before the source was known."),
            .init(.shown, Self.shown),
        ] + ReportCohort.columns(metrics, since: "the first open", among: "first opens") + [
            .init(.clicks, "Clicks of links with these labels. Apple and other providers do not tell theirs."),
            .init(.uniqueClicks, "The same, each visitor of one link on one day once."),
        ]
    }

    struct Clicks: Sendable {
        /// The metrics that were asked for, by key; nil if clicks do not have a dimension, or were deleted uncounted.
        var rows: [ReportSheet.Key: [Int64]]?
        /// Everything that came before is counted.
        var completeToMs: Int64
    }

    func clicks(
        _ metrics: [ReportMetric], _ store: LinkReportStore, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> Clicks {
        let indices = metrics.compactMap { LinkReport.layout.index(of: $0) }
        // The other reports have a link as two dimensions.
        let fields = by.filter { $0 != .source }.map { field in
            field == .link ? [.host, .path] : LinkReport.Dimension(rawValue: field.rawValue).map { [$0] }
        }
        guard !fields.contains(nil) else { return Clicks(completeToMs: nowMs) }
        let only = Dictionary(uniqueKeysWithValues: only.map { ($0.rawValue, $1) })
        let report = LinkReport(days: days, by: fields.compactMap { $0 }.flatMap { $0 }, only: LinkReport.Dimension.only(only))
        let link = by.filter { $0 != .source }.firstIndex(of: .link)
        let counts = try await store.counts(report, of: snapshot.app.id)
        guard counts.isWhole(days, snapshot.retention, nowMs: nowMs) else { return Clicks(completeToMs: nowMs) }
        let pairs = counts.rows.filter { $0.value[LinkReport.layout[.clicks]] > 0 }.map { key, counts in
            var key = key
            if let link { key.replaceSubrange(link...link + 1, with: [Self.address(key[link], key[link + 1])]) }
            if let source = by.firstIndex(of: .source) { key.insert(Array(AttributionSource.link.rawValue.utf8), at: source) }
            return (key, indices.map { counts[$0] })
        }
        return Clicks(rows: Dictionary(pairs) { first, _ in first }, completeToMs: min(nowMs, counts.countedToMs ?? nowMs))
    }

    /// As installs have it. The rest of many cells keeps its name.
    private static func address(_ host: [UInt8]?, _ path: [UInt8]?) -> [UInt8]? {
        guard let host, let path else { return nil }
        return host == Array(DayCells.other.utf8) ? host : host + path
    }

    private func joined(
        _ installs: Installs, _ clicks: [ReportSheet.Key: [Int64]]?, _ layout: MetricLayout
    ) -> [ReportSheet.Key: [Int64?]] {
        let source = by.firstIndex(of: .source), link = Array(AttributionSource.link.rawValue.utf8)
        var rows = installs.rows.reduce(into: [ReportSheet.Key: [Int64?]]()) { rows, row in
            let canHaveClicks = clicks != nil && (source.map { row.key[$0] == link } ?? true)
            rows[row.key] = row.value + Self.clicks.map { _ in canHaveClicks ? 0 : nil }
        }
        // No install of these labels was counted: that is zero only where installs are known.
        let none: [Int64?] = installs.layout.metrics.map { installs.knows($0) ? 0 : nil }
        for (key, counts) in clicks ?? [:] {
            rows[key] = (rows[key]?.prefix(none.count).map { $0 } ?? none) + counts.map { $0 }
        }
        return rows
    }
}

extension CampaignReport.Dimension {
    /// - Parameter zone: in which days begin.
    func value(of install: ReportedInstall, in zone: ReportZone = .utc) -> String? {
        switch self {
        case .day: ReportDays.text(zone.day(ofMs: install.firstOpenAtMs))
        case .source: install.origin?.source.rawValue
        case .channel: install.origin?.channel
        case .campaign: install.origin?.campaignKey
        case .adGroup: install.origin?.adGroupKey
        case .adSet: install.origin?.adSet
        case .creative: install.origin?.creative
        case .keyword: install.origin?.keywordKey
        case .country: install.device.country
        case .platform: install.device.platform
        case .link: install.origin?.link?.code
        case .appVersion: install.appVersion
        }
    }
}
