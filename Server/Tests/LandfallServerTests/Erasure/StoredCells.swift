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
        Set(try connection.rows(TestEngine.columns).map { try $0.text("table_name") }).sorted()
    }

    /// The tables with a column that names an install, a profile, a customer, or what somebody has bought.
    static func tablesOfPeople(_ connection: any ReadConnection) throws -> [String] {
        let names = ["install_id", "profile_id", "customer_id", "unit", "taken_by_install", "chain_id"]
        let columns = try connection.rows(TestEngine.columns).filter { names.contains(try $0.text("column_name")) }
        return Set(try columns.map { try $0.text("table_name") }).sorted()
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
