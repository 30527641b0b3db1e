// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// What the clicks of some days add up to.
struct LinkCounts: Sendable {
    /// In the order of ``LinkReport/Figure``.
    var rows: [ReportSheet.Key: [Int64]] = [:]
    /// The first day that was counted before its clicks could be deleted.
    var firstDay: Int64?
    /// Later clicks may not be counted; nil if all are.
    var countedToMs: Int64?

    /// False if clicks of these days may have been deleted before they were counted.
    func isWhole(_ days: ReportDays, _ retention: Retention, nowMs: Int64) -> Bool {
        firstDay.map { $0 <= days.days.lowerBound } ?? false || days.milliseconds.lowerBound >= nowMs - retention.clickMs
    }
}

/// Counts the clicks of a report: from days that were counted before if a cut has the fields, otherwise from the clicks, one day
/// at a time. So no read holds the store for longer than the clicks of a day need, and a caller who disconnects ends it.
struct LinkReportStore: Sendable {
    let database: any Database

    /// - Throws: `CancellationError`; the errors of the store.
    func counts(_ report: LinkReport, of app: AppID) async throws -> LinkCounts {
        let (cut, days) = (ClickCut.with(report.by), ClickDays(app: app, zone: report.days.zone))
        let found = try await database.read { connection -> Counted in
            guard let cut, let closed = try days.closed(connection) else { return Counted() }
            var counted = Counted(closed: closed, texts: try days.days(cut, report.days.days, connection))
            for day in report.days.days where day >= closed.nextDay {
                guard let unread = try days.firstUnread(of: day, connection) else { continue }
                let isCounted = days.zone.startMs(ofDay: day) < closed.countedToMs
                if isCounted { counted.open.insert(day) } else { counted.ends[day] = unread.id }
                counted.toMs = min(counted.toMs ?? .max, isCounted ? closed.countedToMs : unread.atMs)
            }
            return counted
        }
        let asked = report.by.filter { $0 != .day }, dayPlace = report.by.firstIndex(of: .day)
        var sums = DaySums(fields: cut?.fields ?? [], by: report.by, size: LinkReport.Figure.allCases.count)
        for one in found.texts where found.contains(one.day) {
            try Task.checkCancellation()
            try sums.add(one.day, one.text)
        }
        for day in report.days.days where !found.contains(day) {
            try Task.checkCancellation()
            for (key, figures) in try await self.day(day, asked, of: app, in: report.days.zone, before: found.ends[day]) {
                var key = key
                if let dayPlace { key.insert(Array(ReportDays.text(day).utf8), at: dayPlace) }
                sums.add(key, figures)
            }
        }
        return LinkCounts(rows: sums.rows, firstDay: found.closed?.firstDay, countedToMs: found.toMs)
    }

    /// The days that need not be read.
    private struct Counted: Sendable {
        var closed: ClickDays.Closed?
        /// Large ones that are not over.
        var open: Set<Int64> = []
        /// Of the other large ones, the first click that is not read.
        var ends: [Int64: String] = [:]
        /// Later clicks may not be counted; nil if all are.
        var toMs: Int64?
        var texts: [(day: Int64, text: String)] = []

        func contains(_ day: Int64) -> Bool { closed?.contains(day) == true || open.contains(day) }
    }

    /// The cells of a day, as ``ClickDays`` keeps them.
    func text(of day: Int64, _ cut: ClickCut, of app: AppID, in zone: ReportZone) async throws -> String {
        DayText.text(try await self.day(day, cut.fields, of: app, in: zone))
    }

    /// The clicks of one day. The rows with most clicks; what the others count is one row that is called
    /// ``DayCells/other`` in every field. Rows are told apart by the bytes of their values, as the store does.
    /// - Parameter end: the first click that is not read; nil for the next day's first one.
    func day(
        _ day: Int64, _ fields: [LinkReport.Field], of app: AppID, in zone: ReportZone, before end: String? = nil
    ) async throws -> [ReportSheet.Key: [Int64]] {
        // An id begins with its time, so the primary key is the index.
        let range: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day))),
            .text(end ?? UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1))), .integer(Int64(DayCells.most + 1)),
        ]
        let flags = LinkReport.Field.allCases.filter { $0 != .day }.map { SQLValue.flag(fields.contains($0)) }
        return try await database.read { connection in
            let found = try connection.rows(Self.text, range + flags).map { row in
                (key: fields.map { row.optionalText(Self.column(of: $0)).map { Array($0.utf8) } }, figures: try Self.figures(row))
            }
            guard found.count > DayCells.most else { return Dictionary(found.map { ($0.key, $0.figures) }) { first, _ in first } }
            let kept = found.prefix(DayCells.most - 1)
            let sums = kept.reduce(LinkReport.Figure.allCases.map { _ in Int64(0) }) { zip($0, $1.figures).map { $0 + $1 } }
            let all = try connection.row(Self.text, range + flags.map { _ in .flag(false) }).map { try Self.figures($0) } ?? sums
            var rows = Dictionary(kept.map { ($0.key, $0.figures) }) { first, _ in first }
            // A link may be called so too.
            let rest = ReportSheet.Key(repeating: Array(DayCells.other.utf8), count: fields.count)
            let others = zip(all, sums).map { $0 - $1 }
            rows[rest] = rows[rest].map { zip($0, others).map { $0 + $1 } } ?? others
            return rows
        }
    }

    private static func figures(_ row: Row) throws -> [Int64] { try LinkReport.Figure.allCases.map { try row.integer(column(of: $0)) } }

    private static func column(of field: LinkReport.Field) -> String {
        switch field {
        case .day: "day"
        case .host: "key_host"
        case .path: "key_path"
        case .campaign: "key_campaign"
        case .adGroup: "key_ad_group"
        case .creative: "key_creative"
        case .channel: "key_channel"
        case .platform: "key_platform"
        case .country: "key_country"
        }
    }

    private static func column(of figure: LinkReport.Figure) -> String {
        switch figure {
        case .clicks: "clicks"
        case .uniqueClicks: "unique_clicks"
        case .sentToStore: "sent_to_store"
        case .expiredClicks: "expired_clicks"
        case .machineRequests: "machine_requests"
        case .appOpens: "app_opens"
        case .unprovenAppOpens: "unproven_app_opens"
        }
    }

    /// One text for every request: a field that was not requested has the same value in all rows. A visitor's number is about one link and
    /// one day, and the first of its clicks is the unique one, so the sums of all reports agree.
    static let text = """
        SELECT CASE WHEN $5 = 1 THEN link_host END AS key_host, CASE WHEN $6 = 1 THEN link_path END AS key_path,
          CASE WHEN $7 = 1 THEN campaign END AS key_campaign, CASE WHEN $8 = 1 THEN ad_group END AS key_ad_group,
          CASE WHEN $9 = 1 THEN creative END AS key_creative, CASE WHEN $10 = 1 THEN channel END AS key_channel,
          CASE WHEN $11 = 1 THEN platform END AS key_platform, CASE WHEN $12 = 1 THEN country END AS key_country,
          SUM(CASE WHEN kind = 'person' AND outcome <> 'expired' THEN 1 ELSE 0 END) AS clicks,
          SUM(CASE WHEN visitor IS NOT NULL AND click_id = unique_id THEN 1 ELSE 0 END) AS unique_clicks,
          SUM(CASE WHEN kind = 'person' AND outcome = 'store' THEN 1 ELSE 0 END) AS sent_to_store,
          SUM(CASE WHEN kind = 'person' AND outcome = 'expired' THEN 1 ELSE 0 END) AS expired_clicks,
          SUM(CASE WHEN kind IN ('bot', 'head', 'preview') THEN 1 ELSE 0 END) AS machine_requests,
          SUM(CASE WHEN kind = 'app' THEN 1 ELSE 0 END) AS app_opens,
          SUM(CASE WHEN kind = 'unproven' THEN 1 ELSE 0 END) AS unproven_app_opens
        FROM (
          SELECT click_id, kind, outcome, visitor, link_host, link_path, campaign, ad_group, creative, channel, platform, country,
            MIN(CASE WHEN kind = 'person' AND outcome <> 'expired' THEN click_id END) OVER (PARTITION BY visitor) AS unique_id
          FROM click WHERE app_id = $1 AND click_id >= $2 AND click_id < $3
        ) AS clicks_of_day
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 9 DESC, 13 DESC, 14 DESC LIMIT $4
        """
}
