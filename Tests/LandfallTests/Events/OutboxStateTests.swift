// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Landfall

@Suite("When the outbox is sent", .timeLimit(.minutes(1)))
struct OutboxStateTests {
    private func times(_ outbox: OutboxState, allowedFrom: Duration = .zero) -> [Duration] {
        outbox.plannedEffects(allowedFrom: allowedFrom).map(\.from)
    }

    @Test("A flush is planned for items that wait, not before it is allowed, and once")
    func planned() {
        var outbox = OutboxState()
        #expect(times(outbox).isEmpty)

        outbox.hasItems = true
        #expect(times(outbox, allowedFrom: .seconds(3)) == [.seconds(3)])

        outbox.begun(7)
        #expect(times(outbox).isEmpty)
    }

    @Test("A flush that fails is repeated after its pause; one that was cancelled is repeated at once")
    func failed() {
        var outbox = OutboxState()
        outbox.begun(1)
        outbox.flushed(.everything, isCancelled: true, now: .seconds(5), chance: 0.5)
        #expect(times(outbox) == [.zero])

        outbox.begun(2)
        outbox.flushed(.everything, isCancelled: false, now: .seconds(5), chance: 0.5)

        #expect(times(outbox) == [.seconds(6)])
        #expect(!outbox.isLeaving(.seconds(5)))
        #expect(outbox.isLeaving(.seconds(6)))
    }

    @Test("Items that are tried in vain wait for a try of their own, and delay no new ones")
    func heldBack() {
        var outbox = OutboxState()
        outbox.begun(1)
        outbox.flushed(.items(["a"]), isCancelled: false, now: .seconds(5), chance: 0.5)
        #expect(times(outbox) == [.seconds(6)])
        #expect(outbox.mayHaveItems)

        outbox.hasItems = true

        #expect(times(outbox) == [.zero, .seconds(6)])
    }
}
