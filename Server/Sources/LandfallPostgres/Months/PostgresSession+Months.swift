// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

extension PostgresSession {
    /// Makes the months of the rows, so that a copy's old rows expire by month too.
    package func makeRoom(for rows: ArraySlice<Row>, of table: SchemaShape.Table, _ connection: any WriteConnection) throws {
        guard let monthly = MonthlyTable.all.first(where: { $0.name == table.name }),
            let place = table.columns.firstIndex(of: monthly.column)
        else { return }
        var parts = try monthly.parts(connection)
        var last: MonthPart?
        for row in rows {
            guard case .text(let id) = row.values[place], last?.has(id) != true else { continue }
            last = parts.first { $0.has(id) }
            guard last == nil, let ms = Month.milliseconds(of: id) else { continue }
            let missing = try monthly.missing(connection, ahead: 0, fromMs: ms)
            for month in missing { try monthly.make(month, connection) }
            if !missing.isEmpty { parts = try monthly.parts(connection) }
        }
    }
}
