// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// The fields that one table of days of clicks has. A report is read from a cut that has all its fields.
enum ClickCut: String, CaseIterable, Sendable {
    case link, visit

    var fields: [LinkReport.Field] {
        switch self {
        case .link: [.host, .path, .campaign, .adGroup, .creative, .channel]
        case .visit: [.host, .platform, .country]
        }
    }

    /// The first cut with these fields; days are in every cut.
    static func with(_ fields: [LinkReport.Field]) -> ClickCut? {
        allCases.first { cut in fields.allSatisfy { $0 == .day || cut.fields.contains($0) } }
    }
}

/// The tables `click_day` and `click_closed`: the clicks of days that are over.
///
/// The id of a click begins with the server's time, so nothing is added to a day that is over, and a day is counted once. The
/// current day is read from its clicks.
struct ClickDays: Sendable {
    let app: AppID
    let zone: ReportZone

    struct Closed: Hashable, Sendable {
        /// Clicks of earlier days may have been deleted before they were counted.
        let firstDay: Int64
        /// The first day that is not counted yet.
        let nextDay: Int64

        func contains(_ day: Int64) -> Bool { firstDay <= day && day < nextDay }
    }

    static let closedText = "SELECT first_day, next_day FROM click_closed WHERE app_id = $1 AND zone = $2"
    static let cellsText = """
        SELECT d.day, d.cell_id, c.fields, d.counts FROM click_day d
          JOIN report_cell c ON c.app_id = d.app_id AND c.report = d.report AND c.cell_id = d.cell_id
        WHERE d.app_id = $1 AND d.zone = $2 AND d.report = $3 AND d.day >= $4 AND d.day <= $5
        """

    private var key: [SQLValue] { [.text(app.rawValue), .text(zone.name)] }

    func closed(_ connection: any ReadConnection) throws -> Closed? {
        try connection.row(Self.closedText, key).map { Closed(firstDay: try $0.integer(0), nextDay: try $0.integer(1)) }
    }

    struct Cell: Sendable {
        let day: Int64
        let fields: [String?]
        /// In the order of ``LinkReport/Figure``.
        let counts: [Int64]
    }

    func cells(_ cut: ClickCut, _ days: ClosedRange<Int64>, _ connection: any ReadConnection) throws -> [Cell] {
        let values = key + [.text(cut.rawValue), .integer(days.lowerBound), .integer(days.upperBound)]
        // The same fields come on most days.
        var known: [Int64: [String?]] = [:]
        return try connection.rows(Self.cellsText, values).map { row in
            let id = try row.integer(1)
            let fields = try known[id] ?? WireCoding.decode([String?].self, from: Data(try row.text(2).utf8))
            known[id] = fields
            guard let counts = RollupCounts(try row.text(3)), counts.values.count == LinkReport.Figure.allCases.count else {
                throw DatabaseError.unexpectedValue(column: "counts")
            }
            return Cell(day: try row.integer(0), fields: fields, counts: counts.values)
        }
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

    /// Replaces every cell of a day.
    func replacement(of day: Int64, _ cut: ClickCut, with rows: [LinkReportStore.DayRow]) throws -> [Statement] {
        let named = try rows.map { row in
            let text = String(decoding: try WireCoding.encode(row.values), as: UTF8.self)
            return (id: RollupCells.id(of: text), fields: text, counts: RollupCounts(values: row.figures).text)
        }.sorted { $0.id < $1.id }
        return [
            Statement(
                "DELETE FROM click_day WHERE app_id = $1 AND zone = $2 AND report = $3 AND day = $4",
                key + [.text(cut.rawValue), .integer(day)])
        ]
            + RollupRows.cells.statements(
                shared: [.text(app.rawValue), .text(cut.rawValue)], rows: named.map { [.integer($0.id), .text($0.fields)] })
            + Self.days.statements(
                shared: key + [.text(cut.rawValue), .integer(day)], rows: named.map { [.integer($0.id), .text($0.counts)] })
    }

    private static let days = RowsText(
        "INSERT INTO click_day (app_id, zone, report, day, cell_id, counts)", shared: 4, columns: 2, then: "ON CONFLICT DO NOTHING")

    static let zonesText = "SELECT zone FROM click_closed WHERE app_id = $1"
    static let firstClickText = "SELECT clicked_at_ms FROM click WHERE app_id = $1 ORDER BY click_id LIMIT 1"
    private static let removalText = """
        DELETE FROM click_day WHERE app_id = $1 AND zone = $2 AND (report, day, cell_id) IN (
          SELECT report, day, cell_id FROM click_day WHERE app_id = $1 AND zone = $2 LIMIT $3
        )
        """

    /// Some of the days of a zone that no report uses any more.
    func removal(_ mostRows: Int64) -> Statement { Statement(Self.removalText, key + [.integer(mostRows)]) }
    var end: Statement { Statement("DELETE FROM click_closed WHERE app_id = $1 AND zone = $2", key) }
}

/// Counts the clicks of days that are over: a part of the job that computes days.
struct ClickClosing: Sendable {
    /// A day is over so long after its end: its last clicks are on disk by then.
    static let graceMs: Int64 = 600_000

    let database: any Database
    let app: AppID
    let retention: Retention

    /// Counts one day, or deletes some days of a former zone.
    /// - Returns: false if nothing is left to do.
    func step(_ zones: [ReportZone], nowMs: Int64) async throws -> Bool {
        for zone in zones where try await close(ClickDays(app: app, zone: zone), nowMs: nowMs) { return true }
        let stored = try await database.read { [app] connection in
            try connection.rows(ClickDays.zonesText, [.text(app.rawValue)]).map { try $0.text(0) }
        }
        let former = stored.first { name in !zones.contains { $0.name == name } }.flatMap { ReportZone($0) }
        guard let former else { return false }
        let days = ClickDays(app: app, zone: former)
        return try await database.write(.bulk, locking: []) { connection in
            if try connection.run(days.removal(RetentionRule.mostRows)) < RetentionRule.mostRows { try connection.run(days.end) }
            return true
        }
    }

    private func close(_ days: ClickDays, nowMs: Int64) async throws -> Bool {
        let today = days.zone.day(ofMs: nowMs - Self.graceMs)
        let (closed, firstMs) = try await database.read { [app] connection in
            let closed = try days.closed(connection)
            let first = closed == nil ? try connection.row(ClickDays.firstClickText, [.text(app.rawValue)]) : nil
            return (closed, try first?.integer(0))
        }
        guard let closed else {
            let kept = min(today, days.zone.day(ofMs: nowMs - retention.clickMs) + 1)
            let next = max(kept, firstMs.map { min(today, days.zone.day(ofMs: $0)) } ?? today)
            let beginning = days.beginning(.init(firstDay: kept, nextDay: next))
            try await database.write(.bulk, locking: []) { _ = try $0.run(beginning) }
            return true
        }
        guard closed.nextDay < today else { return false }
        let replacing = try await replacing(closed.nextDay, days)
        return try await database.write(.bulk, locking: []) { connection in
            if try connection.run(days.advance(past: closed.nextDay)) > 0 { try connection.batch(replacing) }
            return true
        }
    }

    private func replacing(_ day: Int64, _ days: ClickDays) async throws -> [Statement] {
        let store = LinkReportStore(database: database)
        var replacing: [Statement] = []
        for cut in ClickCut.allCases {
            replacing += try days.replacement(of: day, cut, with: try await store.day(day, cut.fields, of: app, in: days.zone))
        }
        return replacing
    }
}
