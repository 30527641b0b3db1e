// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The writer gathers units before a commit", .timeLimit(.minutes(1)))
struct GatheringTests {
    @Test(
        "It waits only after a group of several, for no more units than that, and no longer than the pace",
        arguments: [
            (0, 0, 0, nil), (1, 0, 0, nil), (2, 0, 0, 500), (2, 1, 499, 1), (2, 2, 0, nil), (2, 1, 500, nil), (64, 63, 200, 300),
            (64, 70, 200, nil), (64, 0, 5_000, nil),
        ] as [(Int, Int, Int, Int?)])
    func patience(units: Int, waiting: Int, age: Int, microseconds: Int?) {
        let gathering = Gathering(units: units, age: .microseconds(age))

        #expect(gathering.patience(waiting: waiting) == microseconds.map { .microseconds($0) })
    }

    @Test("Callers that were answered together and ask again together share the next commit, however late one of them is")
    func together() async throws {
        let store = try await TemporaryStore()
        let callers = 8, rounds = 20
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let before = store.database.writeCounts

        async let all: Void = withThrowingTaskGroup { group in
            for caller in 0..<callers {
                group.addTask {
                    for round in 0..<rounds { try await store.database.append([insert(Int64(1 + caller * rounds + round))]) }
                }
            }
            try await group.waitForAll()
        }
        await store.waitForWaiting(callers)
        gate.signal()
        try await first.value
        try await all

        let counts = store.database.writeCounts
        #expect(counts.units - before.units == callers * rounds + 1)
        // One commit for each round if the machine is not too busy.
        #expect(counts.commits - before.commits < callers * rounds * 3 / 4)
        #expect(try await store.ids().count == callers * rounds + 1)
    }

    @Test("A store that is closed while its writer waits still closes, with the accepted units")
    func closing() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        async let one: Void = store.database.append([insert(1)])
        async let other: Void = store.database.append([insert(2)])
        await store.waitForWaiting(2)
        gate.signal()
        try await first.value
        _ = try await (one, other)

        try await store.database.close()

        let reopened = try SQLiteDatabase(path: store.path)
        let ids = try await reopened.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
        #expect(ids == [0, 1, 2])
    }
}
