// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// What the clicks of some days add up to.
struct LinkCounts: Sendable {
    /// In the order of ``LinkReport/Figure``.
    var rows: [ReportSheet.Key: [Int64]] = [:]
    /// The first day that was counted before its clicks could be deleted.
    var firstDay: Int64?

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
        let (closed, cells) = try await database.read { connection -> (ClickDays.Closed?, [ClickDays.Cell]) in
            guard let cut, let closed = try days.closed(connection) else { return (nil, []) }
            return (closed, try days.cells(cut, report.days.days, connection))
        }
        var counts = LinkCounts(firstDay: closed?.firstDay)
        let asked = report.by.filter { $0 != .day }
        func add(_ day: Int64, _ fields: [LinkReport.Field], _ values: [String?], _ figures: [Int64]) {
            let key = report.by.map { field in
                (field == .day ? ReportDays.text(day) : fields.firstIndex(of: field).flatMap { values[$0] }).map { Array($0.utf8) }
            }
            counts.rows[key] = counts.rows[key].map { zip($0, figures).map { $0 + $1 } } ?? figures
        }
        for cell in cells where closed?.contains(cell.day) == true { add(cell.day, cut?.fields ?? [], cell.fields, cell.counts) }
        for day in report.days.days where closed?.contains(day) != true {
            try Task.checkCancellation()
            for row in try await self.day(day, asked, of: app, in: report.days.zone) { add(day, asked, row.values, row.figures) }
        }
        return counts
    }

    /// The clicks of one day. The rows with most clicks; what the others count is one row that is called
    /// ``RollupCells/other`` in every field. Rows are told apart by the bytes of their values, as the store does.
    func day(_ day: Int64, _ fields: [LinkReport.Field], of app: AppID, in zone: ReportZone) async throws -> [DayRow] {
        // An id begins with its time, so the primary key is the index.
        let range: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day))),
            .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1))), .integer(Int64(RollupCells.most + 1)),
        ]
        let flags = LinkReport.Field.allCases.filter { $0 != .day }.map { SQLValue.flag(fields.contains($0)) }
        return try await database.read { connection in
            var found = try connection.rows(Self.text, range + flags).map { row in
                DayRow(values: fields.map { row.optionalText(Self.column(of: $0)) }, figures: try Self.figures(row))
            }
            guard found.count > RollupCells.most else { return found }
            found.removeLast(found.count - RollupCells.most + 1)
            let sums = found.reduce(LinkReport.Figure.allCases.map { _ in Int64(0) }) { zip($0, $1.figures).map { $0 + $1 } }
            let all = try connection.row(Self.text, range + flags.map { _ in .flag(false) }).map { try Self.figures($0) } ?? sums
            // A visitor who is in two rows counts in both, and once here.
            let rest = zip(all, sums).map { max(0, $0 - $1) }
            // A link may be called so too.
            if let place = found.firstIndex(where: { $0.values.allSatisfy { $0 == RollupCells.other } }) {
                found[place].figures = zip(found[place].figures, rest).map { $0 + $1 }
            } else {
                found.append(DayRow(values: fields.map { _ in RollupCells.other }, figures: rest))
            }
            return found
        }
    }

    /// One row of a day.
    struct DayRow: Sendable {
        let values: [String?]
        /// In the order of ``LinkReport/Figure``.
        var figures: [Int64]
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

    /// One text for every request: a field that was not requested has the same value in all rows.
    static let text = """
        SELECT CASE WHEN $5 = 1 THEN link_host END AS key_host, CASE WHEN $6 = 1 THEN link_path END AS key_path,
          CASE WHEN $7 = 1 THEN campaign END AS key_campaign, CASE WHEN $8 = 1 THEN ad_group END AS key_ad_group,
          CASE WHEN $9 = 1 THEN creative END AS key_creative, CASE WHEN $10 = 1 THEN channel END AS key_channel,
          CASE WHEN $11 = 1 THEN platform END AS key_platform, CASE WHEN $12 = 1 THEN country END AS key_country,
          SUM(CASE WHEN kind = 'person' AND outcome <> 'expired' THEN 1 ELSE 0 END) AS clicks,
          COUNT(DISTINCT CASE WHEN kind = 'person' AND outcome <> 'expired' THEN visitor END) AS unique_clicks,
          SUM(CASE WHEN kind = 'person' AND outcome = 'store' THEN 1 ELSE 0 END) AS sent_to_store,
          SUM(CASE WHEN kind = 'person' AND outcome = 'expired' THEN 1 ELSE 0 END) AS expired_clicks,
          SUM(CASE WHEN kind IN ('bot', 'head', 'preview') THEN 1 ELSE 0 END) AS machine_requests,
          SUM(CASE WHEN kind = 'app' THEN 1 ELSE 0 END) AS app_opens,
          SUM(CASE WHEN kind = 'unproven' THEN 1 ELSE 0 END) AS unproven_app_opens
        FROM click WHERE app_id = $1 AND click_id >= $2 AND click_id < $3
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 9 DESC, 13 DESC, 14 DESC LIMIT $4
        """
}
