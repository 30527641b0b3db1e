// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import Landfall

@Suite("Items that a flush leaves to a separate operation", .timeLimit(.minutes(1)))
struct HeldBackTests {
    /// The item "dead" was tried in vain at zero, and rests for a second.
    private func resting() -> HeldBack {
        var held = HeldBack()
        held.hold("dead")
        run(&held, now: .zero) { _ in .laterAlone }
        return held
    }

    /// One run of the operation.
    /// - Returns: what it tried.
    @discardableResult
    private func run(_ held: inout HeldBack, now: Duration, _ answer: (String) -> OutboxVerdict) -> [String] {
        var tried: [String] = [], left: Set<String> = []
        while let id = held.next(after: left, now: now) {
            tried.append(id)
            let verdict = answer(id)
            if verdict == .later || verdict == .laterAlone { left.insert(id) }
            held.answered(verdict)
            if verdict == .later { break }
        }
        held.ended(left: left, now: now, chance: 0.5)
        return tried
    }

    @Test("An item that failed rests for 1, 2, 4 … s; a flush leaves it out all the time")
    func rests() {
        var held = resting()
        #expect(held.dueAt == .seconds(1))

        let tried = run(&held, now: .seconds(1)) { _ in .laterAlone }

        #expect(tried == ["dead"])
        #expect(held.dueAt == .seconds(3))
        #expect(held.ids == ["dead"])
    }

    @Test("A new item is due at once, and its failure does not make the pause of the others longer")
    func fresh() {
        var held = resting()
        held.hold("new")
        #expect(held.dueAt == .zero)

        let tried = run(&held, now: .milliseconds(500)) { _ in .laterAlone }

        #expect(tried == ["new"])
        #expect(held.dueAt == .seconds(1))
        #expect(held.ids == ["dead", "new"])
    }

    @Test("A new item goes before those that were tried")
    func first() {
        var held = resting()
        held.hold("alive")
        held.hold(failed: ["deader"], now: .zero, chance: 0.5)

        let tried = run(&held, now: .seconds(1)) { $0 == "alive" ? .taken() : .laterAlone }

        #expect(tried == ["alive", "dead", "deader"])
        #expect(held.ids == ["dead", "deader"])
    }

    @Test("When the server cannot be reached, the untried items rest too")
    func unreachable() {
        var held = HeldBack()
        held.hold("1")
        held.hold("2")

        let tried = run(&held, now: .zero) { _ in .later }

        #expect(tried == ["1"])
        #expect(held.dueAt == .seconds(1))
        #expect(held.ids == ["1", "2"])
    }

    @Test("Once all have left, nothing is due, and the next failure rests for a second again")
    func empty() {
        var held = resting()

        run(&held, now: .seconds(1)) { _ in .taken() }

        #expect(held.dueAt == nil)
        #expect(held.ids.isEmpty)
        held.hold("next")
        run(&held, now: .seconds(10)) { _ in .laterAlone }
        #expect(held.dueAt == .seconds(11))
    }
}
