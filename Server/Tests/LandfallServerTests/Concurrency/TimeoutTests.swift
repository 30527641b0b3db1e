// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Testing

@testable import LandfallServer

@Suite("Work with a time limit", .timeLimit(.minutes(1)))
struct TimeoutTests {
    private struct Failure: Error {}

    private let clock = ManualClock()

    @Test("Work that ends within the limit gives its value or its error, and the timer ends")
    func inTime() async throws {
        #expect(try await withTimeout(.seconds(5), by: clock.serverTime) { 7 } == 7)
        await #expect(throws: Failure.self) {
            try await withTimeout(.seconds(5), by: clock.serverTime) { () -> Int in throw Failure() }
        }

        #expect(clock.sleeperCount == 0)
    }

    @Test("Work that takes longer is cancelled, and has ended when there is no value")
    func late() async throws {
        let ended = Count(), (never, _) = AsyncStream<Void>.makeStream()
        async let value = withTimeout(.seconds(5), by: clock.serverTime) {
            for await _ in never {}
            ended.increment()
            return 7
        }
        await clock.waitForSleeper()

        clock.advance(by: .seconds(5))

        #expect(try await value == nil)
        #expect(ended.value == 1)
    }

    @Test("The caller's cancellation ends the work and the wait")
    func cancelled() async throws {
        let clock = clock
        let task = Task {
            try await withTimeout(.seconds(5), by: clock.serverTime) { try await clock.sleep(until: clock.now.advanced(by: .seconds(60))) }
        }
        while clock.sleeperCount < 2 { await Task.yield() }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("Work that may hang gives its value within the limit, and is left alone after it")
    func abandoned() async throws {
        #expect(await abandoning(after: .seconds(5), by: clock.serverTime) { 7 } == 7)
        let work = Race<Int>(), ended = Count()
        async let value = abandoning(after: .seconds(5), by: clock.serverTime) {
            let number = await work.winner()
            ended.increment()
            return number
        }
        await clock.waitForSleeper()

        clock.advance(by: .seconds(5))

        #expect(await value == nil)
        #expect(ended.value == 0)
        work.end(with: 8)
        while ended.value == 0 { await Task.yield() }
    }

    @Test("A cancelled caller does not wait for work that may hang")
    func abandonedByCaller() async {
        let clock = clock, work = Race<Int>()
        let task = Task { await abandoning(after: .seconds(5), by: clock.serverTime) { await work.winner() } }
        await clock.waitForSleeper()

        task.cancel()

        #expect(await task.value == nil)
        work.end(with: 8)
    }
}
