// SPDX-License-Identifier: Apache-2.0
internal import GRDBSQLite
internal import LandfallDatabase

/// Runs statements on one connection, each text prepared once. Used by one thread at a time.
///
/// It speaks to SQLite itself: what a pool's statements add to each run (arguments in an array of their own, an authorizer, an
/// observer, the parameters counted again) took longer than the insert of a click.
///
/// Unchecked, because its users take turns: the lock of ``MemoryDatabase``, and the pool's writer queue of ``GroupedWriter``.
final class PreparedTexts: WriteConnection, @unchecked Sendable {
    /// A prepared text, and what is asked of it each time.
    private struct Prepared {
        let statement: OpaquePointer
        /// For each of SQLite's parameters the number of its value, from 0.
        let values: [Int]
        let columns: [String]
    }

    private let handle: OpaquePointer
    private let damage: MetDamage?
    private var prepared: [String: Prepared] = [:]

    /// - Parameters:
    ///   - handle: of the connection; closed by whoever opened it, with `sqlite3_close_v2` or after this one is gone.
    ///   - damage: is told what the engine says of a damaged store.
    init(_ handle: OpaquePointer, damage: MetDamage? = nil) {
        self.handle = handle
        self.damage = damage
    }

    deinit { for text in prepared.values { sqlite3_finalize(text.statement) } }

    /// Rows that were changed on this connection, those of units that failed too.
    var changeCount: Int32 { sqlite3_total_changes(handle) }

    func rows(_ statement: Statement) throws -> [Row] {
        let text = try bound(statement)
        defer { sqlite3_reset(text.statement) }
        var rows: [Row] = []
        while try step(text) {
            let values = text.columns.indices.map { SQLValue(text.statement, Int32($0)) }
            rows.append(Row(columns: text.columns, values: values))
        }
        return rows
    }

    func run(_ statement: Statement) throws -> Int {
        let text = try bound(statement)
        defer { sqlite3_reset(text.statement) }
        let before = sqlite3_total_changes(handle)
        while try step(text) {}
        return Int(sqlite3_total_changes(handle) &- before)
    }

    /// - Returns: whether there is a row.
    private func step(_ text: Prepared) throws -> Bool {
        switch sqlite3_step(text.statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    private func bound(_ statement: Statement) throws -> Prepared {
        let text = try prepare(statement.text)
        for (index, number) in text.values.enumerated() {
            guard statement.values.indices.contains(number) else {
                throw DatabaseError.failed("\(statement.values.count) values for parameter \(number + 1)")
            }
            try statement.values[number].bind(to: text.statement, Int32(index + 1), orThrow: failure)
        }
        return text
    }

    private func prepare(_ text: String) throws -> Prepared {
        if let known = prepared[text] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure() }
        let new = Prepared(
            statement: statement, values: ParameterOrder(of: text).positions.map { $0 - 1 },
            columns: (0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) }
        )
        prepared[text] = new
        return new
    }

    /// The engine's sentence, never the statement's values.
    private func failure() -> DatabaseError {
        let text = String(cString: sqlite3_errmsg(handle))
        switch sqlite3_errcode(handle) & 0xFF {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_ABORT,
            // The files are there since the store was opened: the process has no descriptor left, or a temporary file no room.
            SQLITE_CANTOPEN:
            return .retry(text)
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            damage?.record(text)
            return .damaged(text)
        case SQLITE_MISUSE: return .closed
        default: return .failed(text)
        }
    }
}

extension SQLValue {
    fileprivate init(_ statement: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: self = .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))
            )
            self = .blob(Array(bytes))
        default: self = .null
        }
    }

    fileprivate func bind(to statement: OpaquePointer, _ index: Int32, orThrow failure: () -> DatabaseError) throws {
        // SQLite copies what it is given before the call returns.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let status: Int32
        switch self {
        case .null: status = sqlite3_bind_null(statement, index)
        case .integer(let integer): status = sqlite3_bind_int64(statement, index, integer)
        case .real(let real): status = sqlite3_bind_double(statement, index, real)
        case .text(let text):
            if text.utf8.contains(0) { throw DatabaseError.forbiddenCharacter }
            status = sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copying)
        case .blob(let bytes):
            status =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copying)
        }
        if status != SQLITE_OK { throw failure() }
    }
}
