// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import LandfallSQLite
import LandfallStore

/// A backup of the store, with what was acknowledged until then.
struct NotedCopy: Sendable {
    let at: Duration
    fileprivate let store: MemoryCopy
    let acknowledged: AcknowledgedEvents

    /// R1 is checked at once.
    init(of database: MemoryDatabase, _ ledger: FactLedger, at time: Duration) async throws {
        at = time
        store = try database.copy()
        acknowledged = ledger.acknowledged
        try await ledger.check("R1", database)
    }

    /// As `landfall restore` does it: the copy, with a new epoch, in place of the store.
    /// - Parameter knowsStore: false if the store that phones used until now is gone, so its epoch is not known.
    func replace(_ database: MemoryDatabase, knowsStore: Bool, nowMs: Int64, planted: PlantedError? = nil) async throws {
        let seen = try await database.read { try StoreRestore.epoch(of: $0) }
        try database.replace(by: store)
        try await database.write(.bulk, locking: []) { connection in
            let applied = try AppliedMigration.all(connection)
            _ = try StoreRestore.prepare(connection, applied: applied, replacing: knowsStore ? seen : nil, nowMs: nowMs)
            guard planted == .lossyRestore else { return }
            try connection.run("DELETE FROM event WHERE event_id = (SELECT MAX(event_id) FROM event)", [])
        }
    }
}
