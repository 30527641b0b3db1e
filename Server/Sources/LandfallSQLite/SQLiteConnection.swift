// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

import CSQLite
import Synchronization

/// One connection to SQLite that prepares each text once. Used by one thread at a time; closes itself.
///
/// Unchecked, because its users take turns: the writer's queue, ``Readers`` and the lock of ``MemoryDatabase``.
package final class SQLiteConnection: WriteConnection, @unchecked Sendable {
    package enum Access { case readingAndWriting, reading }

    /// Once for each process. Has no effect if other code has already initialised SQLite: then it still counts memory.
    static let countsNoMemory = landfall_sqlite_counts_no_memory()

    let handle: OpaquePointer
    private let damage: MetDamage?
    private var texts = PreparedTexts()
    private var boundTexts = BoundTexts()
    private let isInterrupted = Atomic(false)
    /// What the open transaction has changed.
    private var told: [StoreChange] = []
    /// Nil while nobody follows the log.
    var logEnd: LogEnd?

    /// - Parameters:
    ///   - path: of the file, or `:memory:`.
    ///   - patience: how long a statement waits for a lock of another connection.
    ///   - damage: receives the engine's errors about a damaged store.
    package init(_ path: String, _ access: Access, patience: Duration = .zero, damage: MetDamage? = nil) throws {
        guard let files = Self.files else { throw DatabaseError.cannotOpen(path: path, reason: "SQLite cannot be used") }
        var handle: OpaquePointer?
        let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let status = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, files)
        guard status == SQLITE_OK, let handle else {
            let reason = String(cString: sqlite3_errstr(status))
            sqlite3_close_v2(handle)
            throw DatabaseError.cannotOpen(path: path, reason: reason)
        }
        self.handle = handle
        self.damage = damage
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(patience / .milliseconds(1)))
        sqlite3_progress_handler(
            handle, Self.stepsBetweenLooks,
            { connection in
                guard let connection else { return 0 }
                return Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().isInterrupted.load(ordering: .relaxed)
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        if access == .readingAndWriting, hasChecksums == nil { leaveRoomForChecksums() }
    }

    /// In instructions of SQLite's virtual machine: some tenths of a millisecond.
    private static let stepsBetweenLooks: Int32 = 10_000

    // The prepared statements are finalized after this, and the connection closes with the last of them.
    deinit {
        sqlite3_progress_handler(handle, 0, nil, nil)
        sqlite3_close_v2(handle)
    }

    /// Rows that were changed on this connection, including those of failed transactions.
    var changeCount: Int32 { sqlite3_total_changes(handle) }

    var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// True if the last call failed because another connection held a lock.
    var metLock: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(sqlite3_errcode(handle) & 0xFF) }

    /// Interrupts the running statement, and every long one until ``heedNoInterrupt()``: the thread that reads may be between two
    /// statements, where SQLite's own call has no effect. This is the only method that another thread may call meanwhile.
    func interrupt() {
        isInterrupted.store(true, ordering: .relaxed)
        sqlite3_interrupt(handle)
    }

    /// Call it before the statements of another caller.
    func heedNoInterrupt() { isInterrupted.store(false, ordering: .relaxed) }

    /// Runs the body on one snapshot of the store.
    func reading<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value {
        try run(Self.begin)
        // Nothing was changed; this fails if the engine has already ended the transaction.
        defer { _ = try? run(Self.end) }
        return try body(self)
    }

    /// Runs the body as one transaction.
    func change<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value {
        try run("BEGIN")
        do {
            let value = try body(self)
            try run("COMMIT")
            return value
        } catch {
            forgetTold(after: 0)
            // Fails if the engine has already ended the transaction.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    package func tell(_ change: StoreChange) { told.append(change) }

    /// How many changes were named.
    var toldCount: Int { told.count }

    /// Forgets the changes that a failed unit named.
    func forgetTold(after count: Int) { told.removeLast(told.count - count) }

    /// The changes that were named since the last call.
    func takeTold() -> [StoreChange] {
        defer { told = [] }
        return told
    }

    package func lock(_ locks: [RowLock]) {}

    package func rows(_ statement: Statement) throws -> [Row] {
        let text = try bound(statement)
        defer { sqlite3_reset(text.statement) }
        var rows: [Row] = []
        guard try step(text) else { return rows }
        text.refreshColumns()
        let columns = text.columns
        repeat {
            let values = [SQLValue](unsafeUninitializedCapacity: columns.names.count) { buffer, count in
                for place in buffer.indices {
                    buffer.initializeElement(at: place, to: SQLValue(text.statement, Int32(place)))
                }
                count = buffer.count
            }
            rows.append(Row(columns, values))
        } while try step(text)
        return rows
    }

    @discardableResult
    package func run(_ statement: Statement) throws -> Int {
        let text = try bound(statement)
        defer { sqlite3_reset(text.statement) }
        let before = sqlite3_total_changes(handle)
        while try step(text) {}
        return Int(sqlite3_total_changes(handle) &- before)
    }

    // Literals of 16 bytes or more stay at one address, see ``PreparedTexts``.
    private static let begin = Statement("BEGIN DEFERRED TRANSACTION")
    private static let end = Statement("COMMIT TRANSACTION")

    /// - Returns: true if there is a row.
    private func step(_ text: PreparedText) throws -> Bool {
        switch sqlite3_step(text.statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    private func bound(_ statement: Statement) throws -> PreparedText {
        let text = try texts.find(statement.text, orPrepare: prepare)
        let values = statement.values
        boundTexts.clear()
        var index: Int32 = 1
        for number in text.values {
            guard number < values.count else {
                throw DatabaseError.failed("\(values.count) values for \((text.values.max() ?? 0) + 1) parameters")
            }
            guard try values[number].bind(to: text.statement, index, in: &boundTexts) == SQLITE_OK else { throw failure() }
            index += 1
        }
        return text
    }

    private func prepare(_ text: String) throws -> PreparedText {
        var statement: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK else { throw failure() }
        guard let statement else { throw DatabaseError.failed("an empty statement") }
        return PreparedText(text, statement)
    }

    /// The engine's message is the same for every such error; the code says which system call failed.
    private static func text(ofIOError code: Int32, _ text: String) -> String { "\(text), code \(code)" }

    /// The engine's message; it never contains the statement's values.
    func failure() -> DatabaseError {
        let text = String(cString: sqlite3_errmsg(handle))
        switch sqlite3_errcode(handle) & 0xFF {
        case SQLITE_IOERR: return .diskFailing(Self.text(ofIOError: sqlite3_extended_errcode(handle), text))
        case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_ABORT,
            // The files exist since the store was opened: the process has no file descriptor left, or there is no room for a
            // temporary file.
            SQLITE_CANTOPEN:
            return .retry(text)
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            let found = damagedPlace.map { "\(text): \($0)" } ?? text
            damage?.record(found)
            return .damaged(found)
        case SQLITE_MISUSE: return .closed
        default: return .failed(text)
        }
    }
}
