// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import LandfallStore

extension SQLValue {
    /// Reads a column of the statement's current row.
    init(_ statement: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // The pointer first: that call converts the value, so that the count is in bytes of UTF-8.
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))
            )
            self = .blob(Array(bytes))
        default: self = .null
        }
    }

    /// - Parameter texts: keeps the value, if it is a text and there is room.
    /// - Returns: the engine's result code.
    /// - Throws: ``DatabaseError/forbiddenCharacter``.
    func bind(to statement: OpaquePointer, _ index: Int32, in texts: inout BoundTexts) throws -> Int32 {
        // Makes SQLite copy the value before the call returns.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
        case .real(let real): return sqlite3_bind_double(statement, index, real)
        case .text(var text):
            return try text.withUTF8 { bytes in
                // An empty text has no address, and SQLite would bind NULL for no address.
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text(statement, index, "", 0, copying)
                }
                if memchr(start, 0, bytes.count) != nil { throw DatabaseError.forbiddenCharacter }
                if let kept = texts.keep(bytes) { return sqlite3_bind_text(statement, index, kept, Int32(bytes.count), nil) }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(statement, index, $0, Int32(bytes.count), copying)
                }
            }
        case .blob(let bytes):
            return bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copying)
        }
    }
}
