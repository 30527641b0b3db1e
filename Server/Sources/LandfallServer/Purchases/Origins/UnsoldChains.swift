// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire
import Synchronization

/// Copies to chains what the events of their exposures say, where such an event came later than the purchase, or long before it: a walk
/// over all chains whose exposure is still to be found, in lots. Events are deleted only behind such a walk.
///
/// The place in the walk is kept in memory: after a restart the next walk begins at the start.
final class UnsoldChains: Sendable {
    /// Chains of one step.
    static let lot = 20
    /// The next walk begins so long after the end of the last one: less than retention rests between two runs.
    private static let restMs: Int64 = 30 * 60_000
    /// Events are kept for a month at least, so what a walk did not find is not old enough to be deleted on the same day.
    private static let freshMs = Retention.dayMs

    private struct Walk {
        var after = ""
        /// Of the last complete walk.
        var endedAtMs: Int64?
    }

    private let database: any Database
    private let app: AppID
    private let walk = Mutex(Walk())

    init(_ database: any Database, of app: AppID) { (self.database, self.app) = (database, app) }

    /// Whether events may be deleted: everything that chains name was looked for on this day.
    func isWalked(nowMs: Int64) -> Bool { ended(within: Self.freshMs, nowMs: nowMs) }

    /// Looks for the exposures of the next chains, or rests.
    /// - Returns: true if the walk goes on.
    func step(nowMs: Int64) async throws -> Bool {
        if ended(within: Self.restMs, nowMs: nowMs) { return false }
        let after = walk.withLock(\.after)
        let (last, copies) = try await database.read { [app] connection in
            let rows = try connection.rows(Self.question, [.text(app.rawValue), .text(after), .integer(Int64(Self.lot))])
            let copies = try rows.compactMap { try Copy($0, in: app, nowMs: nowMs, from: connection) }
            return (rows.count < Self.lot ? nil : try rows.last?.text("chain_id"), copies)
        }
        if !copies.isEmpty {
            let stamp = DirtyMark.drawnStamp()
            try await database.write(.bulk, locking: copies.map(\.lock)) { [app] connection in
                // The charges of the chains count for other paywalls on these days.
                let days = try ChargeDays.of(copies.map(\.chain), in: app, from: connection)
                let marks = DirtyMark.charges(on: days, sinceMs: nowMs, stamp: stamp).map { $0.insertion(into: app) }
                _ = try connection.batch(copies.map { try $0.statement } + marks)
            }
        }
        walk.withLock { $0 = Walk(after: last ?? "", endedAtMs: last == nil ? nowMs : $0.endedAtMs) }
        return last != nil
    }

    private func ended(within ms: Int64, nowMs: Int64) -> Bool {
        walk.withLock { $0.endedAtMs.map { abs(nowMs - $0) < ms } ?? false }
    }

    /// Of chains that the install has brought, before its events go: what is not found then is never found. The days of their charges are
    /// for the caller to mark.
    static func lastCopies(
        for chains: [String], of install: InstallID, in app: AppID, from connection: any ReadConnection
    ) throws -> [Statement] {
        try chains.compactMap { chain in
            let row = try connection.row(Self.oneText, [.text(app.rawValue), .text(chain)])
            return try row.map { row in
                let exposure = try row.text("exposure_id")
                let found = try SoldBy.find(exposure, of: install, in: app, from: connection)
                return try Copy(app: app, chain: chain, exposure: exposure, soldBy: found ?? SoldBy()).statement
            }
        }
    }

    /// In the order of an index that has only them.
    static let question = """
        SELECT chain_id, brought_by_install, brought_at_ms, exposure_id FROM purchase_chain
        WHERE app_id = $1 AND exposure_id IS NOT NULL AND sold_by IS NULL AND chain_id > $2 ORDER BY chain_id LIMIT $3
        """
    private static let oneText = """
        SELECT exposure_id FROM purchase_chain
        WHERE app_id = $1 AND chain_id = $2 AND exposure_id IS NOT NULL AND sold_by IS NULL
        """

    private struct Copy: Sendable {
        let app: AppID
        let chain: String
        let exposure: String
        let soldBy: SoldBy

        init(app: AppID, chain: String, exposure: String, soldBy: SoldBy) {
            (self.app, self.chain, self.exposure, self.soldBy) = (app, chain, exposure, soldBy)
        }

        /// Nil while the event may still come.
        init?(_ row: Row, in app: AppID, nowMs: Int64, from connection: any ReadConnection) throws {
            let exposure = try row.text("exposure_id"), install = row.optionalText("brought_by_install").map { InstallID($0) }
            let found = try install.flatMap { try SoldBy.find(exposure, of: $0, in: app, from: connection) }
            // Phones give an event up after half of that time.
            let isOver = install == nil || row.optionalInteger("brought_at_ms").map { nowMs - $0 > Retention.keyMs } ?? true
            guard let soldBy = found ?? (isOver ? SoldBy() : nil) else { return nil }
            self.init(app: app, chain: try row.text("chain_id"), exposure: exposure, soldBy: soldBy)
        }

        var lock: RowLock { .chain(chain, in: app) }

        var statement: Statement {
            get throws {
                Statement(
                    """
                    UPDATE purchase_chain SET sold_by = $4 WHERE app_id = $1 AND chain_id = $2 AND exposure_id = $3 AND sold_by IS NULL
                    """, [.text(app.rawValue), .text(chain), .text(exposure), .text(try soldBy.text)])
            }
        }
    }
}
