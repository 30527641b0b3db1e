// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import Testing

@testable import LandfallServer

@Suite("Alarms of a loop", .timeLimit(.minutes(1)))
struct EventLoopAlarmsTests {
    private let loop = EmbeddedEventLoop()

    @Test("ring once, in the order of their times, at most a step late", arguments: [0, 1, 99, 100, 101, 2_500] as [Int64])
    func order(offset: Int64) {
        loop.advanceTime(by: .milliseconds(offset))
        let alarms = EventLoopAlarms(loop)
        var rung: [Int64] = []
        for time in [1, 1_000, 250, 60_000, 250] as [Int64] {
            _ = alarms.set(after: .milliseconds(time)) { rung.append(time) }
        }

        loop.advanceTime(by: .milliseconds(249))
        #expect(rung == [1])
        loop.advanceTime(by: .milliseconds(101))
        #expect(rung == [1, 250, 250])
        loop.advanceTime(by: .milliseconds(750))
        #expect(rung == [1, 250, 250, 1_000])
        loop.advanceTime(by: .seconds(60))
        #expect(rung == [1, 250, 250, 1_000, 60_000])
    }

    @Test("do not ring after they were cleared, even by one that rings at the same time")
    func cleared() {
        let alarms = EventLoopAlarms(loop)
        var rung: [String] = []
        let early = alarms.set(after: .milliseconds(100)) { rung.append("early") }
        var pair: [EventLoopAlarms.Alarm] = []
        for index in 0..<2 {
            pair.append(
                alarms.set(after: .milliseconds(200)) {
                    rung.append("one of two")
                    alarms.clear(pair[1 - index])
                })
        }

        alarms.clear(early)
        alarms.clear(early)
        loop.advanceTime(by: .seconds(1))

        #expect(rung == ["one of two"])
    }

    @Test("can be set by one that rings, and after a time without any")
    func again() {
        let alarms = EventLoopAlarms(loop)
        var count = 0
        func set() {
            _ = alarms.set(after: .milliseconds(100)) {
                count += 1
                if count < 3 { set() }
            }
        }

        set()
        loop.advanceTime(by: .seconds(10))
        #expect(count == 3)
        set()
        loop.advanceTime(by: .milliseconds(200))

        #expect(count == 4)
    }
}
