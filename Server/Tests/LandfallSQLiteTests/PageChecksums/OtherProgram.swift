// SPDX-License-Identifier: Apache-2.0
import CSQLite

@testable import LandfallSQLite

/// SQLite as other programs use it: it does not know of checksums.
final class OtherProgram {
    struct Failure: Error { let text: String }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        // The process's first connection decides how SQLite is set up.
        _ = try SQLiteConnection(":memory:", .readingAndWriting)
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw Failure(text: path)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Statements without rows, or whose rows nobody needs.
    func run(_ text: String) throws {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw Failure(text: String(cString: sqlite3_errmsg(handle))) }
    }

    /// The first value of the first row.
    func text(_ query: String) throws -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW else {
            throw Failure(text: String(cString: sqlite3_errmsg(handle)))
        }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
}
