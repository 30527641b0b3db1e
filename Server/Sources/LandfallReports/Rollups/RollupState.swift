// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Which days are computed by which rules, and how far a new generation of them is.
package struct RollupState: Hashable, Sendable {
    /// Days that reports can read, or that are being computed.
    package struct Generation: Hashable, Sendable {
        let number: Int64
        package let rules: RollupRules
    }

    /// A generation on its way.
    struct Building: Hashable, Sendable {
        var generation: Generation
        /// Whether every install is computed again before the days.
        var readsInstalls: Bool
        /// The last install, or the last day, that is done.
        var doneTo: String
        var done: Int64
        var total: Int64
    }

    /// Nil before the first generation is complete.
    package var serving: Generation?
    var building: Building?
    /// Earlier installs, and earlier events, may have been deleted before they were counted.
    var installsFromMs: Int64
    var eventsFromMs: Int64
    /// On which days installs are seen is recorded since then. Nil in a store whose days have an earlier form.
    var activityFromMs: Int64?

    var generations: [Generation] { [serving, building?.generation].compactMap(\.self) }

    func isBuilding(_ generation: Generation) -> Bool { generation.number == building?.generation.number }

    /// The generations whose days have to follow a change. Once all installs are computed, a new one marks each day anyway.
    var following: [Generation] {
        [serving, building.flatMap { $0.readsInstalls ? nil : $0.generation }].compactMap(\.self)
    }
}

extension RollupState {
    /// Held while the state is replaced, and while marks are written for the generations that are there.
    package static func lock(_ app: AppID) -> RowLock { RowLock("report_state", ["app_id": .text(app.rawValue)]) }

    static let text = """
        SELECT generation, rules, building, building_rules, reads_installs, done_to, done, total, installs_from_ms, events_from_ms,
          activity_from_ms
        FROM report_state WHERE app_id = $1
        """

    package static func load(_ app: AppID, _ connection: any ReadConnection) throws -> RollupState? {
        try connection.row(text, [.text(app.rawValue)]).map { try RollupState($0) }
    }

    private init(_ row: Row) throws {
        installsFromMs = try row.integer("installs_from_ms")
        eventsFromMs = try row.integer("events_from_ms")
        activityFromMs = row.optionalInteger("activity_from_ms")
        serving = try Self.generation(row.optionalInteger("generation"), row.optionalText("rules"))
        building = try Self.generation(row.optionalInteger("building"), row.optionalText("building_rules")).map {
            Building(
                generation: $0, readsInstalls: try row.flag("reads_installs"), doneTo: try row.text("done_to"),
                done: try row.integer("done"), total: try row.integer("total"))
        }
    }

    private static func generation(_ number: Int64?, _ rules: String?) throws -> Generation? {
        guard let number, let rules else { return nil }
        return Generation(number: number, rules: try RollupRules(rules))
    }

    /// Writes the state with what belongs to it, if the state is still as `before`: another node may have been faster.
    /// - Returns: false if it was.
    func replace(
        _ before: RollupState?, with statements: [Statement], in app: AppID, _ database: any Database
    ) async throws -> Bool {
        let replacement = try replacement(of: before, in: app)
        return try await database.write(.bulk, locking: [Self.lock(app)]) { connection in
            guard try connection.run(replacement) > 0 else { return false }
            try connection.batch(statements)
            return true
        }
    }

    private func replacement(of before: RollupState?, in app: AppID) throws -> Statement {
        let values: [SQLValue] = [
            .text(app.rawValue), .integer(serving?.number), .text(try serving?.rules.text), .integer(building?.generation.number),
            .text(try building?.generation.rules.text), .flag(building?.readsInstalls ?? false), .text(building?.doneTo ?? ""),
            .integer(building?.done ?? 0), .integer(building?.total ?? 0), .integer(installsFromMs), .integer(eventsFromMs),
            .integer(activityFromMs),
        ]
        return Statement(
            """
            INSERT INTO report_state (app_id, generation, rules, building, building_rules, reads_installs, done_to, done, total,
              installs_from_ms, events_from_ms, activity_from_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (app_id) DO UPDATE SET generation = excluded.generation, rules = excluded.rules,
              building = excluded.building, building_rules = excluded.building_rules,
              reads_installs = excluded.reads_installs, done_to = excluded.done_to, done = excluded.done,
              total = excluded.total, installs_from_ms = excluded.installs_from_ms, events_from_ms = excluded.events_from_ms,
              activity_from_ms = excluded.activity_from_ms
            WHERE COALESCE(report_state.generation, 0) = $13 AND COALESCE(report_state.building, 0) = $14
              AND report_state.reads_installs = $15 AND report_state.done_to = $16
            """,
            values + [
                .integer(before?.serving?.number ?? 0), .integer(before?.building?.generation.number ?? 0),
                .flag(before?.building?.readsInstalls ?? false), .text(before?.building?.doneTo ?? ""),
            ])
    }
}
