// SPDX-License-Identifier: Apache-2.0

/// Where a store records its migrations, on either engine.
extension AppliedMigration {
    /// - Throws: the engine's error if no migration ever ran: the table is missing.
    package static func all(_ connection: any ReadConnection) throws -> [AppliedMigration] {
        // Every column, because stores of older releases lack the last one.
        try connection.rows(selection).map { row in
            AppliedMigration(
                id: try row.text("id"),
                olderReleases: row.optionalText("older_releases").flatMap { Migration.OlderReleases(rawValue: $0) } ?? .refused)
        }
    }

    /// The same, after it has created the table if it is missing, or extended one of an older release.
    package static func prepared(_ connection: any WriteConnection) throws -> [AppliedMigration] {
        try connection.run(creation)
        let rows = try connection.rows(selection)
        if rows.isEmpty {
            try connection.run("DROP TABLE schema_migration")
            try connection.run(creation)
        } else if !rows[0].columns.contains("older_releases") {
            try connection.run("ALTER TABLE schema_migration ADD COLUMN older_releases TEXT")
        }
        return try all(connection)
    }

    private static let selection = "SELECT * FROM schema_migration"
    private static let creation = """
        CREATE TABLE IF NOT EXISTS schema_migration (
          id TEXT NOT NULL PRIMARY KEY, position BIGINT NOT NULL, older_releases TEXT
        )
        """
}

extension Migration {
    /// Runs the migration and records it.
    /// - Parameter position: in the list of all migrations.
    package func run(_ connection: any WriteConnection, position: Int) throws {
        for text in statements { try connection.run(text) }
        try connection.run(
            "INSERT INTO schema_migration (id, position, older_releases) VALUES ($1, $2, $3)",
            [.text(id), .integer(Int64(position)), .text(olderReleases.rawValue)])
    }
}

extension Database {
    /// For commands beside a server: creates the schema in an empty store, and leaves every other store unchanged.
    /// - Throws: ``DatabaseError/schemaIsOlder(_:)`` if a migration is missing, or ``DatabaseError/schemaIsNewer(_:)``.
    package func checkSchema(_ migrations: [Migration]) async throws {
        var applied: [AppliedMigration] = []
        do {
            applied = try await read { try AppliedMigration.all($0) }
        } catch DatabaseError.failed {}  // There is no table, so no migration ever ran.
        if applied.isEmpty { return try await migrate(migrations) }
        if let missing = try Migration.pending(of: migrations, applied: applied).first {
            throw DatabaseError.schemaIsOlder(missing.id)
        }
    }
}
