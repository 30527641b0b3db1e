// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// A commit is answered only when it is on disk: write-ahead log, synced at every commit.
enum Durability {
    /// Sets both on the writing connection, and reads them back.
    static func enforce(on connection: SQLiteConnection) throws {
        // This fails for a log that belongs to another file, and for a file that is not a database.
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        try check(connection)
    }

    static func check(_ connection: SQLiteConnection) throws {
        try check(
            synchronous: connection.row("PRAGMA synchronous")?.optionalInteger(0).map { Int($0) },
            journalMode: connection.row("PRAGMA journal_mode")?.optionalText(0)
        )
    }

    /// - Parameters:
    ///   - synchronous: SQLite's value: 0 OFF, 1 NORMAL, 2 FULL, 3 EXTRA.
    ///   - journalMode: SQLite's value, for example `wal`.
    static func check(synchronous: Int?, journalMode: String?) throws {
        guard let synchronous, synchronous >= 2 else {
            throw DatabaseError.notDurable("synchronous is \(synchronous.map(String.init) ?? "unknown"), not FULL")
        }
        guard journalMode?.lowercased() == "wal" else {
            throw DatabaseError.notDurable("the journal mode is \(journalMode ?? "unknown"), not WAL")
        }
    }
}
