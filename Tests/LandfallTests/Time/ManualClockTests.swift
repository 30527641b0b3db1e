// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("A manual clock", .timeLimit(.minutes(1)))
struct ManualClockTests {
    let clock = ManualClock(date: Date(timeIntervalSince1970: 1000))

    @Test("wakes a sleeper at its time and not a nanosecond earlier")
    func wakes() async throws {
        let woken = Locked(false)
        let sleeper = Task {
            try await clock.sleep(for: .seconds(5))
            woken.withLock { $0 = true }
        }
        await clock.waitForSleeper()

        clock.advance(by: .seconds(5) - .nanoseconds(1))
        #expect(clock.sleeperCount == 1)
        #expect(!woken.withLock { $0 })

        clock.advance(by: .nanoseconds(1))
        try await sleeper.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("drops the sleeper of a cancelled task")
    func cancellation() async {
        let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleeper()

        sleeper.cancel()

        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("does not suspend for an instant in the past or present", arguments: [Duration.zero, .seconds(-3)])
    func past(duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }

    @Test("moves its calendar along, and only the calendar when a person changes it")
    func calendar() {
        let time = clock.time
        clock.advance(by: .milliseconds(1500))
        #expect(time.now() == .milliseconds(1500))
        #expect(time.date() == Date(timeIntervalSince1970: 1001.5))

        clock.moveCalendar(by: .seconds(-1000))
        #expect(time.now() == .milliseconds(1500))
        #expect(time.date() == Date(timeIntervalSince1970: 1.5))
    }

    @Test("moves to the earliest sleeper, and does not move without one")
    func nextSleeper() async throws {
        #expect(!clock.advanceToNextSleeper())
        let early = Task { try await clock.sleep(for: .seconds(1)) }
        let late = Task { try await clock.sleep(for: .seconds(9)) }
        await clock.waitForSleepers(2)

        #expect(clock.advanceToNextSleeper())
        try await early.value
        #expect(clock.now.offset == .seconds(1))

        #expect(clock.advanceToNextSleeper())
        try await late.value
        #expect(clock.now.offset == .seconds(9))
    }

    @Test("Time passes by itself while an operation runs, exactly as far as it waits")
    func running() async throws {
        let clock = ManualClock()

        let passed = try await clock.run {
            try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(500)))
            return clock.now.offset
        }

        #expect(passed == .milliseconds(2_500))
        #expect(clock.now.offset == .milliseconds(2_500))
    }

    @Test("lets a span pass: a task that sleeps repeatedly wakes at each of its times, and the clock stops at the end of the span")
    func passing() async throws {
        let wakes = Locked<[Duration]>([])
        let sleeper = Task {
            while true {
                try await clock.sleep(for: .milliseconds(300))
                wakes.withLock { $0.append(clock.now.offset) }
            }
        }

        await clock.pass(.seconds(1))
        sleeper.cancel()

        #expect(wakes.withLock(\.self) == [.milliseconds(300), .milliseconds(600), .milliseconds(900)])
        #expect(clock.now.offset == .seconds(1))
    }

    @Test("A cancelled task lets no time pass")
    func cancelledPassing() async {
        let passing = Task {
            while !Task.isCancelled { await Task.yield() }
            await clock.pass(.seconds(5))
        }

        passing.cancel()
        await passing.value

        #expect(clock.now.offset == .zero)
    }

    @Test("An operation that would exceed its limit is cancelled")
    func runningTooLong() async {
        let clock = ManualClock()

        await #expect(throws: CancellationError.self) {
            try await clock.run(upTo: .seconds(10)) { try await clock.sleep(until: clock.now.advanced(by: .seconds(11))) }
        }
    }
}
