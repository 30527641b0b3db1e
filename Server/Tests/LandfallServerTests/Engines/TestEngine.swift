// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls
import Testing

/// The engine under the stores of this run: SQLite, or the PostgreSQL whose URL is in `LANDFALL_TEST_DATABASE`.
enum TestEngine {
    static let url = ProcessInfo.processInfo.environment["LANDFALL_TEST_DATABASE"]
    static var isEmbedded: Bool { url == nil }
    /// The tables of each test are distributed, as on a Citus cluster.
    static var isDistributed: Bool { TestCluster.url != nil }

    /// Lists the columns of all tables of the schema; PostgreSQL has two more, of the engine's own, and keeps some tables in parts.
    static let columns =
        isEmbedded
        ? """
        SELECT m.name AS table_name, c.name AS column_name FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' ORDER BY m.name
        """
        : """
        SELECT CAST(c.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relname NOT IN ('node', 'node_change')
        ORDER BY c.relname, a.attnum
        """
}

extension Trait where Self == ConditionTrait {
    /// The test is about something that only the embedded engine has.
    static func embedded(_ reason: Comment) -> Self { .enabled(if: TestEngine.isEmbedded, reason) }

    /// The test reads plans of PostgreSQL. The coordinator's plan for a distributed table shows no index.
    static var postgresPlans: Self {
        .enabled(if: !TestEngine.isEmbedded && !TestEngine.isDistributed, "LANDFALL_TEST_DATABASE names no PostgreSQL of one machine")
    }

    /// The test reads plans of SQLite.
    static var sqlitePlans: Self { .embedded("the plans are SQLite's") }
}
