// SPDX-License-Identifier: Apache-2.0
internal import GRDBSQLite
internal import LandfallDatabase

/// The one connection of a ``MemoryDatabase``. Used by one thread at a time.
final class MemoryConnection: WriteConnection {
    private let handle: OpaquePointer
    private let texts: PreparedTexts

    init() throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &handle, flags, nil) == SQLITE_OK, let handle else {
            throw DatabaseError.cannotOpen(path: ":memory:", reason: "the engine has no memory left")
        }
        self.handle = handle
        texts = PreparedTexts(handle)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs the body as one transaction.
    func change<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value {
        try run("BEGIN")
        do {
            let value = try body(self)
            try run("COMMIT")
            return value
        } catch {
            // Fails where the engine has ended the transaction by itself.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    func rows(_ statement: Statement) throws -> [Row] { try texts.rows(statement) }
    func run(_ statement: Statement) throws -> Int { try texts.run(statement) }
}
