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

    package init(days: ReportDays, by: [Dimension], metrics: [Metric]) {
        self.days = days
        self.by = by
        self.metrics = metrics
    }

    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, nowMs: Int64) async throws -> ReportSheet {
        let found = try await store.rows.run { try await installs(store.database, snapshot, nowMs: nowMs) }
        let clicks = try await self.clicks([.clicks, .uniqueClicks], store.clicks, snapshot, nowMs: nowMs)
        return sheet(found.rows, clicks.rows, found.known, completeToMs: nowMs)
    }

    /// Reads every install, and the events of the days.
    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func installs(_ database: any Database, _ snapshot: Snapshot, nowMs: Int64) async throws -> Installs {
        let (app, testDevices) = (snapshot.app.id, snapshot.testDevices)
        var cohort = ReportCohort(metrics: metrics, dayPlace: by.firstIndex(of: .day))
        try await InstallReading(database: database, app: app).forEach(openedMs: days.milliseconds) { install in
            // The installs of the team's own phones say nothing about its users.
            guard testDevices.device(install.id, first: install.firstInstall) == nil else { return }
            let key = by.map { $0.value(of: install, in: days.zone).map { Array($0.utf8) } }
            try cohort.add(
                install.key, to: key, openedAtMs: install.firstOpenAtMs, attributedAtMs: install.origin?.recordedAtMs,
                isOrganic: install.isOrganic, isReinstall: install.isReinstall, isUnverified: install.origin.map { !$0.verified } ?? false)
        }
        try await cohort.follow(database, of: app, from: days, types: [.paywallShown] + metrics.compactMap(\.event))
        let known = ReportKnowledge(days, snapshot.retention, nowMs: nowMs)
        return Installs(rows: cohort.counts.mapValues { known.counts($0) }, known: known, completeToMs: nowMs)
    }

    /// - Parameters:
    ///   - counts: by key, in the places of a cohort.
    ///   - uncounted: places that no day counted.
    func sheet(
        _ counts: [ReportSheet.Key: [Int64?]], _ clicks: [ReportSheet.Key: [Int64]]?, _ known: ReportKnowledge, uncounted: [Int] = [],
        completeToMs: Int64
    ) -> ReportSheet {
        let rows = joined(counts, clicks, known, uncounted)
        let unknown = known.unknown(metrics: metrics.count).union(clicks == nil ? [firstClick, firstClick + 1] : []).union(uncounted)
        return ReportSheet(
            kind: .campaigns, days: days, completeToMs: completeToMs, by: by.map(\.rawValue), columns: columns, rows: rows,
            totals: ReportSheet.sums(rows.values, count: firstClick + 2, unknown: unknown))
    }

    static let firstOpens = "Installs whose first open was on these days, without reinstalls."

    private var firstClick: Int { ReportCohort.firstMetric + metrics.count }

    private var columns: [ReportSheet.Column] {
        [
            .init(name: "firstOpens", definition: Self.firstOpens, content: .count(ReportCohort.installs)),
            .init(name: "attributed", definition: "Of them, those of whom a source is known.", content: .count(ReportCohort.attributed)),
            .init(
                name: "unverified", definition: "Of the attributed, those whose source is only claimed: nobody has verified it.",
                content: .count(ReportCohort.unverified)),
            .init(
                name: "organic", definition: "Of the first opens, those that no campaign brought, as a source says.",
                content: .count(ReportCohort.organic)),
            .init(
                name: "unknown", definition: "Of the first opens, those of whom no source has said anything, or not yet.",
                content: .count(ReportCohort.unknown)),
            .init(
                name: "reinstalls", definition: "Installs of these days on devices that had the app before. No first opens.",
                content: .count(ReportCohort.reinstalls)),
            .init(
                name: "late", definition: "Of the attributed, those whose first paywall was shown before the source was known.",
                content: .count(ReportCohort.late)),
            .init(
                name: "shown", definition: "Of the first opens, those who saw a paywall within \(ReportCohort.shownDays) days.",
                content: .count(ReportCohort.shown)),
        ] + ReportCohort.columns(metrics, since: "the first open", among: "first opens") + [
            .init(
                name: "clicks", definition: "Clicks of links with these labels. Apple and other providers do not tell theirs.",
                content: .count(firstClick)),
            .init(
                name: "uniqueClicks", definition: "The same, each visitor of one link on one day once.", content: .count(firstClick + 1)),
        ]
    }

    struct Clicks: Sendable {
        /// Figures of links by key; nil if a field does not exist for clicks, or if clicks were deleted uncounted.
        var rows: [ReportSheet.Key: [Int64]]?
        /// Everything that came before is counted.
        var completeToMs: Int64
    }

    func clicks(
        _ figures: [LinkReport.Figure], _ store: LinkReportStore, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> Clicks {
        let places = figures.compactMap { LinkReport.Figure.allCases.firstIndex(of: $0) }
        // The other reports have a link as two fields.
        let fields = by.filter { $0 != .source }.map { field in
            field == .link ? [.host, .path] : LinkReport.Dimension(rawValue: field.rawValue).map { [$0] }
        }
        guard !fields.contains(nil) else { return Clicks(completeToMs: nowMs) }
        let report = LinkReport(days: days, by: fields.compactMap { $0 }.flatMap { $0 })
        let link = by.filter { $0 != .source }.firstIndex(of: .link)
        let counts = try await store.counts(report, of: snapshot.app.id)
        guard counts.isWhole(days, snapshot.retention, nowMs: nowMs) else { return Clicks(completeToMs: nowMs) }
        let pairs = counts.rows.filter { $0.value[0] > 0 }.map { key, figures in
            var key = key
            if let link { key.replaceSubrange(link...link + 1, with: [Self.address(key[link], key[link + 1])]) }
            if let place = by.firstIndex(of: .source) { key.insert(Array(AttributionSource.link.rawValue.utf8), at: place) }
            return (key, places.map { figures[$0] })
        }
        return Clicks(rows: Dictionary(pairs) { first, _ in first }, completeToMs: min(nowMs, counts.countedToMs ?? nowMs))
    }

    /// As installs have it. The rest of many cells keeps its name.
    private static func address(_ host: [UInt8]?, _ path: [UInt8]?) -> [UInt8]? {
        guard let host, let path else { return nil }
        return host == Array(DayCells.other.utf8) ? host : host + path
    }

    private func joined(
        _ counts: [ReportSheet.Key: [Int64?]], _ clicks: [ReportSheet.Key: [Int64]]?, _ known: ReportKnowledge, _ uncounted: [Int]
    ) -> [ReportSheet.Key: [Int64?]] {
        let source = by.firstIndex(of: .source), link = Array(AttributionSource.link.rawValue.utf8)
        var rows = counts.reduce(into: [ReportSheet.Key: [Int64?]]()) { rows, row in
            let canHaveClicks = clicks != nil && (source.map { row.key[$0] == link } ?? true)
            rows[row.key] = row.value + Array(repeating: canHaveClicks ? 0 : nil, count: 2)
        }
        // No install of these labels was counted: that is zero only where installs are known.
        var none = known.counts(Array(repeating: 0, count: firstClick)) + [nil, nil]
        for place in uncounted { none[place] = nil }
        for (key, figures) in clicks ?? [:] {
            var row = rows[key] ?? none
            row.replaceSubrange(firstClick..., with: figures.map { $0 })
            rows[key] = row
        }
        return rows
    }
}

extension CampaignReport.Dimension {
    /// - Parameter zone: cuts the days.
    func value(of install: ReportedInstall, in zone: ReportZone = .utc) -> String? {
        switch self {
        case .day: ReportDays.text(zone.day(ofMs: install.firstOpenAtMs))
        case .source: install.origin?.source.rawValue
        case .channel: install.origin?.channel
        case .campaign: install.origin?.campaignKey
        case .adGroup: install.origin?.appleAds?.adGroupId.map { String($0) } ?? install.origin?.adGroup
        case .adSet: install.origin?.adSet
        case .creative: install.origin?.creative
        case .keyword: install.origin?.appleAds?.keywordId.map { String($0) }
        case .country: install.device.country
        case .platform: install.device.platform
        case .link: install.origin?.link?.code
        case .appVersion: install.appVersion
        }
    }
}
