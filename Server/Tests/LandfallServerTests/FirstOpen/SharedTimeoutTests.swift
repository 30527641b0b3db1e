// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Synchronization
import Testing

@testable import LandfallServer

@Suite("One timer for many waits of equal length", .timeLimit(.minutes(1)))
struct SharedTimeoutTests {
    private let clock = ManualClock()
    private let time: ServerTime
    private let patience = SharedTimeout(.milliseconds(200))
    private let ended = Ended()

    init() {
        let clock = self.clock, began = clock.now
        time = ServerTime(
            nowMs: { 1_000 + began.duration(to: clock.now).wholeMilliseconds },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: $0)) })
    }

    private func wait(_ name: Int) -> SharedTimeout.Place { patience.wait(by: time) { [ended] in ended.add(name) } }

    @Test("Each wait ends after its own time, the oldest first, and once")
    func each() async {
        _ = wait(1)
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(50))
        _ = wait(2)
        clock.advance(by: .milliseconds(50))
        _ = wait(3)

        clock.advance(by: .milliseconds(100))
        await ended.wait(for: 1)
        #expect(ended.all == [1])
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(100))
        await ended.wait(for: 3)

        #expect(ended.all == [1, 2, 3])
    }

    @Test("A wait that was left does not end, and does not delay another")
    func left() async {
        let first = wait(1)
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(10))
        _ = wait(2)
        patience.leave(first)

        clock.advance(by: .milliseconds(190))
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(10))
        await ended.wait(for: 1)

        #expect(ended.all == [2])
    }

    @Test("Waits that begin and end between two rings have no timer of their own, and the one after them ends in time")
    func between() async {
        patience.leave(wait(0))
        await clock.waitForSleeper()
        for number in 1...20 {
            clock.advance(by: .milliseconds(5))
            patience.leave(wait(number))
        }
        #expect(clock.begunSleepCount == 1)
        _ = wait(21)

        clock.advance(by: .milliseconds(100))
        await clock.waitForSleeper()
        #expect(ended.all == [])
        clock.advance(by: .milliseconds(100))
        await ended.wait(for: 1)

        #expect(ended.all == [21])
        #expect(clock.begunSleepCount == 2)
    }

    @Test("After a ring without waits there is no timer; the next wait gets a new one")
    func again() async {
        patience.leave(wait(1))
        _ = wait(2)
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(200))
        await ended.wait(for: 1)
        while clock.sleeperCount > 0 { await Task.yield() }
        _ = wait(3)
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(200))
        await ended.wait(for: 2)

        #expect(ended.all == [2, 3])
    }
}

private final class Ended: Sendable {
    private let names = Mutex<[Int]>([])
    var all: [Int] { names.withLock { $0 } }
    func add(_ name: Int) { names.withLock { $0.append(name) } }
    func wait(for count: Int) async { while all.count < count { await Task.yield() } }
}
