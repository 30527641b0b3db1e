// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The queue of jobs", .timeLimit(.minutes(1)))
struct JobQueueTests {
    private static let kind = JobKind(rawValue: "test")
    private static let now = TestStore.noon

    private func queue(_ keys: [String], in store: TestStore, dueAtMs: Int64 = now) async throws -> JobQueue {
        let queue = JobQueue(database: store.database)
        try await queue.add(keys.map(Self.name), dueAtMs: dueAtMs)
        return queue
    }

    private static func name(_ key: String) -> JobName { JobName(app: TestStore.app, kind: kind, key: key) }

    @Test("A due job is taken by one node only, until the lease ends")
    func lease() async throws {
        let store = try await TestStore()
        let queue = try await queue(["a"], in: store)

        #expect(try await queue.lease(Self.kind, 9, nowMs: Self.now - 1, leaseMs: 1_000) == [])
        let first = try await queue.lease(Self.kind, 9, nowMs: Self.now, leaseMs: 1_000)
        #expect(first.map(\.name) == [Self.name("a")])
        #expect(try await queue.lease(Self.kind, 9, nowMs: Self.now + 999, leaseMs: 1_000) == [])
        let second = try await queue.lease(Self.kind, 9, nowMs: Self.now + 1_000, leaseMs: 1_000)

        #expect(second.map(\.attempts) == [2])
    }

    @Test("A holder whose lease has ended changes nothing")
    func late() async throws {
        let store = try await TestStore()
        let queue = try await queue(["a"], in: store)
        let first = try await queue.lease(Self.kind, 1, nowMs: Self.now, leaseMs: 1_000)
        let second = try await queue.lease(Self.kind, 1, nowMs: Self.now + 1_000, leaseMs: 1_000)

        try await queue.move(first[0], .done)
        #expect(try await store.count(of: "job") == 1)
        try await queue.move(second[0], .done)

        #expect(try await store.count(of: "job") == 0)
    }

    @Test("The jobs of a node that stops or dies can be taken at once, those of others cannot, and it moves them no more")
    func ended() async throws {
        let store = try await TestStore(), kind = Self.kind
        _ = try await queue(["a", "b", "c"], in: store)
        let (one, other) = (NodeName("one"), NodeName("other"))
        let queues = [one, other].map { JobQueue(database: store.database, node: $0) }
        let first = try await queues[0].lease(kind, 1, nowMs: Self.now, leaseMs: 30_000)
        let second = try await queues[1].lease(kind, 1, nowMs: Self.now, leaseMs: 30_000)
        let back = try await queues[0].lease(kind, 1, nowMs: Self.now, leaseMs: 30_000)
        try await queues[0].move(back[0], .retry(atMs: Self.now + 60_000))

        try await queues[1].endLeases(of: one)

        let taken = try await queues[1].lease(kind, 9, nowMs: Self.now + 3_000, leaseMs: 30_000)
        #expect(taken.map(\.name) == first.map(\.name))
        #expect(second.map(\.name) != first.map(\.name))
        try await queues[0].move(first[0], .done)
        #expect(try await store.count(of: "job") == 3)
        // What the node has put back itself waits for its time.
        let later = try await queues[1].lease(kind, 9, nowMs: Self.now + 59_999, leaseMs: 1_000)
        #expect(!later.map(\.name).contains(back[0].name))
    }

    @Test("A job that is requested twice is one job, with its first date")
    func twice() async throws {
        let store = try await TestStore()
        let queue = try await queue(["a"], in: store)

        try await queue.add([Self.name("a")], dueAtMs: Self.now - 1_000)

        #expect(try await queue.nextDueMs(of: [Self.kind, .retention]) == [Self.kind: Self.now])
    }

    @Test("Failed tries are counted until one succeeds", arguments: [(true, 2), (false, 1)] as [(Bool, Int64)])
    func attempts(isFailure: Bool, attempts: Int64) async throws {
        let store = try await TestStore()
        let queue = try await queue(["a"], in: store)
        let job = try await queue.lease(Self.kind, 1, nowMs: Self.now, leaseMs: 1_000)[0]

        try await queue.move(job, isFailure ? .retry(atMs: Self.now + 5) : .again(atMs: Self.now + 5))

        #expect(try await queue.lease(Self.kind, 1, nowMs: Self.now + 4, leaseMs: 1_000) == [])
        #expect(try await queue.failures(of: [Self.kind, .retention]) == (isFailure ? [Self.kind: 1] : [:]))
        #expect(try await queue.lease(Self.kind, 1, nowMs: Self.now + 5, leaseMs: 1_000).map(\.attempts) == [attempts])
    }

    @Test("At most the requested number is taken, the longest due first")
    func limit() async throws {
        let store = try await TestStore()
        let queue = try await queue(["late"], in: store)
        try await queue.add([Self.name("early")], dueAtMs: Self.now - 1)

        #expect(try await queue.lease(Self.kind, 1, nowMs: Self.now, leaseMs: 1_000).map(\.name.key) == ["early"])
    }

    @Test("Fresh jobs go before retries, however long those are due")
    func freshFirst() async throws {
        let store = try await TestStore()
        let queue = try await queue(["failed"], in: store)
        let failed = try await queue.lease(Self.kind, 1, nowMs: Self.now, leaseMs: 1_000)[0]
        try await queue.move(failed, .retry(atMs: Self.now + 1))
        try await queue.add([Self.name("fresh")], dueAtMs: Self.now + 2)

        #expect(try await queue.nextDueMs(of: [Self.kind]) == [Self.kind: Self.now + 1])
        #expect(try await queue.lease(Self.kind, 1, nowMs: Self.now + 2, leaseMs: 1_000).map(\.name.key) == ["fresh"])
        #expect(try await queue.lease(Self.kind, 9, nowMs: Self.now + 2, leaseMs: 1_000).map(\.name.key) == ["failed"])
    }

    @Test("A lease that a restart ended is not a failure: the job is still fresh")
    func interrupted() async throws {
        let store = try await TestStore()
        let queue = try await queue(["interrupted"], in: store)
        _ = try await queue.lease(Self.kind, 1, nowMs: Self.now, leaseMs: 1_000)
        try await queue.endLeases()
        try await queue.add([Self.name("later")], dueAtMs: Self.now + 1)

        #expect(try await queue.lease(Self.kind, 1, nowMs: Self.now + 1, leaseMs: 1_000).map(\.name.key) == ["interrupted"])
    }

    @Test("Pauses after failures double up to a quarter of an hour, each up to a fifth longer or shorter")
    func pauses() {
        for (attempts, pause) in [(1, 1_000), (2, 2_000), (5, 16_000), (11, 900_000), (60, 900_000)] as [(Int64, Int64)] {
            let job = Job(name: Self.name("a"), install: nil, payload: "", attempts: attempts, createdAtMs: 0, leaseUntilMs: 0)
            #expect((pause * 8 / 10...pause * 12 / 10).contains(job.pauseMs), "\(attempts): \(job.pauseMs)")
        }
    }

    @Test("The index finds due jobs", .sqlitePlans, arguments: [JobQueue.leaseText, JobQueue.nextText, JobQueue.failuresText])
    func plan(text: String) async throws {
        let store = try await TestStore()

        let plan = try await store.database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, [.text("a"), .integer(1), .integer(1), .integer(1), .integer(1), .null])
                .map { try $0.text("detail") }
        }

        #expect(plan.contains { $0.contains("job_queue (kind=? AND is_retry=?") }, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN job") }, "\(plan)")
    }
}
