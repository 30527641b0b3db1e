// SPDX-License-Identifier: Apache-2.0
import LandfallStore

extension SchemaShape {
    /// The schema that a store has.
    init(sqlite connection: any ReadConnection) throws {
        let rows = try connection.rows(
            """
            SELECT m.name AS table_name, c.name AS column_name, c.pk AS place FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' ORDER BY m.name, c.cid
            """)
        var (columns, keys): ([String: [String]], [String: [Int64: String]]) = ([:], [:])
        for row in rows {
            let (table, column, place) = (try row.text("table_name"), try row.text("column_name"), try row.integer("place"))
            columns[table, default: []].append(column)
            if place > 0 { keys[table, default: [:]][place] = column }
        }
        // Indexes without a text belong to primary keys.
        let named = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        self.init(
            tables: columns.map { table, columns in
                Table(table, columns: columns, key: (keys[table] ?? [:]).sorted { $0.key < $1.key }.map(\.value))
            }, indexes: Set(try named.map { try $0.text("name") }))
    }
}
