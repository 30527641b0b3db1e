// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Synchronization
import Testing

@testable import LandfallServer

@Suite("A semaphore for tasks", .timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    private static let limit = Duration.seconds(10)

    private let clock = ManualClock()
    private let semaphore = AsyncSemaphore(permits: 1, mostWaiting: 3)

    private func call(_ number: Int = 0) async throws -> Int {
        try await semaphore.withPermit(within: Self.limit, by: clock.serverTime) { number }
    }

    private func hasWaiting(_ count: Int) async { while semaphore.waiting != count { await Task.yield() } }

    @Test("Calls wait in order of arrival, and each gets the permit of the one before")
    func order() async throws {
        let working = try await HeldPermit.begun(semaphore)
        let began = Began()
        var calls: [Task<Void, any Error>] = []
        for number in 1...3 {
            calls.append(
                Task { [semaphore, clock] in
                    try await semaphore.withPermit(within: Self.limit, by: clock.serverTime) { began.add(number) }
                })
            await hasWaiting(number)
        }

        try await working.finish()
        for call in calls { try await call.value }

        #expect(began.all == [1, 2, 3])
        #expect(semaphore.waiting == 0)
        #expect(try await call(4) == 4)
    }

    @Test("One call more than may wait is refused at once")
    func full() async throws {
        let working = try await HeldPermit.begun(semaphore)
        let calls = (1...3).map { number in Task { try await call(number) } }
        await hasWaiting(3)

        await #expect(throws: AsyncSemaphore.Refusal.full) { try await call() }

        try await working.finish()
        for (number, call) in calls.enumerated() { #expect(try await call.value == number + 1) }
    }

    @Test("A call whose limit has passed is refused, and those that came later still wait")
    func late() async throws {
        let working = try await HeldPermit.begun(semaphore)
        let first = Task { try await call(1) }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(4))
        let second = Task { try await call(2) }
        await hasWaiting(2)
        while clock.sleeperCount < 2 { await Task.yield() }

        clock.advance(by: .seconds(6))

        await #expect(throws: AsyncSemaphore.Refusal.late) { try await first.value }
        #expect(semaphore.waiting == 1)
        try await working.finish()
        #expect(try await second.value == 2)
    }

    @Test("A limit that is over at once refuses the call; it does not wait for ever")
    func noTime() async throws {
        let working = try await HeldPermit.begun(semaphore)
        let noTime = ServerTime(nowMs: { 0 }, sleep: { _ in })

        await #expect(throws: AsyncSemaphore.Refusal.late) {
            try await semaphore.withPermit(within: .zero, by: noTime) { Issue.record("it has no permit") }
        }

        try await working.finish()
        #expect(semaphore.waiting == 0)
    }

    @Test("A call that is cancelled leaves the queue with its timer, wherever it stands, and the others keep their turn", arguments: 0...2)
    func cancelled(position: Int) async throws {
        let working = try await HeldPermit.begun(semaphore)
        var calls: [Task<Int, any Error>] = []
        for number in 1...3 {
            calls.append(Task { try await call(number) })
            await hasWaiting(number)
        }
        while clock.sleeperCount < 3 { await Task.yield() }

        calls[position].cancel()

        await #expect(throws: CancellationError.self) { try await calls[position].value }
        #expect(semaphore.waiting == 2)
        while clock.sleeperCount > 2 { await Task.yield() }
        try await working.finish()
        for other in 0...2 where other != position { #expect(try await calls[other].value == other + 1) }
        #expect(try await call(4) == 4)
        while clock.sleeperCount > 0 { await Task.yield() }
    }

    @Test("A call of a cancelled task does not enter the queue")
    func cancelledBefore() async throws {
        let working = try await HeldPermit.begun(semaphore)
        let (ready, go) = AsyncStream<Void>.makeStream()
        let one = Task {
            for await _ in ready { break }
            return try await call()
        }
        one.cancel()
        go.yield()

        await #expect(throws: CancellationError.self) { try await one.value }

        #expect(semaphore.waiting == 0)
        try await working.finish()
    }

    @Test("A body that fails gives its permit back")
    func failing() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await semaphore.withPermit(within: Self.limit, by: clock.serverTime) { throw Failure() }
        }
        await #expect(throws: Failure.self) { try await semaphore.withPermitIfFree { throw Failure() } }

        #expect(try await call(1) == 1)
    }

    @Test("No permit is lost or doubled while many calls come, are cancelled and are late")
    func many() async throws {
        let semaphore = AsyncSemaphore(permits: 3, mostWaiting: 500), working = Working()
        let noTime = ServerTime(nowMs: { 0 }, sleep: { _ in await Task.yield() })
        let calls = (0..<500).map { number in
            Task { [clock] in
                try await semaphore.withPermit(within: Self.limit, by: number % 3 == 0 ? noTime : clock.serverTime) {
                    working.begin()
                    await Task.yield()
                    working.end()
                }
            }
        }
        for number in stride(from: 1, to: 500, by: 3) { calls[number].cancel() }
        for call in calls { _ = await call.result }

        #expect(semaphore.waiting == 0)
        #expect(working.most <= 3)
        let permits = (0..<4).map { _ in semaphore.permitIfFree() }
        #expect(permits.count { $0 != nil } == 3)
    }

    @Test("A permit is given back once: by its holder, or with the last reference to it")
    func permits() throws {
        let semaphore = AsyncSemaphore(permits: 2)
        var permits = (0..<2).compactMap { _ in semaphore.permitIfFree() }

        #expect(permits.count == 2)
        #expect(semaphore.permitIfFree() == nil)
        permits[0].giveBack()
        permits[0].giveBack()
        permits[0] = try #require(semaphore.permitIfFree())
        #expect(semaphore.permitIfFree() == nil)
        permits.removeAll()
        #expect(semaphore.permitIfFree() != nil)
    }

    @Test("A call that does not wait works if a permit is free, and only then")
    func ifFree() async throws {
        let working = try await HeldPermit.begun(semaphore)
        #expect(try await semaphore.withPermitIfFree { 1 } == nil)

        try await working.finish()

        #expect(try await semaphore.withPermitIfFree { 2 } == 2)
        #expect(try await semaphore.withPermitIfFree { 3 } == 3)
    }
}

private final class Began: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// How many calls work, and the most that worked at the same time.
private final class Working: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock(\.most) }
    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }
    func end() { counts.withLock { $0.now -= 1 } }
}
