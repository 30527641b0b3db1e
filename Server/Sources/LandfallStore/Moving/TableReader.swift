// SPDX-License-Identifier: Apache-2.0

/// Reads the rows of a table in the order of its key, in lots of a few megabytes.
struct TableReader {
    private static let firstLot = 64, mostRows = 2_000
    private static let lotBytes = 2 << 20

    let table: SchemaShape.Table

    func read(_ connection: any ReadConnection, _ body: (_ lot: [Row]) throws -> Void) throws {
        var (last, most): ([SQLValue], Int) = ([], Self.firstLot)
        let places = table.key.compactMap { table.columns.firstIndex(of: $0) }
        while true {
            let lot = try connection.rows(text(isFirst: last.isEmpty), last + [.integer(Int64(most))])
            guard let end = lot.last else { return }
            try body(lot)
            if lot.count < most { return }
            last = places.map { end.values[$0] }
            let bytes = lot.reduce(1) { $0 + $1.bytes }
            // Four times as many at most: rows may become larger.
            most = max(1, min(Self.mostRows, 4 * most, Self.lotBytes * lot.count / bytes))
        }
    }

    // Names of our own schema; SQL takes no bound value for them.
    private func text(isFirst: Bool) -> String {
        let (columns, key) = (table.columns.joined(separator: ", "), table.key.joined(separator: ", "))
        let after = isFirst ? "" : " WHERE (\(key)) > (\(Statement.places(1..<table.key.count + 1)))"
        return "SELECT \(columns) FROM \(table.name)\(after) ORDER BY \(key) LIMIT $\(isFirst ? 1 : table.key.count + 1)"
    }
}

extension Row {
    /// About as many as its values have.
    fileprivate var bytes: Int {
        values.reduce(0) { sum, value in
            switch value {
            case .null, .integer, .real: sum + 8
            case .text(let text): sum + text.utf8.count
            case .blob(let bytes): sum + bytes.count
            }
        }
    }
}
