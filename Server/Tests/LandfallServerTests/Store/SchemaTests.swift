// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The schema of this release", .timeLimit(.minutes(1)))
struct SchemaTests {
    @Test("Ids of migrations begin with their day, and days never go back")
    func days() {
        let days = Schema.migrations.map { String($0.id.prefix(11)) }

        #expect(days == days.sorted())
        #expect(days.allSatisfy { $0.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2} /#) != nil })
        #expect(Set(Schema.migrations.map(\.id)).count == Schema.migrations.count)
    }

    @Test("Each table is made once, by the migration that names it")
    func tables() {
        let made = Schema.migrations.flatMap { migration in
            migration.statements.filter { $0.hasPrefix("CREATE TABLE ") }.map { (migration.id, $0.split(separator: " ")[2]) }
        }

        #expect(Set(made.map(\.1)).count == made.count)
        for (id, table) in made { #expect(id.contains(table), "\(id) makes \(table)") }
    }

    @Test("A store from before the first release is refused and stays as it is")
    func unreleased() async throws {
        let memory = try MemoryDatabase()
        let old = Migration(id: "2026-11-21 installs: create store, install, profile, customer and device", ["CREATE TABLE device (id TEXT)"])
        try await memory.migrate([old])

        await #expect(throws: DatabaseError.schemaIsUnreleased(old.id)) { try await memory.migrate(Schema.migrations) }
        await #expect(throws: DatabaseError.schemaIsUnreleased(old.id)) { try await memory.checkSchema(Schema.migrations) }

        let tables = try await memory.read { try $0.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") }
        #expect(try tables.map { try $0.text("name") } == ["device", "schema_migration"])
    }
}
