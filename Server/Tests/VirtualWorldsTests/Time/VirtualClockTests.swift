// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import VirtualWorlds

@Suite("Virtual time", .timeLimit(.minutes(1)))
struct VirtualClockTests {
    private let clock = VirtualClock()

    @Test("Actions happen in the order of their times, and at one instant in the order in which they were scheduled")
    func order() {
        let happened = Mutex<[String]>([])
        for (time, name) in [(3, "d"), (1, "a"), (2, "b"), (2, "c")] {
            clock.at(.seconds(time)) { happened.withLock { $0.append(name) } }
        }

        while clock.advance() {}

        #expect(happened.withLock { $0 } == ["a", "b", "c", "d"])
        #expect(clock.elapsed == .seconds(3))
    }

    @Test("A cancelled action neither happens nor moves time")
    func cancelled() {
        let id = clock.at(.seconds(5)) { Issue.record("It happened.") }

        clock.cancel(id)

        #expect(!clock.advance())
        #expect(clock.elapsed == .zero)
    }

    @Test("A cancelled sleeper wakes at once")
    func cancelledSleeper() async {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }

        sleeper.cancel()

        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
