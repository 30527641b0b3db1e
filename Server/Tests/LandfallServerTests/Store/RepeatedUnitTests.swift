// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallStore

/// Every suite of this target runs its units twice, see ``RecordingDatabase``; here is what that finds.
@Suite("A transaction that may run again", .timeLimit(.minutes(1)))
struct RepeatedUnitTests {
    private static let insert = "INSERT INTO store (name, store_id, epoch) VALUES ($1, $2, 0)"

    @Test("has the same effect, however often it runs")
    func same() async throws {
        let differences = Count()
        let (database, sqlite) = try await Self.database(differences)

        try await database.write { _ = try $0.run(Self.insert, [.text("a"), .text("b")]) }
        try? await database.write { connection in
            try connection.run(Self.insert, [.text("c"), .text("d")])
            throw CancellationError()
        }

        #expect(differences.value == 0)
        #expect(database.recorded.filter { $0.statement.text == Self.insert }.count == 1)
        let names = try await sqlite.read { try $0.rows("SELECT name FROM store").map { try $0.text("name") } }
        #expect(names == ["a"])
    }

    @Test("draws nothing random, and stores nothing outside the database")
    func different() async throws {
        let differences = Count()
        let (database, _) = try await Self.database(differences)
        let calls = Count()

        try await database.write { _ = try $0.run(Self.insert, [.text("a"), .text(UUID().uuidString)]) }
        #expect(differences.value == 1)
        try await database.write { connection in
            calls.increment()
            for call in 0..<calls.value { try connection.run(Self.insert, [.text("b \(call)"), .text("b")]) }
        }
        #expect(differences.value == 2)
    }

    @Test("names its locks, if it writes after it has read")
    func unlocked() async throws {
        let memory = try MemoryDatabase()
        try await memory.migrate(Schema.migrations)
        let unlocked = Count()
        let database = RecordingDatabase(memory, onUnlocked: { _ in unlocked.increment() })
        let readAndWrite: @Sendable (any WriteConnection) throws -> Void = { connection in
            guard try connection.row("SELECT epoch FROM store WHERE name = $1", [.text("a")]) == nil else { return }
            _ = try connection.run(Self.insert, [.text("a"), .text("b")])
        }

        try await database.write(.bulk, locking: [RowLock("store", ["name": .text("a")])], readAndWrite)
        try await database.write(.bulk, locking: [], readAndWrite)
        #expect(unlocked.value == 0, "the second one wrote nothing")
        try await database.write { _ = try $0.run("DELETE FROM store") }
        try await database.write { connection in
            _ = try connection.run(Self.insert, [.text("c"), .text("d")])
            _ = try connection.row("SELECT epoch FROM store WHERE name = $1", [.text("c")])
        }
        #expect(unlocked.value == 0, "what the unit wrote itself, nobody changes")
        try await database.write(.bulk, locking: [], readAndWrite)

        #expect(unlocked.value == 1)
    }

    @Test("holds a lock of the table before it changes a row that others lock, named or taken inside")
    func unguarded() async throws {
        let memory = try MemoryDatabase()
        try await memory.migrate(Schema.migrations)
        let unlocked = Count()
        let database = RecordingDatabase(memory, onUnlocked: { _ in unlocked.increment() })
        let lock = RowLock("install", ["install_id": .text("i")]), deletion = Statement("DELETE FROM install WHERE install_id = 'i'")

        try await database.write(.bulk, locking: [lock]) { _ = try $0.run(deletion) }
        try await database.write { connection in
            try connection.lock([lock])
            _ = try connection.batch([deletion])
        }
        try await database.write { _ = try $0.run("UPDATE install_activity SET days_low = 1") }
        try await database.write { _ = try $0.run("DELETE FROM apple_ads_exchange") }
        #expect(unlocked.value == 0)
        try await database.write { connection in
            try connection.run(deletion)
            try connection.lock([lock])
        }
        try await database.write(.bulk, locking: [RowLock("profile", [:])]) { _ = try $0.run("UPDATE install\nSET version = 1") }

        #expect(unlocked.value == 2)
    }

    private static func database(_ differences: Count) async throws -> (RecordingDatabase, MemoryDatabase) {
        let memory = try MemoryDatabase()
        try await memory.migrate(Schema.migrations)
        return (RecordingDatabase(memory, onDifference: { _ in differences.increment() }), memory)
    }
}
