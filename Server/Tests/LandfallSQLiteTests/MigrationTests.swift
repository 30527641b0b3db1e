// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallSQLite
import Testing

@Suite("The schema moves forward, one transaction a step", .timeLimit(.minutes(1)))
struct MigrationTests {
    private let notes = Migration(id: "2026-11-21 notes: create", ["CREATE TABLE never_run_twice (id BIGINT)"])
    private let tags = Migration(
        id: "2026-11-22 tags: create", ["CREATE TABLE tag (id BIGINT)", "INSERT INTO tag (id) VALUES (1)"])

    @Test("Only what is missing runs, and twice is as once")
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

    @Test("A step that fails leaves nothing of itself, and can be tried again")
    func failure() async throws {
        let store = try await TemporaryStore()
        let broken = Migration(id: tags.id, ["CREATE TABLE tag (id BIGINT)", "INSERT INTO nowhere VALUES (1)"])

        await #expect(throws: DatabaseError.self) { try await store.database.migrate([notes, broken]) }

        try await store.database.migrate([notes, tags])
        #expect(try await store.database.read { try $0.rows("SELECT id FROM tag") }.count == 1)
    }

    @Test("A store of a newer release is refused")
    func newer() async throws {
        let store = try await TemporaryStore()
        try await store.database.migrate([notes, tags])

        await #expect(throws: DatabaseError.schemaIsNewer(tags.id)) { try await store.database.migrate([notes]) }
    }
}
