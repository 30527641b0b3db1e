// SPDX-License-Identifier: Apache-2.0

/// One row of an answer, read by column name, or by position on a hot path.
public struct Row: Hashable, Sendable {
    private let shape: Columns
    public let values: [SQLValue]

    /// - Parameter values: as many as there are columns.
    public init(_ columns: Columns, _ values: [SQLValue]) {
        shape = columns
        self.values = values
    }

    public init(columns: [String], values: [SQLValue]) { self.init(Columns(columns), values) }

    public var columns: [String] { shape.names }

    public subscript(_ column: String) -> SQLValue { shape.place(of: column).map { values[$0] } ?? .null }

    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` if the column is absent, NULL or of another type.
    public func text(_ column: String) throws -> String {
        guard case .text(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    public func integer(_ column: String) throws -> Int64 {
        guard case .integer(let value) = self[column] else { throw DatabaseError.unexpectedValue(column: column) }
        return value
    }

    /// Also accepts an integer: SQLite's `RETURNING` returns whole numbers of a DOUBLE PRECISION column as integers.
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

extension Row {
    /// - Parameter place: the column's position in the statement, from 0.
    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` if the value is NULL or of another type.
    public func text(_ place: Int) throws -> String {
        guard case .text(let value) = values[place] else { throw DatabaseError.unexpectedValue(column: columns[place]) }
        return value
    }

    public func integer(_ place: Int) throws -> Int64 {
        guard case .integer(let value) = values[place] else { throw DatabaseError.unexpectedValue(column: columns[place]) }
        return value
    }

    public func blob(_ place: Int) throws -> [UInt8] {
        guard case .blob(let value) = values[place] else { throw DatabaseError.unexpectedValue(column: columns[place]) }
        return value
    }

    public func flag(_ place: Int) throws -> Bool { try integer(place) != 0 }

    public func optionalText(_ place: Int) -> String? {
        if case .text(let value) = values[place] { value } else { nil }
    }

    public func optionalInteger(_ place: Int) -> Int64? {
        if case .integer(let value) = values[place] { value } else { nil }
    }
}

/// The names of an answer's columns: made once for a text, shared by all its rows.
public final class Columns: Hashable, Sendable {
    public let names: [String]
    private let places: [String: Int]

    /// - Parameter names: if a name occurs twice, it means the first column.
    public init(_ names: [String]) {
        self.names = names
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    func place(of name: String) -> Int? { places[name] }

    public static func == (one: Columns, other: Columns) -> Bool { one === other || one.names == other.names }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }
}
