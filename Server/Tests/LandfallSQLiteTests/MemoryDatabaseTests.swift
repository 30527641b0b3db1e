// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The engine without a file", .timeLimit(.minutes(1)))
struct MemoryDatabaseTests {
    private let table = Migration(id: "1", ["CREATE TABLE thing (id TEXT NOT NULL PRIMARY KEY, value BYTEA)"])

    private func made() async throws -> MemoryDatabase {
        let database = try MemoryDatabase()
        try await database.migrate([table])
        return database
    }

    @Test(
        "A value is read as it was written",
        arguments: [
            SQLValue.null, .text(""), .text("Ärger 🎈"), .integer(.min), .integer(.max), .real(0.1), .blob([]),
            .blob([0, 255, 0]),
        ])
    func values(value: SQLValue) async throws {
        let database = try await made()

        _ = try await database.write { try $0.run("INSERT INTO thing (value, id) VALUES ($2, $1)", [.text("a"), value]) }

        let row = try await database.read { try $0.row("SELECT id, value FROM thing") }
        #expect(row?["value"] == value)
        #expect(row?["id"] == .text("a"))
    }

    @Test("A text with U+0000 is refused, as by the other engines")
    func forbiddenCharacter() async throws {
        let database = try await made()

        await #expect(throws: DatabaseError.forbiddenCharacter) {
            try await database.write { try $0.run("INSERT INTO thing (id) VALUES ($1)", [.text("a\u{0}b")]) }
        }
    }

    @Test("A unit that throws changes nothing, and the next one is served")
    func rollback() async throws {
        let database = try await made()

        await #expect(throws: DatabaseError.self) {
            try await database.write { connection in
                try connection.run("INSERT INTO thing (id) VALUES ($1)", [.text("a")])
                try connection.run("INSERT INTO thing (id) VALUES ($1)", [.text("a")])
            }
        }
        let changed = try await database.write { try $0.run("INSERT INTO thing (id) VALUES ($1)", [.text("b")]) }

        let rows = try await database.read { try $0.rows("SELECT id FROM thing") }
        #expect(try rows.map { try $0.text("id") } == ["b"])
        #expect(changed == 1)
    }

    @Test("After emptying, the schema stays without rows, and no migration runs again")
    func empty() async throws {
        let database = try await made()
        _ = try await database.write { try $0.run("INSERT INTO thing (id) VALUES ($1)", [.text("a")]) }

        try database.empty()
        try await database.migrate([table])

        let rows = try await database.read { try $0.rows("SELECT id FROM thing") }
        #expect(rows.isEmpty)
    }
}
