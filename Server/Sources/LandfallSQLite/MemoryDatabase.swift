// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
import Synchronization

/// The embedded engine without a file, on the caller's own thread: nothing is awaited, so that a simulation keeps the order of
/// its seed. Everything is lost when it is released.
package final class MemoryDatabase: Database {
    private let connection: Mutex<SQLiteConnection>
    package let observers = StoreObservers()

    /// - Throws: the engine's error if there is no memory left.
    package init() throws { connection = Mutex(try SQLiteConnection(":memory:", .readingAndWriting)) }

    /// Nobody else reads or writes meanwhile.
    func withConnection<Value: Sendable>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { try body($0) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value {
        try connection.withLock { try body($0) }
    }

    package func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? {
        try connection.withLock { try body($0) }
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try change(body)
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        then(Result { try change(body) })
    }

    private func change<Value: Sendable>(_ body: @Sendable (any WriteConnection) throws -> Value) throws -> Value {
        let (value, told) = try connection.withLock { (try $0.change(body), $0.takeTold()) }
        observers.tell(.changed(told))
        return value
    }

    package func migrate(_ migrations: [Migration]) async throws {
        try connection.withLock { connection in
            try connection.change { connection in
                let applied = try AppliedMigration.prepared(connection)
                for migration in try Migration.pending(of: migrations, applied: applied) {
                    try migration.run(connection, position: migrations.firstIndex(of: migration) ?? 0)
                }
            }
        }
    }

    /// Removes every row and keeps the schema.
    package func empty() throws {
        try connection.withLock { connection in
            try connection.change { connection in
                let names = try connection.rows(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migration'"
                )
                // These are names of our own schema, and SQL accepts no bound value as a table name.
                for name in names { try connection.run("DELETE FROM \"\(try name.text("name"))\"") }
            }
        }
    }
}
