// SPDX-License-Identifier: Apache-2.0

/// Where a store records its migrations, on either engine.
extension AppliedMigration {
    /// - Throws: the engine's error if no migration ever ran: the table is missing.
    package static func all(_ connection: any ReadConnection) throws -> [AppliedMigration] {
        try connection.rows(question).map { try AppliedMigration($0) }
    }

    /// Every column, because stores from before the first release may lack the last one.
    package static let question = Statement("SELECT * FROM schema_migration")

    /// - Parameter row: of the answer to ``question``.
    package init(_ row: Row) throws {
        self.init(
            id: try row.text("id"),
            olderReleases: row.optionalText("older_releases").flatMap { Migration.OlderReleases(rawValue: $0) } ?? .refused)
    }

    /// The same, after it has created the table if it is missing. An existing table stays as it is.
    package static func prepared(_ connection: any WriteConnection) throws -> [AppliedMigration] {
        try connection.run(table)
        return try all(connection)
    }

    /// - Parameter position: in the list of all migrations; -1 of what stands there for another reason.
    package func insert(_ connection: any WriteConnection, position: Int = -1) throws {
        try connection.run(
            "INSERT INTO schema_migration (id, position, older_releases) VALUES ($1, $2, $3)",
            [.text(id), .integer(Int64(position)), .text(olderReleases.rawValue)])
    }

    static let table = """
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
        try record(connection, position: position)
    }

    /// What a table needs before it gets rows.
    func runBeforeRows(_ connection: any WriteConnection) throws { for text in statements where !Self.isOfIndex(text) { try connection.run(text) } }

    /// The indexes, which are made at once when the rows are there.
    func runAfterRows(_ connection: any WriteConnection, position: Int) throws {
        for text in statements where Self.isOfIndex(text) { try connection.run(text) }
        try record(connection, position: position)
    }

    private static func isOfIndex(_ text: String) -> Bool {
        ["CREATE INDEX", "CREATE UNIQUE INDEX", "DROP INDEX"].contains(where: text.trimmingPrefix(while: \.isWhitespace).hasPrefix)
    }

    private func record(_ connection: any WriteConnection, position: Int) throws {
        try AppliedMigration(id: id, olderReleases: olderReleases).insert(connection, position: position)
    }
}

extension Database {
    /// For commands beside a server: creates the schema in an empty store, and leaves every other store unchanged.
    /// - Throws: ``DatabaseError/schemaIsOlder(_:)`` if a migration is missing, or what ``Migration/pending(of:applied:)`` throws.
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
