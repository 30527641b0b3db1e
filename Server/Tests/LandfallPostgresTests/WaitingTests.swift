// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("Waiting")
    struct WaitingTests {
        @Test("A cancelled caller that waits has its answer at once; a waiting write is withdrawn", arguments: [true, false])
        func withdrawn(isReading: Bool) async throws {
            let test = try await TestDatabase("&pool=1")
            let gate = DispatchSemaphore(value: 0)
            let first = try await test.database.occupy(until: gate)
            let second = Task {
                if isReading {
                    _ = try await test.database.read { try $0.rows("SELECT 1 AS one") }
                } else {
                    _ = try await test.database.write { try $0.run(insert(1)) }
                }
            }
            while test.waiting < 1 { try await Task.sleep(for: .milliseconds(1)) }

            second.cancel()

            await #expect(throws: CancellationError.self) { try await second.value }
            gate.signal()
            try await first.value
            #expect(try await test.ids() == [0])
        }

        private final class Held: Sendable {}

        @Test("What a unit's body holds is released with its answer, although the connection stays")
        func released() async throws {
            let test = try await TestDatabase()
            weak var held: Held?

            do {
                let object = Held()
                held = object
                try await test.database.write { connection in try withExtendedLifetime(object) { _ = try connection.run(insert(1)) } }
            }

            #expect(held == nil)
        }

        @Test("A read that has begun is interrupted, and the next one is not")
        func interrupted() async throws {
            let test = try await TestDatabase("&pool=1")
            let reading = Task {
                try await test.database.read { try $0.rows("SELECT pg_sleep(600)") }
            }
            while try test.sleeping() == 0 { try await Task.sleep(for: .milliseconds(5)) }

            reading.cancel()

            await #expect(throws: CancellationError.self) { try await reading.value }
            #expect(try await test.ids() == [])
        }

        @Test("A read that is cancelled between two statements runs no further one")
        func between() async throws {
            let test = try await TestDatabase("&pool=1")
            let gate = DispatchSemaphore(value: 0)
            let begun = AsyncStream<Void>.makeStream()
            let wasRefused = Mutex(false)
            let reading = Task {
                defer { begun.continuation.finish() }
                try await test.database.read { connection in
                    _ = try connection.rows("SELECT 1 AS one")
                    begun.continuation.finish()
                    gate.wait()
                    let error = #expect(throws: CancellationError.self) { try connection.rows("SELECT 2 AS two") }
                    wasRefused.withLock { $0 = error != nil }
                    throw CancellationError()
                }
            }
            for await _ in begun.stream {}

            reading.cancel()
            gate.signal()

            await #expect(throws: CancellationError.self) { try await reading.value }
            #expect(wasRefused.withLock { $0 })
            #expect(try await test.ids() == [])
        }

        @Test("A database that several nodes share has no reads on the caller's thread")
        func shared() async throws {
            let test = try await TestDatabase()

            #expect(test.database.isShared)
            #expect(try test.database.readAtOnce { try $0.rows("SELECT 1 AS one") } == nil)
        }

        @Test("A statement beyond its limit ends, also in the engine, and the caller may try again")
        func late() async throws {
            let test = try await TestDatabase(limits: .shortBulk)
            _ = try await test.ids()

            let error = await #expect(throws: DatabaseError.self) {
                try await test.database.write(.bulk, locking: []) { try $0.rows("SELECT pg_sleep(600)") }
            }

            expectRetry(error)
            while try test.sleeping() > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await test.ids() == [])
        }

        @Test("A unit that waited for longer than its limit is refused")
        func tooLong() async throws {
            let test = try await TestDatabase("&pool=1", limits: .shortBulk)
            let gate = DispatchSemaphore(value: 0)
            let first = try await test.database.occupy(until: gate)
            let second = Task { try await test.database.write(.bulk, locking: []) { try $0.run(insert(1)) } }
            while test.waiting < 1 { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: PostgresLimits.shortBulk.bulk + .milliseconds(50))
            gate.signal()

            try await first.value
            await #expect(throws: DatabaseError.busy) { try await second.value }
        }

        @Test("A unit that no connection is free for, and that the server refuses a further one, is refused at its limit")
        func neverOpened() async throws {
            let test = try await TestDatabase()
            let limited = try await PostgresDatabase.open(
                PostgresAddress(test.urlOfRole(connections: 1)), limits: .shortBulk)
            let gate = DispatchSemaphore(value: 0)
            let first = try await limited.occupy(until: gate)

            await #expect(throws: DatabaseError.self) {
                try await limited.write(.bulk, locking: []) { try $0.run(insert(1)) }
            }

            gate.signal()
            try await first.value
            #expect(try await test.ids() == [0])
            await limited.close()
        }

        @Test("A connection that was opened late counts: a unit whose own connection is refused goes to it")
        func openedLate() async throws {
            let test = try await TestDatabase()
            let server = try #require(OwnServer.current).server
            let proxy = try CuttingProxy(to: server.socket, .forLonger)
            defer { proxy.stop() }
            var limits = PostgresLimits.wide
            limits.bulk = .seconds(8)
            let database = try await PostgresDatabase.open(
                PostgresAddress(test.url.replacing(server.folder, with: proxy.folder)), limits: limits)
            proxy.isRefusing.store(true, ordering: .sequentiallyConsistent)
            let first = Task { try await database.write(.bulk, locking: []) { try $0.run(insert(1)) } }
            try await Task.sleep(for: limits.bulk / 2 + .milliseconds(250))
            proxy.isRefusing.store(false, ordering: .sequentiallyConsistent)
            _ = try await first.value
            proxy.isRefusing.store(true, ordering: .sequentiallyConsistent)
            let gate = DispatchSemaphore(value: 0)
            let second = try await database.occupy(until: gate)

            let third = Task { try await database.write(.bulk, locking: []) { try $0.run(insert(2)) } }

            let end = ContinuousClock.now + limits.bulk
            while database.writeCounts.waiting < 1, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
            gate.signal()
            try await second.value
            _ = try await third.value
            #expect(try await test.ids() == [0, 1, 2])
            await database.close()
        }

        @Test("Above the limits further units are refused")
        func refused() async throws {
            var limits = PostgresLimits.wide
            (limits.writes.interactive, limits.writes.bulk, limits.reads) = (1, 1, 1)
            let test = try await TestDatabase("&pool=1", limits: limits)
            let gate = DispatchSemaphore(value: 0)
            let first = try await test.database.occupy(until: gate)
            let waiting = [
                Task { try await test.database.append([insert(1)], .interactive) },
                Task { try await test.database.append([insert(2)], .bulk) },
                Task { _ = try await test.database.read { try $0.rows("SELECT 1 AS one") } },
            ]
            while test.waiting < 3 { try await Task.sleep(for: .milliseconds(1)) }

            await #expect(throws: DatabaseError.busy) { try await test.database.append([insert(3)], .interactive) }
            await #expect(throws: DatabaseError.busy) { try await test.database.append([insert(3)], .bulk) }
            await #expect(throws: DatabaseError.tooManyReads) {
                _ = try await test.database.read { try $0.rows("SELECT 1 AS one") }
            }
            gate.signal()
            try await first.value
            for task in waiting { try await task.value }
            #expect(try await test.ids() == [0, 1, 2])
        }

        @Test("Rows of callers that wait together share a transaction")
        func grouped() async throws {
            let test = try await TestDatabase("&pool=1")
            let gate = DispatchSemaphore(value: 0)
            let first = try await test.database.occupy(until: gate)
            let before = test.database.writeCounts
            let answers = AsyncStream<Bool>.makeStream()

            for id in 1...300 {
                test.database.append([insert(Int64(id))], .interactive) { answers.continuation.yield((try? $0.get()) != nil) }
            }
            gate.signal()
            try await first.value
            var answered = 0
            for await isStored in answers.stream where isStored {
                answered += 1
                if answered == 300 { break }
            }

            #expect(try await test.ids() == Array(0...300))
            // The occupier, 256 and the rest.
            #expect(test.database.writeCounts.commits - before.commits == 3)
            #expect(test.database.writeCounts.units - before.units == 301)
        }

        @Test("Closing waits for what was accepted, refuses what comes, and leaves no connection")
        func closed() async throws {
            let test = try await TestDatabase("&pool=2")
            let gate = DispatchSemaphore(value: 0)
            let first = try await test.database.occupy(until: gate)
            let others = (1...20).map { id in Task { try await test.database.write { try $0.run(insert(Int64(id))) } } }
            for other in others { _ = try await other.value }
            let closing = Task { await test.database.close() }
            gate.signal()
            await closing.value

            try await first.value
            await #expect(throws: DatabaseError.closed) { try await test.ids() }
            await #expect(throws: DatabaseError.closed) { try await test.database.append([insert(99)]) }
            #expect(try test.connection().rows(Statement("SELECT COUNT(*) FROM note"))[0].integer(0) == 21)
        }

        @Test("Two nodes that migrate at once run each migration once")
        func migrations() async throws {
            let test = try await TestDatabase()
            let other = try await PostgresDatabase.open(PostgresAddress(test.url), limits: .wide)
            let migrations = (1...5).map {
                Migration(id: "2026-11-2\($0) t", ["CREATE TABLE t\($0) (id BIGINT)", "INSERT INTO t\($0) (id) VALUES (1)"])
            }

            async let one: Void = test.database.migrate(migrations)
            async let two: Void = other.migrate(migrations)
            _ = try await (one, two)

            #expect(try await other.read { try $0.rows("SELECT id FROM t5").count } == 1)
            await other.close()
        }
    }
}

extension TestDatabase {
    /// Units that wait for a connection.
    var waiting: Int { database.writeCounts.waiting + database.waitingReads }

    /// How many of this test's connections the engine lets sleep.
    func sleeping() throws -> Int64 {
        let statement = Statement(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = $1",
            [.text(schema)])
        return try connection().rows(statement)[0].integer(0)
    }
}

extension PostgresDatabase {
    /// Begins a write that adds the row 0 after the gate opens; returns when it runs.
    func occupy(until gate: DispatchSemaphore) async throws -> Task<Void, any Error> {
        let begun = AsyncStream<Void>.makeStream()
        let task = Task {
            defer { begun.continuation.finish() }
            _ = try await write { connection in
                begun.continuation.finish()
                gate.wait()
                return try connection.run(insert(0))
            }
        }
        for await _ in begun.stream {}
        return task
    }
}

extension PostgresLimits {
    /// Wide ones, but for the unit under test, which is a bulk one.
    fileprivate static var shortBulk: Self {
        var limits = Self.wide
        limits.bulk = .seconds(4)
        return limits
    }
}

@Suite("The queue for connections")
struct UnitQueueTests {
    private final class Unit: PendingUnit {
        let terms: UnitTerms
        let id: Int
        init(_ id: Int, _ urgency: Urgency) {
            (self.id, terms) = (id, UnitTerms(kind: .write, urgency: urgency, limit: .seconds(1)))
        }
        func perform(_ transaction: PostgresTransaction) throws {}
        func resume() {}
        func fail(_ error: any Error) {}
    }

    private func append(_ count: Int = 1) -> PostgresAppend {
        PostgresAppend(
            Array(repeating: insert(1), count: count), UnitTerms(kind: .append, urgency: .interactive, limit: .seconds(1))
        ) { _ in }
    }

    @Test("Interactive units go first, in order of arrival")
    func order() {
        var queue = UnitQueue(PostgresLimits(), connections: 8)
        for unit in [Unit(1, .bulk), Unit(2, .interactive), Unit(3, .bulk), Unit(4, .interactive)] {
            #expect(queue.append(unit) == nil)
        }

        #expect((0..<4).map { _ in (queue.next() as? Unit)?.id } == [2, 4, 1, 3])
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test("Bulk units have at most half of the connections", arguments: [(8, 4), (3, 1), (1, 1)])
    func half(connections: Int, most: Int) {
        var queue = UnitQueue(PostgresLimits(), connections: connections)
        let units = (0..<10).map { Unit($0, .bulk) }
        for unit in units { _ = queue.append(unit) }

        for _ in 0..<most { #expect(queue.next() != nil) }
        #expect(queue.next() == nil)
        queue.ended(units[0])
        #expect((queue.next() as? Unit)?.id == most)
    }

    @Test("Constant interactive work does not block bulk work for ever")
    func fair() {
        var queue = UnitQueue(PostgresLimits(), connections: 8)
        for unit in [Unit(0, .bulk)] + (1...40).map({ Unit($0, .interactive) }) { _ = queue.append(unit) }

        let order = (0..<41).compactMap { _ in (queue.next() as? Unit)?.id }

        #expect(order.firstIndex(of: 0) == UnitQueue.patience)
        #expect(order.count == 41)
    }

    @Test("Appends are grouped up to 256 callers or 2,048 rows, and half of the connections have a group")
    func groups() {
        var queue = UnitQueue(PostgresLimits(), connections: 4)
        for _ in 0..<300 { _ = queue.append(append()) }
        for _ in 0..<5 { _ = queue.append(append(1_000)) }

        let first = queue.next()
        let second = queue.next()

        #expect(first?.parts.count == 256)
        #expect(second?.parts.count == 44 + 3)
        #expect(queue.next() == nil)
        if let first { queue.ended(first) }
        #expect(queue.next()?.parts.count == 2)
        #expect(queue.isEmpty)
    }
}
