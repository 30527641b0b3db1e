// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// Counts the stored clicks of a report, one day at a time. So no read holds the store for longer than the clicks of a day need,
/// and a caller who disconnects ends it.
struct LinkReportStore: Sendable {
    let database: any Database

    /// - Throws: `invalid_value` if there are too many rows; `CancellationError`; the errors of the store.
    func counts(_ report: LinkReport, of app: AppID) async throws -> [ReportSheet.Key: [Int64]] {
        var counts: [ReportSheet.Key: [Int64]] = [:]
        for day in report.days.days {
            try Task.checkCancellation()
            for row in try await rows(report, of: app, day: day) {
                let key = report.by.map { field in
                    (field == .day ? ReportDays.text(day) : row.optionalText(Self.column(of: field))).map { Array($0.utf8) }
                }
                let values = try LinkReport.Figure.allCases.map { try row.integer(Self.column(of: $0)) }
                counts[key] = zip(counts[key] ?? values.map { _ in 0 }, values).map { $0 + $1 }
            }
            guard counts.count <= ReportSheet.mostRows else {
                throw ReportSheet.tooManyRows()
            }
        }
        return counts
    }

    private func rows(_ report: LinkReport, of app: AppID, day: Int64) async throws -> [Row] {
        // An id begins with its time, so the primary key is the index.
        let values: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: report.days.zone.startMs(ofDay: day))),
            .text(UUIDv7.earliest(atMs: report.days.zone.startMs(ofDay: day + 1))), .integer(Int64(ReportSheet.mostRows + 1)),
        ]
        let fields = LinkReport.Field.allCases.filter { $0 != .day }.map { SQLValue.flag(report.by.contains($0)) }
        return try await database.read { try $0.rows(Self.text, values + fields) }
    }

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
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 LIMIT $4
        """
}
