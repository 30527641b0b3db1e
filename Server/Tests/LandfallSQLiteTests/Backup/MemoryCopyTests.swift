// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Testing

@testable import LandfallSQLite

@Suite("A copy of a store in memory", .timeLimit(.minutes(1)))
struct MemoryCopyTests {
    private func texts(_ database: MemoryDatabase) async throws -> [String] {
        try await database.read { try $0.rows("SELECT text FROM note ORDER BY text", []).map { try $0.text("text") } }
    }

    private func add(_ text: String, to database: MemoryDatabase) async throws {
        _ = try await database.write(.bulk, locking: []) { try $0.run("INSERT INTO note (text) VALUES ($1)", [.text(text)]) }
    }

    @Test("is what there was, however often it takes the store's place")
    func replaces() async throws {
        let database = try MemoryDatabase()
        _ = try await database.write(.bulk, locking: []) { try $0.run("CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY)") }
        try await add("before", to: database)
        let copy = try database.copy()

        for round in ["first", "second"] {
            try await add(round, to: database)
            #expect(try await texts(database) == ["before", round])
            try database.replace(by: copy)
            #expect(try await texts(database) == ["before"])
        }
    }
}
