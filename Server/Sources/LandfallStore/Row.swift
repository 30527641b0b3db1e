// SPDX-License-Identifier: Apache-2.0

/// One row of an answer, read by column name, or by the index of a column: that compares no names.
package struct Row: Hashable, Sendable {
    private let shape: Columns
    package let values: [SQLValue]

    /// - Parameter values: as many as there are columns.
    package init(_ columns: Columns, _ values: [SQLValue]) {
        shape = columns
        self.values = values
    }

    init(columns: [String], values: [SQLValue]) { self.init(Columns(columns), values) }

    var columns: [String] { shape.names }

    package subscript(_ column: String) -> SQLValue { shape.place(of: column).map { values[$0] } ?? .null }

    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` if the column is absent, NULL or of another type.
    package func text(_ column: String) throws -> String {
        guard case .text(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    package func integer(_ column: String) throws -> Int64 {
        guard case .integer(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    /// Also accepts an integer: SQLite's `RETURNING` returns whole numbers of a DOUBLE PRECISION column as integers.
    func real(_ column: String) throws -> Double {
        switch self[column] {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw DatabaseError.unexpectedValue(column: column)
        }
    }

    package func blob(_ column: String) throws -> [UInt8] {
        guard case .blob(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    package func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    package func optionalText(_ column: String) -> String? {
        if case .text(let value) = self[column] { value } else { nil }
    }

    package func optionalInteger(_ column: String) -> Int64? {
        if case .integer(let value) = self[column] { value } else { nil }
    }
}

extension Row {
    /// - Parameter index: the column's position in the statement, from 0.
    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` if the value is NULL or of another type.
    package func text(_ index: Int) throws -> String {
        guard case .text(let value) = values[index] else { throw DatabaseError.unexpectedValue(column: columns[index]) }
        return value
    }

    package func integer(_ index: Int) throws -> Int64 {
        guard case .integer(let value) = values[index] else { throw DatabaseError.unexpectedValue(column: columns[index]) }
        return value
    }

    package func blob(_ index: Int) throws -> [UInt8] {
        guard case .blob(let value) = values[index] else { throw DatabaseError.unexpectedValue(column: columns[index]) }
        return value
    }

    package func flag(_ index: Int) throws -> Bool { try integer(index) != 0 }

    package func optionalText(_ index: Int) -> String? {
        if case .text(let value) = values[index] { value } else { nil }
    }

    package func optionalInteger(_ index: Int) -> Int64? {
        if case .integer(let value) = values[index] { value } else { nil }
    }
}

/// The names of an answer's columns: made once for a text, shared by all its rows.
package final class Columns: Hashable, Sendable {
    package let names: [String]
    private let places: [String: Int]

    /// - Parameter names: if a name occurs twice, it means the first column.
    package init(_ names: [String]) {
        self.names = names
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    package func place(of name: String) -> Int? { places[name] }

    package static func == (one: Columns, other: Columns) -> Bool { one === other || one.names == other.names }

    package func hash(into hasher: inout Hasher) { hasher.combine(names) }
}
