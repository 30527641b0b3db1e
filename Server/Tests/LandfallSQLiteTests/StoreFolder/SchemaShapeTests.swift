// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("A store's schema", .timeLimit(.minutes(1)))
struct SchemaShapeTests {
    private static let migrations = [
        Migration(
            id: "2026-11-21 notes: create",
            [
                "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT, weight DOUBLE PRECISION, bytes BYTEA)",
                "CREATE INDEX note_by_text ON note (text)", "CREATE TABLE mark (name TEXT NOT NULL PRIMARY KEY)",
            ])
    ]

    @Test(
        "names what it lacks although its migrations ran",
        arguments: [
            ([], [], []), (["ALTER TABLE note DROP COLUMN weight"], ["the column 'note.weight'"], []),
            (["DROP TABLE mark"], ["the table 'mark'"], []), (["DROP INDEX note_by_text"], [], ["the index 'note_by_text'"]),
            (["ALTER TABLE note RENAME COLUMN bytes TO bites"], ["the column 'note.bytes'"], []),
            (["ALTER TABLE note ADD COLUMN newer TEXT", "CREATE TABLE newer (a TEXT)"], [], []),
        ] as [([String], [String], [String])])
    func lacks(changes: [String], rows: [String], indexes: [String]) throws {
        let connection = try SQLiteConnection(":memory:", .readingAndWriting)
        for text in Self.migrations[0].statements + changes { try connection.run(text) }
        _ = try AppliedMigration.prepared(connection)

        let lacks = try SchemaShape(sqlite: connection).lacks(of: SchemaShape(after: Self.migrations))

        #expect(lacks.rows == rows)
        #expect(lacks.indexes == indexes)
        #expect((lacks.text == nil) == (rows + indexes).isEmpty)
    }

    @Test("is read from the store of a server")
    func sound() async throws {
        let store = try await TemporaryStore()

        #expect(try await store.database.schemaLacks(after: Self.migrations).rows == ["the table 'mark'"])
    }
}
