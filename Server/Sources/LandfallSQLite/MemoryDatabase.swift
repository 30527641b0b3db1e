// SPDX-License-Identifier: Apache-2.0
internal import GRDB
public import LandfallDatabase

/// The embedded engine without a file, on the caller's own thread: nothing is awaited, so that a simulation stays in the order
/// that its seed gives. Nothing is kept when it is released.
public final class MemoryDatabase: LandfallDatabase.Database {
    private let queue: DatabaseQueue

    /// - Throws: what the engine says where it has no memory left.
    public init() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        queue = try DatabaseQueue(configuration: configuration)
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value {
        try look(body)
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try change(body)
    }

    public func migrate(_ migrations: [LandfallDatabase.Migration]) async throws {
        try change { connection in
            try connection.run("CREATE TABLE IF NOT EXISTS schema_migration (id TEXT NOT NULL PRIMARY KEY)")
            let applied = Set(try connection.rows("SELECT id FROM schema_migration").map { try $0.text("id") })
            for migration in try Migration.pending(of: migrations, applied: applied) {
                for text in migration.statements { try connection.run(text) }
                try connection.run("INSERT INTO schema_migration (id) VALUES ($1)", [.text(migration.id)])
            }
        }
    }

    /// Removes every row and keeps the schema.
    public func empty() throws {
        try change { connection in
            let names = try connection.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migration'"
            )
            // Names of our own schema, and SQL takes no value in the place of a table.
            for name in names { try connection.run("DELETE FROM \"\(try name.text("name"))\"") }
        }
    }

    private func look<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value {
        do {
            return try queue.unsafeRead { try body(SQLiteConnection($0)) }
        } catch let error as GRDB.DatabaseError {
            throw LandfallDatabase.DatabaseError(error)
        }
    }

    private func change<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value {
        do {
            return try queue.write { try body(SQLiteConnection($0)) }
        } catch let error as GRDB.DatabaseError {
            throw LandfallDatabase.DatabaseError(error)
        }
    }
}
