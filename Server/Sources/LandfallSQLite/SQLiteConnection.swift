// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import LandfallDatabase

/// Reads on one of the pool's connections, each text prepared once per connection.
struct SQLiteConnection: ReadConnection {
    private let connection: GRDB.Database

    init(_ connection: GRDB.Database) { self.connection = connection }

    func rows(_ statement: LandfallDatabase.Statement) throws -> [LandfallDatabase.Row] {
        let prepared = try prepare(statement)
        let columns = prepared.columnNames
        var rows: [LandfallDatabase.Row] = []
        let cursor = try GRDB.Row.fetchCursor(prepared)
        while let row = try cursor.next() {
            rows.append(LandfallDatabase.Row(columns: columns, values: row.databaseValues.map(SQLValue.init)))
        }
        return rows
    }

    private func prepare(_ statement: LandfallDatabase.Statement) throws -> GRDB.Statement {
        let prepared = try connection.cachedStatement(sql: statement.text)
        let order = ParameterOrder(of: statement.text).positions
        guard order.allSatisfy({ $0 <= statement.values.count }) else {
            throw LandfallDatabase.DatabaseError.failed("\(statement.values.count) values for \(order.max() ?? 0) parameters")
        }
        let values = try order.map { try statement.values[$0 - 1].databaseValue }
        try prepared.setArguments(StatementArguments(values))
        return prepared
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let real): self = .real(real)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob([UInt8](data))
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        get throws {
            switch self {
            case .null: return .null
            case .text(let text):
                if text.utf8.contains(0) { throw LandfallDatabase.DatabaseError.forbiddenCharacter }
                return text.databaseValue
            case .integer(let integer): return integer.databaseValue
            case .real(let real): return real.databaseValue
            case .blob(let bytes): return Data(bytes).databaseValue
            }
        }
    }
}

extension LandfallDatabase.DatabaseError {
    /// Takes the engine's sentence, never the statement's values.
    init(_ error: GRDB.DatabaseError) {
        let text = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT,
            // The files are there since the store was opened: the process has no descriptor left, or a temporary file no room.
            .SQLITE_CANTOPEN:
            self = .retry(text)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(text)
        case .SQLITE_MISUSE: self = .closed
        default: self = .failed(text)
        }
    }
}
