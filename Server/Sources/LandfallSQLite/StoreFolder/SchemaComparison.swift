// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The tables, columns and indexes of a store, by name. The recorded migrations only say that they ran once. This shows also what was
/// dropped or renamed since then.
struct SchemaShape {
    private var columns: [String: Set<String>] = [:]
    private var indexes: Set<String> = []

    init(_ connection: any ReadConnection) throws {
        let rows = try connection.rows(
            """
            SELECT m.name AS table_name, c.name AS column_name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table'
            """)
        for row in rows { columns[try row.text("table_name"), default: []].insert(try row.text("column_name")) }
        // Indexes without a text belong to primary keys.
        let named = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        for row in named { indexes.insert(try row.text("name")) }
    }

    /// The schema of an empty store after these migrations.
    init(after migrations: [Migration]) throws {
        let connection = try SQLiteConnection(":memory:", .readingAndWriting)
        try connection.change { connection in
            _ = try AppliedMigration.prepared(connection)
            for (position, migration) in migrations.enumerated() { try migration.run(connection, position: position) }
        }
        try self.init(connection)
    }

    /// What this schema lacks of the other. It may have more, because a newer release adds to it.
    func lacks(of wanted: SchemaShape) -> SchemaLacks {
        var lacks = SchemaLacks()
        for (table, names) in wanted.columns.sorted(by: { $0.key < $1.key }) {
            guard let own = columns[table] else {
                lacks.rows.append("the table '\(table)'")
                continue
            }
            lacks.rows += names.subtracting(own).sorted().map { "the column '\(table).\($0)'" }
        }
        lacks.indexes = wanted.indexes.subtracting(indexes).sorted().map { "the index '\($0)'" }
        return lacks
    }
}
