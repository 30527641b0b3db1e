// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallStore
import LandfallWire

/// The table `report_day`.
struct RollupRows: Sendable {
    let app: AppID
    let generation: Int64

    /// Replaces a day. A day without cells has no row.
    func replacement(of day: Int64, _ report: String, with text: String) -> Statement {
        let key: [SQLValue] = [.text(app.rawValue), .integer(generation), .text(report), .integer(day)]
        guard !text.isEmpty else {
            return Statement("DELETE FROM report_day WHERE app_id = $1 AND generation = $2 AND report = $3 AND day = $4", key)
        }
        return Statement(
            """
            INSERT INTO report_day (app_id, generation, report, day, cells) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app_id, generation, report, day) DO UPDATE SET cells = excluded.cells
            """, key + [.text(text)])
    }

    static let removalText = """
        DELETE FROM report_day WHERE app_id = $1 AND (generation, report, day) IN (
          SELECT generation, report, day FROM report_day WHERE app_id = $1 AND generation < $2 LIMIT $3
        )
        """

    /// Deletes what is marked of a generation that is not computed any more.
    func staleMarks() -> [Statement] {
        DirtyMark.allDays(of: generation).map {
            Statement("DELETE FROM report_dirty WHERE app_id = $1 AND report = $2", [.text(app.rawValue), .text($0)])
        }
    }
}

/// Reads computed days.
package struct RollupReader: Sendable {
    let database: any StoreReading
    let app: AppID

    struct Found: Sendable {
        /// The cells of each day, see ``DayText``.
        let days: [(day: Int64, text: String)]
        /// Every fact that the server received before is counted.
        let completeToMs: Int64
    }

    static let text = """
        SELECT day, cells FROM report_day WHERE app_id = $1 AND generation = $2 AND report = $3 AND day >= $4 AND day <= $5
        """
    static let waitingText = """
        SELECT MIN(since_ms) AS since_ms FROM (
          SELECT MIN(since_ms) AS since_ms FROM report_dirty WHERE app_id = $1 AND report = 'install'
          UNION ALL
          SELECT MIN(since_ms) AS since_ms FROM report_dirty WHERE app_id = $1 AND report = $2
          UNION ALL
          SELECT MIN(since_ms) AS since_ms FROM report_dirty WHERE app_id = $1 AND report = $3
        ) AS waiting
        """

    func read(_ generation: RollupState.Generation, _ report: String, _ days: ClosedRange<Int64>, nowMs: Int64) async throws -> Found {
        // One snapshot: what is not counted in these days still has its mark.
        try await database.read { [app] connection in
            Found(
                days: try Self.days(app, generation, report, days, connection),
                completeToMs: try Self.completeToMs(app, generation, nowMs: nowMs, connection))
        }
    }

    static func days(
        _ app: AppID, _ generation: RollupState.Generation, _ report: String, _ days: ClosedRange<Int64>, _ connection: any ReadConnection
    ) throws -> [(day: Int64, text: String)] {
        let values: [SQLValue] = [
            .text(app.rawValue), .integer(generation.number), .text(report), .integer(days.lowerBound), .integer(days.upperBound),
        ]
        return try connection.rows(text, values).map { (try $0.integer(0), try $0.text(1)) }
    }

    package static func completeToMs(_ app: AppID, _ generation: RollupState.Generation, nowMs: Int64, _ connection: any ReadConnection) throws -> Int64 {
        let values = [app.rawValue] + DirtyMark.allDays(of: generation.number)
        let sinceMs = try connection.row(waitingText, values.map { .text($0) })?.optionalInteger("since_ms")
        return min(sinceMs ?? nowMs, nowMs)
    }
}
