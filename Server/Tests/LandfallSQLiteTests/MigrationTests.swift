// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The schema moves forward, one transaction for each migration", .timeLimit(.minutes(1)))
struct MigrationTests {
    private let notes = Migration(id: "2026-11-21 notes: create", ["CREATE TABLE never_run_twice (id BIGINT)"])
    private let tags = Migration(
        id: "2026-11-22 tags: create", ["CREATE TABLE tag (id BIGINT)", "INSERT INTO tag (id) VALUES (1)"])

    @Test("No release runs its own migrations after those of a newer one")
    func behind() throws {
        let applied = [AppliedMigration(id: notes.id), AppliedMigration(id: "2099-01-01 new", olderReleases: .readAndWrite)]

        #expect(throws: DatabaseError.schemaIsNewer("2099-01-01 new")) {
            try Migration.pending(of: [notes, tags], applied: applied)
        }
    }

    @Test("A store from before the first release is refused by servers and commands, and nothing in it changes")
    func unreleased() async throws {
        let store = try await TemporaryStore()
        let first = Migration(id: "2026-11-28 notes: create", ["CREATE TABLE never_made (id BIGINT)"])
        _ = try await store.database.write { connection in
            // The first such stores had no third column.
            try connection.run("DROP TABLE schema_migration")
            try connection.run("CREATE TABLE schema_migration (id TEXT NOT NULL PRIMARY KEY, position BIGINT NOT NULL)")
            try connection.run("INSERT INTO schema_migration (id, position) VALUES ($1, 0), ($2, 1)", [.text(notes.id), .text(tags.id)])
        }
        try await store.database.close()
        let before = try Data(contentsOf: URL(filePath: store.path))

        let database = try SQLiteDatabase(path: store.path, freeDiskShare: { 1 })
        let migrated = await #expect(throws: DatabaseError.self) { try await database.migrate([first]) }
        let checked = await #expect(throws: DatabaseError.self) { try await database.checkSchema([first]) }
        try await database.close()

        #expect(migrated == .schemaIsUnreleased(notes.id))
        #expect(checked == migrated)
        #expect(migrated?.description.contains("before 0.1.0") == true && migrated?.description.contains("start with a new folder") == true)
        #expect(try Data(contentsOf: URL(filePath: store.path)) == before)
    }

    @Test("A store whose pages have checksums refuses releases that do not know them, and only such a store", arguments: [true, false])
    func checksums(has: Bool) async throws {
        let store = try await TemporaryStore(hasChecksums: has)
        try await store.database.migrate([notes])
        try await store.database.migrate([notes])
        let applied = try await store.database.appliedMigrations()

        let marks = applied.filter { $0.id == "pages have checksums" }

        // Such a release refuses what it does not know and what says "refused".
        #expect(marks.map(\.olderReleases) == (has ? [.refused] : []))
        #expect(try Migration.pending(of: [notes, tags], applied: applied.filter { [notes.id, tags.id].contains($0.id) } + marks) == [tags])
    }

    @Test("What a later release has added does not make a store of a release an earlier one, and an empty store is none")
    func released() throws {
        let later = [notes, tags].map { AppliedMigration(id: $0.id) }

        for applied in [later, [later[0]], []] { try Migration.checkRelease([notes], applied: applied) }
        #expect(throws: DatabaseError.schemaIsUnreleased(tags.id)) { try Migration.checkRelease([notes], applied: [later[1]]) }
    }

    @Test("A command reports a missing migration and changes nothing; in an empty store it creates the schema")
    func older() async throws {
        let store = try await TemporaryStore()
        try await store.database.checkSchema([notes])

        let error = await #expect(throws: DatabaseError.self) { try await store.database.checkSchema([notes, tags]) }
        let empty = try MemoryDatabase()
        try await empty.checkSchema([notes, tags])

        #expect(error == .schemaIsOlder(tags.id))
        #expect(error?.description.contains("Start the server once ('landfall serve')") == true)
        #expect(try await store.database.appliedMigrations().map(\.id).sorted() == [notes.id, AppliedMigration.pageChecksums.id])
        #expect(try await empty.read { try $0.rows("SELECT id FROM tag") }.count == 1)
    }
}
