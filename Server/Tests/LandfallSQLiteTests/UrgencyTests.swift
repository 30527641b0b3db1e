// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Interactive writes go before bulk writes", .timeLimit(.minutes(1)))
struct UrgencyTests {
    @Test("A group ends after five milliseconds of work, and the rest is the next group", arguments: [(1, 2), (2, 4), (5, 10), (6, 10)])
    func time(milliseconds: Int, commits: Int) async throws {
        let store = try await TemporaryStore()
        let before = store.database.writeCounts.commits

        try await store.write((0..<10).map { ($0, .interactive, .milliseconds(milliseconds)) })

        // The occupier is one of them.
        #expect(store.database.writeCounts.commits - before == commits + 1)
    }

    @Test("Interactive writes go first, in order of arrival")
    func order() async throws {
        let store = try await TemporaryStore()

        let order = try await store.write([
            (1, .bulk, .zero), (2, .interactive, .zero), (3, .bulk, .zero), (4, .interactive, .zero),
        ])

        #expect(order == [2, 4, 1, 3])
    }

    @Test("An interactive write that arrives during bulk work is next, before the rest of it")
    func meanwhile() async throws {
        let store = try await TemporaryStore()
        let order = Numbers()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let database = store.database
        let answers = AsyncStream<Void>.makeStream()

        database.write(
            .bulk, locking: [],
            { _ in
                order.add(1)
                database.write(.interactive, locking: [], { _ in order.add(2) }, then: { _ in })
            }, then: { _ in })
        database.write(.bulk, locking: [], { _ in order.add(3) }, then: { _ in answers.continuation.finish() })
        gate.signal()
        try await first.value
        for await _ in answers.stream {}

        #expect(order.all == [1, 2, 3])
    }

    @Test("Constant interactive work does not block bulk work for ever")
    func fair() async throws {
        let store = try await TemporaryStore()
        let many = (1...40).map { ($0, Urgency.interactive, Duration.milliseconds(5)) }

        let order = try await store.write([(0, .bulk, .milliseconds(5))] + many)

        #expect(order.firstIndex(of: 0) == WriteQueue.patience)
        #expect(order.filter { $0 > 0 } == Array(1...40))
    }

    @Test("Bulk work above the limit is refused as busy; interactive work is still served, and bulk work again when there is room")
    func bound() async throws {
        let most = 3
        var limits = WriteLimits()
        limits.bulk = most
        let store = try await TemporaryStore(limits: limits)
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let results = Results()
        let answers = AsyncStream<Void>.makeStream()

        for _ in 0..<most { store.database.append([], .bulk) { results.add($0) } }
        #expect(store.database.writeCounts.waitingBy == [.interactive: 0, .bulk: most])
        await #expect(throws: DatabaseError.busy) { try await store.database.append([insert(1)], .bulk) }
        store.database.append([insert(2)], .interactive) { results.add($0) }
        store.database.append([insert(3)], .interactive) { _ in answers.continuation.finish() }
        gate.signal()
        try await first.value
        for await _ in answers.stream {}
        try await store.database.append([insert(4)], .bulk)

        #expect(results.failures == 0)
        #expect(store.database.writeCounts.waiting == 0)
        #expect(try await store.ids() == [0, 2, 3, 4])
    }
}

@Suite("Interactive writes", .timeLimit(.minutes(1)))
struct WriteLimitTests {
    @Test("are refused as busy above their limit, and bulk work waits in a separate queue")
    func interactive() async throws {
        var limits = WriteLimits()
        limits.interactive = 1
        let store = try await TemporaryStore(limits: limits)
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)

        async let second: Void = store.database.append([insert(1)], .interactive)
        await store.waitForWaiting(1)
        await #expect(throws: DatabaseError.busy) { try await store.database.append([insert(2)], .interactive) }
        async let bulk: Void = store.database.append([insert(3)], .bulk)
        await store.waitForWaiting(2)
        gate.signal()
        try await first.value
        try await second
        try await bulk

        #expect(try await store.ids() == [0, 1, 3])
    }
}

@Suite("Rows that are only added", .timeLimit(.minutes(1)))
struct AppendTests {
    @Test("Rows of many callers are one commit; a caller whose rows cannot be added gets its error and does not affect others")
    func isolated() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let before = store.database.writeCounts.commits
        let rows = [[1, 2], [3, 1], [4], [], [4], [5, 6]].map { $0.map { insert(Int64($0)) } }

        let answers = rows.enumerated().map { place, rows in
            Task { [database = store.database] in
                while database.writeCounts.waiting < place { await Task.yield() }
                try await database.append(rows)
            }
        }
        await store.waitForWaiting(rows.count)
        gate.signal()
        try await first.value

        var failed: [Int] = []
        for (place, answer) in answers.enumerated() {
            do { try await answer.value } catch DatabaseError.failed { failed.append(place) }
        }
        #expect(failed == [1, 4])
        #expect(try await store.ids() == [0, 1, 2, 4, 5, 6])
        #expect(store.database.writeCounts.commits - before == 2)
    }

    @Test("Such rows keep their order of arrival among other writes")
    func order() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let seen = Numbers()
        let database = store.database
        let answers = AsyncStream<Void>.makeStream()

        database.append([insert(1)], .interactive) { _ in }
        database.write(
            { connection in seen.add(try connection.rows("SELECT id FROM note").count) }, then: { _ in })
        database.append([insert(2)], .interactive) { _ in answers.continuation.finish() }
        gate.signal()
        try await first.value
        for await _ in answers.stream {}

        #expect(seen.all == [2])
        #expect(try await store.ids() == [0, 1, 2])
    }

    @Test("When SQLite ends the transaction, those before it get a retryable error, and none of them is stored")
    func ended() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let results = Results()
        let answers = AsyncStream<Void>.makeStream()

        store.database.append([insert(1)], .interactive) { results.add($0) }
        store.database.append([Statement("INSERT OR ROLLBACK INTO note (id) VALUES (0)")], .interactive) {
            results.add($0)
            answers.continuation.finish()
        }
        gate.signal()
        try await first.value
        for await _ in answers.stream {}

        #expect(results.failures == 2)
        #expect(try await store.ids() == [0])
    }
}

final class Numbers: Sendable {
    private let state = Mutex<[Int]>([])
    var all: [Int] { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { $0.append(number) } }
}

private final class Results: Sendable {
    private let state = Mutex(0)
    var failures: Int { state.withLock { $0 } }
    func add(_ result: Result<Void, any Error>) { if case .failure = result { state.withLock { $0 += 1 } } }
}

extension TemporaryStore {
    /// Writes units that wait together, each of which takes its time.
    /// - Returns: their numbers in the order in which they were written.
    @discardableResult
    fileprivate func write(_ units: [(number: Int, urgency: Urgency, time: Duration)]) async throws -> [Int] {
        let gate = DispatchSemaphore(value: 0)
        let first = try await occupyWriter(until: gate)
        let order = Numbers()
        await withCheckedContinuation { done in
            let count = Left(units.count)
            for (number, urgency, time) in units {
                database.write(
                    urgency, locking: [],
                    { [uptime] _ in
                        order.add(number)
                        uptime.advance(by: time)
                    },
                    then: { _ in if count.takeOne() { done.resume() } })
            }
            gate.signal()
        }
        try await first.value
        return order.all
    }
}

private final class Left: Sendable {
    private let state: Mutex<Int>
    init(_ count: Int) { state = Mutex(count) }
    /// True for the last.
    func takeOne() -> Bool {
        state.withLock { left in
            left -= 1
            return left == 0
        }
    }
}
