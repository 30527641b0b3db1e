// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Writes that wait together share a commit", .timeLimit(.minutes(1)))
struct GroupingTests {
    @Test("A hundred callers that wait at the same time share one commit")
    func oneCommit() async throws {
        let store = try await TemporaryStore()
        let before = store.database.writeCounts
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        let others = (1...100).map { id in
            Task { [database = store.database] in try await database.write { try $0.run(insert(Int64(id))) } }
        }
        await store.waitForWaiting(100)
        gate.signal()
        try await first.value
        for other in others { _ = try await other.value }

        let counts = store.database.writeCounts
        #expect(counts.units - before.units == 101)
        #expect(counts.commits - before.commits == 2)
        #expect(try await store.ids() == Array(0...100))
    }

    @Test("A group takes no more than 256 units")
    func groupSize() async throws {
        let store = try await TemporaryStore()
        let before = store.database.writeCounts.commits
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        let others = (1...300).map { id in
            Task { [database = store.database] in try await database.write { try $0.run(insert(Int64(id))) } }
        }
        await store.waitForWaiting(300)
        gate.signal()
        try await first.value
        for other in others { _ = try await other.value }

        #expect(store.database.writeCounts.commits - before == 3)
    }

    @Test("A failed unit changes nothing, gets its own error and does not affect other units of its commit")
    func isolation() async throws {
        struct Refusal: Error {}
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        let good = Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }
        await store.waitForWaiting(1)
        let refused = Task { [database = store.database] in
            try await database.write { connection in
                try connection.run(insert(2))
                throw Refusal()
            }
        }
        await store.waitForWaiting(2)
        let wrong = Task { [database = store.database] in
            try await database.write { try $0.run("INSERT INTO nowhere VALUES (1)") }
        }
        await store.waitForWaiting(3)
        let last = Task { [database = store.database] in try await database.write { try $0.run(insert(3)) } }
        await store.waitForWaiting(4)
        gate.signal()

        try await first.value
        #expect(try await good.value == 1)
        await #expect(throws: Refusal.self) { try await refused.value }
        await #expect(throws: DatabaseError.failed("no such table: nowhere")) { try await wrong.value }
        #expect(try await last.value == 1)
        #expect(try await store.ids() == [0, 1, 3])
    }

    @Test("When SQLite ends the transaction, every unit in it gets a retryable error, and the next group works")
    func endedTransaction() async throws {
        let store = try await TemporaryStore()
        _ = try await store.database.write { try $0.run(insert(9)) }
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        let good = Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }
        await store.waitForWaiting(1)
        let other = Task { [database = store.database] in try await database.write { try $0.run(insert(2)) } }
        await store.waitForWaiting(2)
        let fatal = Task { [database = store.database] in
            try await database.write { try $0.run("INSERT OR ROLLBACK INTO note (id) VALUES (9)") }
        }
        await store.waitForWaiting(3)
        let late = Task { [database = store.database] in try await database.write { try $0.run(insert(3)) } }
        await store.waitForWaiting(4)
        gate.signal()

        try await first.value
        for task in [good, other, fatal] {
            let result = await task.result
            guard case .failure(DatabaseError.retry) = result else {
                Issue.record("expected DatabaseError.retry, got \(result)")
                continue
            }
        }
        #expect(store.database.writeCounts.endedGroups == 1)
        #expect(try await late.value == 1)
        _ = try await store.database.write { try $0.run(insert(4)) }
        #expect(try await store.ids() == [0, 3, 4, 9])
    }

    @Test("A unit sees what earlier units of its own group wrote")
    func order() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        let writing = Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }
        await store.waitForWaiting(1)
        let reading = Task { [database = store.database] in
            try await database.write { try $0.row("SELECT COUNT(*) AS count FROM note")?.integer("count") }
        }
        await store.waitForWaiting(2)
        gate.signal()

        try await first.value
        _ = try await writing.value
        #expect(try await reading.value == 2)
    }
}
