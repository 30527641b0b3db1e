// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The dimensions of one table of days of clicks. A report is read from the first table that has all its dimensions: the narrow ones come
/// first, because a day of them is short.
package enum ClickDimensions: String, CaseIterable, Sendable {
    case whole, campaign, productPage, context, visit, link

    var list: [LinkReport.Dimension] {
        switch self {
        case .whole: []
        case .campaign: [.campaign]
        case .productPage: [.productPage]
        case .context: [.referrer, .browser, .language]
        case .link: [.host, .path, .campaign, .adGroup, .creative, .channel]
        case .visit: [.host, .platform, .country]
        }
    }

    /// Those of every table.
    static let allLists = allCases.map(\.list)
    /// The index in ``allLists``.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The first table with these dimensions; every table has days.
    static func with(_ asked: [LinkReport.Dimension]) -> ClickDimensions? {
        allCases.first { table in asked.allSatisfy { $0 == .day || table.list.contains($0) } }
    }
}

/// The tables `click_day` and `click_closed`: the clicks of days that are over.
///
/// The id of a click begins with the server's time, so nothing is added to a day that is over, and a day is counted once. The
/// current day is read from its clicks; if they are many, they are counted again and again, see ``CountedOpenDays``.
struct ClickDays: Sendable {
    let app: AppID
    let zone: ReportZone

    struct Closed: Hashable, Sendable {
        /// Clicks of earlier days may have been deleted before they were counted.
        let firstDay: Int64
        /// The first day that is not over.
        let nextDay: Int64
        /// The clicks of larger days that are not over, and have a text, are counted up to here.
        var countedToMs: Int64 = 0

        func contains(_ day: Int64) -> Bool { firstDay <= day && day < nextDay }

        /// Those of the days that are over and were counted.
        func over(_ days: ClosedRange<Int64>) -> ClosedRange<Int64>? {
            let first = max(firstDay, days.lowerBound), last = min(nextDay - 1, days.upperBound)
            return first <= last ? first...last : nil
        }

        func notOver(_ days: ClosedRange<Int64>) -> ClosedRange<Int64>? {
            let first = max(nextDay, days.lowerBound)
            return first <= days.upperBound ? first...days.upperBound : nil
        }
    }

    static let closedText = "SELECT first_day, next_day, counted_to_ms FROM click_closed WHERE app_id = $1 AND zone = $2"
    static let daysText = "SELECT day, cells FROM click_day WHERE app_id = $1 AND zone = $2 AND report = $3 AND day >= $4 AND day <= $5"

    /// What a node remembers of a day is kept by this.
    struct Day: Hashable, Sendable {
        let app: AppID
        let zone: String
        let day: Int64
    }

    func day(_ day: Int64) -> Day { Day(app: app, zone: zone.name, day: day) }

    private var key: [SQLValue] { [.text(app.rawValue), .text(zone.name)] }

    func closed(_ connection: any ReadConnection) throws -> Closed? {
        try connection.row(Self.closedText, key).map {
            Closed(firstDay: try $0.integer(0), nextDay: try $0.integer(1), countedToMs: try $0.integer(2))
        }
    }

    /// The cells of each day, see ``DayText``. The counts are in the order of ``LinkReport/layout``.
    func days(
        _ dimensions: ClickDimensions, _ days: ClosedRange<Int64>, _ connection: any ReadConnection
    ) throws -> [(day: Int64, text: String)] {
        let values = key + [.text(dimensions.rawValue), .integer(days.lowerBound), .integer(days.upperBound)]
        return try connection.rows(Self.daysText, values).map { (try $0.integer(0), try $0.text(1)) }
    }

    /// Begins with no day counted. Another node may be faster.
    func beginning(_ closed: Closed) -> Statement {
        Statement(
            "INSERT INTO click_closed (app_id, zone, first_day, next_day) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            key + [.integer(closed.firstDay), .integer(closed.nextDay)])
    }

    /// Changes no row if another node has counted the day.
    func advance(past day: Int64) -> Statement {
        Statement(
            "UPDATE click_closed SET next_day = $3 WHERE app_id = $1 AND zone = $2 AND next_day = $4",
            key + [.integer(day + 1), .integer(day)])
    }

    /// Changes no row if another node has counted more, or the first of these days is over.
    func advance(countedTo toMs: Int64, from firstDay: Int64) -> Statement {
        Statement(
            "UPDATE click_closed SET counted_to_ms = $3 WHERE app_id = $1 AND zone = $2 AND counted_to_ms < $3 AND next_day = $4",
            key + [.integer(toMs), .integer(firstDay)])
    }

    /// The clicks that reports read of a day which is not over. Clicks are stored and never change: if these are the same, so are their counts.
    struct Clicks: Hashable, Sendable {
        let count: Int64
        let lastID: String?
        /// The first click that reports do not read; nil if they read the whole day.
        var firstUnreadID: String?
    }

    static let firstText = """
        SELECT COUNT(*) AS count, MAX(click_id) AS last_id FROM (
          SELECT click_id FROM click WHERE app_id = $1 AND click_id > $2 AND click_id < $3 ORDER BY click_id LIMIT $4
        ) AS first
        """

    func clicks(of day: Int64, _ connection: any ReadConnection) throws -> Clicks {
        let values: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day))),
            .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1))), .integer(Self.mostRead + 1),
        ]
        let row = try connection.row(Self.firstText, values)
        var clicks = Clicks(count: try row?.integer(0) ?? 0, lastID: row?.optionalText(1))
        if clicks.count > Self.mostRead { clicks.firstUnreadID = clicks.lastID }
        return clicks
    }

    /// Reports read so many clicks of a day that is not over. Of a larger day they have what was counted up to a time, or the first
    /// clicks if nothing is counted yet.
    static let mostRead: Int64 = 2_000

    /// Replaces a day. A day without clicks has no row.
    func replacement(of day: Int64, _ dimensions: ClickDimensions, with text: String) -> Statement {
        let values = key + [.text(dimensions.rawValue), .integer(day)]
        guard !text.isEmpty else {
            return Statement("DELETE FROM click_day WHERE app_id = $1 AND zone = $2 AND report = $3 AND day = $4", values)
        }
        return Statement(
            """
            INSERT INTO click_day (app_id, zone, report, day, cells) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app_id, zone, report, day) DO UPDATE SET cells = excluded.cells
            """, values + [.text(text)])
    }

    static let zonesText = "SELECT zone FROM click_closed WHERE app_id = $1"
    static let firstClickText = "SELECT clicked_at_ms FROM click WHERE app_id = $1 ORDER BY click_id LIMIT 1"
    private static let removalText = """
        DELETE FROM click_day WHERE app_id = $1 AND zone = $2 AND (report, day) IN (
          SELECT report, day FROM click_day WHERE app_id = $1 AND zone = $2 LIMIT $3
        )
        """

    /// Some of the days of a zone that no report uses any more.
    func removal(_ mostRows: Int64) -> Statement { Statement(Self.removalText, key + [.integer(mostRows)]) }
    var end: Statement { Statement("DELETE FROM click_closed WHERE app_id = $1 AND zone = $2", key) }
}
