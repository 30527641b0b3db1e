// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Compares the machine's clock with the newest time that the store knows. After a start with a wrong clock every row would seem
/// expired; then no row is deleted until the operator confirms the clock.
///
/// The newest time is a row of its own, which grows with each look of the retention. Times of other rows cannot be used: phones write rows
/// with a wrong clock before the first look. A clock that goes back changes nothing; the row keeps the newest time.
package struct RetentionClock: Sendable {
    /// How far the clock may be ahead of the newest time. Less than the shortest time of any row (30 days), so that a wrong clock within
    /// the bound never empties a table; longer than a server usually stands still.
    static let boundMs: Int64 = 7 * Retention.dayMs
    /// A newest time that is younger than this is not written again.
    static let stepMs: Int64 = 60_000

    /// The newest time that the store knew when its clock was further ahead than the bound.
    package struct Jump: Hashable, Sendable {
        package let newestMs: Int64
        package let nowMs: Int64
        package var aheadMs: Int64 { nowMs - newestMs }
    }

    package let database: any Database
    package let app: AppID

    package init(database: any Database, app: AppID) {
        (self.database, self.app) = (database, app)
    }

    /// - Returns: nil if the clock is plausible. Then it is the newest time.
    func jump(nowMs: Int64) async throws -> Jump? {
        let known = try await newestMs()
        if let known, nowMs - known > Self.boundMs { return Jump(newestMs: known, nowMs: nowMs) }
        if nowMs - (known ?? 0) > Self.stepMs { try await keep(nowMs) }
        return nil
    }

    /// Only reads: for `landfall doctor`.
    package func jumpUnwritten(nowMs: Int64) async throws -> Jump? {
        guard let known = try await newestMs(), nowMs - known > Self.boundMs else { return nil }
        return Jump(newestMs: known, nowMs: nowMs)
    }

    /// The operator says that the clock is right.
    /// - Returns: nil if there was nothing to confirm.
    func confirm(nowMs: Int64) async throws -> Jump? {
        guard let jump = try await jumpUnwritten(nowMs: nowMs) else { return nil }
        try await keep(nowMs)
        return jump
    }

    private func newestMs() async throws -> Int64? {
        try await database.read { [app] connection in
            try connection.row("SELECT newest_ms FROM retention_clock WHERE app_id = $1", [.text(app.rawValue)])?.integer("newest_ms")
        }
    }

    private func keep(_ nowMs: Int64) async throws {
        let statement = Statement(
            """
            INSERT INTO retention_clock (app_id, newest_ms) VALUES ($1, $2)
            ON CONFLICT (app_id) DO UPDATE SET newest_ms = excluded.newest_ms
            """, [.text(app.rawValue), .integer(nowMs)])
        try await database.write(.bulk, locking: []) { connection in _ = try connection.run(statement) }
    }
}
