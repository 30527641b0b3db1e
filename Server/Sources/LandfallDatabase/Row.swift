// SPDX-License-Identifier: Apache-2.0
/// One row of an answer, read by column name.
public struct Row: Hashable, Sendable {
    public let columns: [String]
    public let values: [SQLValue]

    public init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    public subscript(_ column: String) -> SQLValue {
        columns.firstIndex(of: column).map { values[$0] } ?? .null
    }

    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` where the column is absent, NULL or of another type.
    public func text(_ column: String) throws -> String {
        guard case .text(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    public func integer(_ column: String) throws -> Int64 {
        guard case .integer(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    /// Takes an integer too: SQLite's `RETURNING` gives whole numbers of a DOUBLE PRECISION column as such.
    public func real(_ column: String) throws -> Double {
        switch self[column] {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw DatabaseError.unexpectedValue(column: column)
        }
    }

    public func blob(_ column: String) throws -> [UInt8] {
        guard case .blob(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    public func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    public func optionalText(_ column: String) -> String? {
        if case .text(let value) = self[column] { value } else { nil }
    }

    public func optionalInteger(_ column: String) -> Int64? {
        if case .integer(let value) = self[column] { value } else { nil }
    }
}
