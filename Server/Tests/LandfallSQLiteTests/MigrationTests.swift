// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The schema moves forward, one transaction for each migration", .timeLimit(.minutes(1)))
struct MigrationTests {
    private let notes = Migration(id: "2026-11-21 notes: create", ["CREATE TABLE never_run_twice (id BIGINT)"])
    private let tags = Migration(
        id: "2026-11-22 tags: create", ["CREATE TABLE tag (id BIGINT)", "INSERT INTO tag (id) VALUES (1)"])

    @Test("Only missing migrations run, and a second run changes nothing")
    func missing() async throws {
        let store = try await TemporaryStore()

        try await store.database.migrate([notes, tags])
        try await store.database.migrate([notes, tags])

        let rows = try await store.database.read { try $0.rows("SELECT id FROM tag") }
        #expect(rows.count == 1)
        await #expect(throws: DatabaseError.failed("no such table: never_run_twice")) {
            try await store.database.read { try $0.rows("SELECT id FROM never_run_twice") }
        }
    }

    @Test("A failed migration changes nothing, and can be tried again")
    func failure() async throws {
        let store = try await TemporaryStore()
        let broken = Migration(id: tags.id, ["CREATE TABLE tag (id BIGINT)", "INSERT INTO nowhere VALUES (1)"])

        await #expect(throws: DatabaseError.self) { try await store.database.migrate([notes, broken]) }

        try await store.database.migrate([notes, tags])
        #expect(try await store.database.read { try $0.rows("SELECT id FROM tag") }.count == 1)
    }

    @Test("A store of a newer release is refused, unless each of its migrations lets older releases read and write", arguments: [
        (Migration.OlderReleases.refused, false), (.read, false), (.readAndWrite, true),
    ])
    func newer(olderReleases: Migration.OlderReleases, isServed: Bool) async throws {
        let store = try await TemporaryStore()
        let newer = Migration(id: tags.id, olderReleases: olderReleases, tags.statements)
        try await store.database.migrate([notes, newer])

        let result = await Task { [database = store.database, notes] in try await database.migrate([notes]) }.result
        let check = await Task { [database = store.database, notes] in try await database.checkSchema([notes]) }.result

        for result in [result, check] {
            if isServed {
                try result.get()
            } else {
                #expect(throws: DatabaseError.schemaIsNewer(tags.id)) { try result.get() }
            }
        }
    }

    @Test("A newer release may let older ones read only", arguments: [
        (Migration.OlderReleases.refused, false), (.read, true), (.readAndWrite, true),
    ])
    func reading(olderReleases: Migration.OlderReleases, isRead: Bool) throws {
        let applied = [AppliedMigration(id: notes.id), AppliedMigration(id: tags.id, olderReleases: olderReleases)]

        if isRead {
            try Migration.checkReading([notes], applied: applied)
        } else {
            #expect(throws: DatabaseError.schemaIsNewer(tags.id)) {
                try Migration.checkReading([notes], applied: applied)
            }
        }
    }

    @Test("No release runs its own migrations after those of a newer one")
    func behind() throws {
        let applied = [AppliedMigration(id: "2099-01-01 new", olderReleases: .readAndWrite)]

        #expect(throws: DatabaseError.schemaIsNewer("2099-01-01 new")) {
            try Migration.pending(of: [notes], applied: applied)
        }
    }

    @Test("A renamed migration does not run again if it ran under its old name, and runs if it never ran")
    func renamed() async throws {
        let store = try await TemporaryStore()
        let before = Migration(id: "2026-11-29 tags: create", tags.statements)
        let renamed = Migration(id: tags.id, formerly: [before.id], tags.statements)
        try await store.database.migrate([notes, before])

        try await store.database.migrate([notes, renamed])
        try await store.database.migrate([notes, before])

        #expect(try await store.database.read { try $0.rows("SELECT id FROM tag") }.count == 1)
        let other = try await TemporaryStore()
        try await other.database.migrate([notes, renamed])
        #expect(try await other.database.read { try $0.rows("SELECT id FROM tag") }.count == 1)
    }

    @Test("A list of migrations from an older release, without rights of older releases, is completed")
    func oldList() async throws {
        let store = try await TemporaryStore()
        _ = try await store.database.write { connection in
            try connection.run("DROP TABLE schema_migration")
            try connection.run("CREATE TABLE schema_migration (id TEXT NOT NULL PRIMARY KEY, position BIGINT NOT NULL)")
            try connection.run("INSERT INTO schema_migration (id, position) VALUES ($1, 0)", [.text(notes.id)])
        }
        #expect(try await store.database.appliedMigrations() == [AppliedMigration(id: notes.id)])
        let additive = Migration(id: tags.id, olderReleases: .readAndWrite, tags.statements)

        try await store.database.migrate([notes, additive])

        #expect(
            try await Set(store.database.appliedMigrations())
                == [AppliedMigration(id: notes.id), AppliedMigration(id: tags.id, olderReleases: .readAndWrite)])
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
        #expect(try await store.database.appliedMigrations().map(\.id) == [notes.id])
        #expect(try await empty.read { try $0.rows("SELECT id FROM tag") }.count == 1)
    }
}
