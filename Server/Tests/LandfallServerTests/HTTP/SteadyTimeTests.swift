// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallServer

@Suite("A calendar that is set", .timeLimit(.minutes(1)))
struct SteadyTimeTests {
    private final class Clocks: Sendable {
        let calendarMs = Atomic<Int64>(1_796_000_000_000)
        let uptimeMs = Atomic<Int64>(5_000)

        var time: ServerTime {
            ServerTime(
                nowMs: { self.calendarMs.load(ordering: .relaxed) }, sleep: { _ in }, uptimeMs: { self.uptimeMs.load(ordering: .relaxed) })
        }
    }

    @Test("What waits goes on by the other clock", arguments: [3_600_000, -3_600_000, 86_400_000, -86_400_000, 0] as [Int64])
    func jump(byMs: Int64) {
        let clocks = Clocks(), steady = SteadyTime(clocks.time), begunMs = clocks.time.nowMs()

        clocks.calendarMs.add(byMs + 250, ordering: .relaxed)
        clocks.uptimeMs.add(250, ordering: .relaxed)

        #expect(steady.nowMs() == begunMs + 250)
        #expect(clocks.time.nowMs() == begunMs + 250 + byMs)
    }

    @Test("Without another clock the calendar is the only one")
    func alone() {
        let time = ServerTime(nowMs: { 1_000 }, sleep: { _ in })

        #expect(SteadyTime(time).nowMs() == 1_000)
        #expect(time.uptimeMs() == 1_000)
    }
}
