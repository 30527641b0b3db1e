// SPDX-License-Identifier: Apache-2.0

/// The columns that a statement names of one table: a case for each, called as in SQL, without raw values of its own.
///
/// The text of a statement and the index of each value are both made from the cases, once for the program. So no column can be asked
/// for that the text lacks, and reading one adds two numbers: no name is compared for a row.
///
/// In this module, not beside ``Row``: the compiler does not specialise generic `package` code for another module, and here installs
/// are read on the hot path.
package protocol TableColumn: CaseIterable, RawRepresentable<Int>, Sendable {}

extension TableColumn {
    /// In the order of the cases, for example `is_test, said_at_ms`.
    /// - Parameter table: its name in the statement; then `f.is_test, f.said_at_ms`.
    package static func names(of table: String? = nil) -> String {
        let prefix = table.map { $0 + "." } ?? ""
        return allCases.map { "\(prefix)\($0)" }.joined(separator: ", ")
    }
}

/// Where the columns of one table are in the rows of a statement.
package struct ColumnIndexes<Column: TableColumn>: Sendable {
    private let first: Int

    /// - Parameter first: the index of the table's first column.
    package init(from first: Int = 0) { self.first = first }

    package subscript(column: Column) -> Int { first + column.rawValue }
}

/// Collects what a statement selects, table by table.
package struct SelectList {
    /// As it stands after `SELECT`.
    package private(set) var text = ""
    private var count = 0

    package init() {}

    /// Appends every column.
    /// - Parameter table: its name in the statement.
    package mutating func add<Column: TableColumn>(
        _ columns: Column.Type = Column.self, of table: String
    ) -> ColumnIndexes<Column> {
        defer { count += Column.allCases.count }
        text += (text.isEmpty ? "" : ", ") + Column.names(of: table)
        return ColumnIndexes(from: count)
    }
}
