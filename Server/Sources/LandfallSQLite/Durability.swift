// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import LandfallDatabase

/// A commit is answered only when it is on disk: write-ahead log, synced at every commit.
enum Durability {
    /// Sets FULL on the writer and reads it back. After the pool is open, because opening it lowers the level to NORMAL.
    static func enforce(on connection: GRDB.Database) throws {
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        try check(
            synchronous: Int.fetchOne(connection, sql: "PRAGMA synchronous"),
            journalMode: String.fetchOne(connection, sql: "PRAGMA journal_mode")
        )
    }

    /// - Parameters:
    ///   - synchronous: as SQLite answers: 0 OFF, 1 NORMAL, 2 FULL, 3 EXTRA.
    ///   - journalMode: as SQLite answers, for example `wal`.
    static func check(synchronous: Int?, journalMode: String?) throws {
        guard let synchronous, synchronous >= 2 else {
            throw LandfallDatabase.DatabaseError.notDurable(
                "synchronous is \(synchronous.map(String.init) ?? "unknown"), not FULL")
        }
        guard journalMode?.lowercased() == "wal" else {
            throw LandfallDatabase.DatabaseError.notDurable("the journal mode is \(journalMode ?? "unknown"), not WAL")
        }
    }
}
