// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

extension PostgresDatabase: StoreExamining {
    /// The engine itself ends on damage that it meets, or refuses the statement.
    package var metDamage: String? { nil }

    /// - Parameter whole: reads every value of every row of every table.
    package func damages(whole: Bool) async throws -> [String] {
        do {
            return try await read { connection in
                if whole {
                    for table in try SchemaShape(postgres: connection).tables {
                        // A name of our own schema. Only the text of a whole row needs the table itself, and the values that are
                        // kept outside of it: an index alone could answer COUNT(*).
                        _ = try connection.row("SELECT COUNT(CAST(whole_row AS TEXT)) AS count FROM \"\(table.name)\" AS whole_row")
                    }
                }
                let failures = try connection.row(Self.checksumsText)?.optionalInteger("failures") ?? 0
                return failures > 0 ? ["the engine met \(failures) page\(failures == 1 ? "" : "s") with a wrong checksum"] : []
            }
        } catch DatabaseError.damaged(let text) {
            return [text]
        }
    }

    package func appliedMigrations() async throws -> [AppliedMigration] { try await read { try AppliedMigration.all($0) } }

    package func schemaLacks(after migrations: [Migration]) async throws -> SchemaLacks {
        try await read { try SchemaShape(postgres: $0).lacks(of: SchemaShape(after: migrations)) }
    }

    package func checkDurability() async throws {
        let facts = try await read { try $0.row(PostgresChecks.factsText) }
        if let facts, let error = PostgresChecks.refusal(facts) { throw error }
    }

    package func conditions() async throws -> [EngineCondition] {
        let pool = pool.address.connections
        return try await read { try PostgresConditions(pool: pool).look(at: $0) }
    }

    private static let checksumsText = "SELECT checksum_failures AS failures FROM pg_stat_database WHERE datname = current_database()"
}

extension SchemaShape {
    /// The schema that a database has. An index that was not built to its end counts as missing: no statement uses it.
    init(postgres connection: any ReadConnection) throws {
        let rows = try connection.rows([Statement(Self.columnsText), Statement(Self.indexesText)])
        var columns: [String: [String]] = [:]
        for row in rows[0] { columns[try row.text("table_name"), default: []].append(try row.text("column_name")) }
        self.init(
            tables: columns.filter { $0.key != "node" && $0.key != "node_change" }.map { Table($0.key, columns: $0.value) },
            indexes: Set(try rows[1].map { try $0.text("name") }))
    }

    private static let columnsText = """
        SELECT CAST(c.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY c.relname, a.attnum
        """
    private static let indexesText = """
        SELECT CAST(c.relname AS TEXT) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND i.indisvalid AND NOT i.indisprimary AND NOT c.relispartition
        """
}
