// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// The tables `report_day` and `report_cell`.
struct RollupRows: Sendable {
    let app: AppID
    let generation: Int64

    /// Replaces every cell of a day.
    func replacement(of day: Int64, _ cut: RollupCut, with cells: [[String?]: RollupCounts]) throws -> [Statement] {
        let named = try cells.map { fields, counts in
            let text = String(decoding: try WireCoding.encode(fields), as: UTF8.self)
            return (id: RollupCells.id(of: text), fields: text, counts: counts.text)
        }.sorted { $0.id < $1.id }
        return [
            Statement(
                "DELETE FROM report_day WHERE app_id = $1 AND generation = $2 AND report = $3 AND day = $4",
                [.text(app.rawValue), .integer(generation), .text(cut.rawValue), .integer(day)])
        ]
            + Self.cells.statements(
                shared: [.text(app.rawValue), .text(cut.rawValue)], rows: named.map { [.integer($0.id), .text($0.fields)] })
            + Self.days.statements(
                shared: [.text(app.rawValue), .integer(generation), .text(cut.rawValue), .integer(day)],
                rows: named.map { [.integer($0.id), .text($0.counts)] })
    }

    /// Takes a day as it is in another generation.
    func copy(of day: Int64, from other: Int64) -> Statement {
        Statement(
            """
            INSERT INTO report_day (app_id, generation, report, day, cell_id, counts)
            SELECT app_id, CAST($3 AS BIGINT), report, day, cell_id, counts FROM report_day WHERE app_id = $1 AND generation = $2 AND day = $4
            ON CONFLICT DO NOTHING
            """, [.text(app.rawValue), .integer(other), .integer(generation), .integer(day)])
    }

    static let removalText = """
        DELETE FROM report_day WHERE app_id = $1 AND (generation, report, day, cell_id) IN (
          SELECT generation, report, day, cell_id FROM report_day WHERE app_id = $1 AND generation < $2 LIMIT $3
        )
        """
    static let staleMarksText = "DELETE FROM report_dirty WHERE app_id = $1 AND report = $2"

    static let cells = RowsText(
        "INSERT INTO report_cell (app_id, report, cell_id, fields)", shared: 2, columns: 2, then: "ON CONFLICT DO NOTHING")
    private static let days = RowsText(
        "INSERT INTO report_day (app_id, generation, report, day, cell_id, counts)", shared: 4, columns: 2,
        then: "ON CONFLICT DO NOTHING")
}

/// Reads computed days.
struct RollupReading: Sendable {
    let database: any Database
    let app: AppID

    struct Found: Sendable {
        /// Installs and their counts, by day and fields.
        var days: [(day: Int64, fields: [String?], counts: RollupCounts)] = []
        /// Every fact that the server received before is counted.
        var completeToMs: Int64
    }

    static let text = """
        SELECT d.day, d.cell_id, d.counts FROM report_day d
        WHERE d.app_id = $1 AND d.generation = $2 AND d.report = $3 AND d.day >= $4 AND d.day <= $5
        """
    static let fieldsText = """
        SELECT cell_id, fields FROM report_cell WHERE app_id = $1 AND report = $3 AND cell_id IN (
          SELECT cell_id FROM report_day WHERE app_id = $1 AND generation = $2 AND report = $3 AND day >= $4 AND day <= $5
        )
        """
    static let waitingText = """
        SELECT MIN(since_ms) AS since_ms FROM (
          SELECT MIN(since_ms) AS since_ms FROM report_dirty WHERE app_id = $1 AND report = 'install'
          UNION ALL
          SELECT MIN(since_ms) AS since_ms FROM report_dirty WHERE app_id = $1 AND report = $2
        ) AS waiting
        """

    func read(_ generation: RollupState.Generation, _ cut: RollupCut, _ days: ClosedRange<Int64>, nowMs: Int64) async throws -> Found {
        let values = Self.values(app, generation, cut, days)
        let waiting: [SQLValue] = [.text(app.rawValue), .text(ReportMark.days(of: generation.number))]
        // One snapshot: what is not counted in these days still has its mark.
        return try await database.read { connection in
            let sinceMs = try connection.row(Self.waitingText, waiting)?.optionalInteger("since_ms") ?? nowMs
            var found = Found(completeToMs: min(sinceMs, nowMs))
            found.days = try Self.cells(values, connection)
            return found
        }
    }

    /// What ``cells(_:_:)`` asks for.
    static func values(
        _ app: AppID, _ generation: RollupState.Generation, _ cut: RollupCut, _ days: ClosedRange<Int64>
    ) -> [SQLValue] {
        [.text(app.rawValue), .integer(generation.number), .text(cut.rawValue), .integer(days.lowerBound), .integer(days.upperBound)]
    }

    static func cells(
        _ values: [SQLValue], _ connection: any ReadConnection
    ) throws -> [(day: Int64, fields: [String?], counts: RollupCounts)] {
        var fields: [Int64: [String?]] = [:]
        for row in try connection.rows(fieldsText, values) {
            fields[try row.integer(0)] = try WireCoding.decode([String?].self, from: Data(try row.text(1).utf8))
        }
        return try connection.rows(text, values).map { row in
            guard let fields = fields[try row.integer(1)], let counts = RollupCounts(try row.text(2)) else {
                throw DatabaseError.unexpectedValue(column: "counts")
            }
            return (try row.integer(0), fields, counts)
        }
    }
}
