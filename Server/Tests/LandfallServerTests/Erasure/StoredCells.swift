// SPDX-License-Identifier: Apache-2.0
@testable import LandfallServer
@testable import LandfallStore

/// Everything that a store holds: every column of every row of every table, whatever tables there are.
struct StoredCells {
    struct Cell: Hashable {
        let table: String
        let column: String
        /// Text unchanged, bytes in hexadecimal digits.
        let text: String
    }

    let cells: [Cell]

    init(_ database: any Database) async throws {
        cells = try await database.read { connection in
            try Self.tables(connection).flatMap { table in
                try connection.rows("SELECT * FROM \(table)").flatMap { row in
                    zip(row.columns, row.values).compactMap { column, value in
                        Self.text(value).map { Cell(table: table, column: column, text: $0) }
                    }
                }
            }
        }
    }

    static func tables(_ connection: any ReadConnection) throws -> [String] {
        try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name")
            .map { try $0.text("name") }
    }

    /// The tables with a column that names an install, a profile or a customer.
    static func tablesOfPeople(_ connection: any ReadConnection) throws -> [String] {
        let names = ["install_id", "profile_id", "customer_id", "unit", "taken_by_install"]
        return try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'").compactMap { row in
            let text = try row.text("sql")
            return names.contains { text.contains(" \($0) ") } ? try row.text("name") : nil
        }
    }

    /// Where any of these stands, on its own or inside of something longer.
    func places(of needles: [String]) -> [Cell] {
        cells.filter { cell in needles.contains { cell.text.contains($0) } }
    }

    private static func text(_ value: SQLValue) -> String? {
        switch value {
        case .null: nil
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .blob(let bytes): bytes.hexadecimal
        }
    }
}
