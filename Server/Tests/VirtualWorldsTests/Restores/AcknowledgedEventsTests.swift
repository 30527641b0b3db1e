// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of a restore", .timeLimit(.minutes(1)))
struct AcknowledgedEventsTests {
    private func key(_ event: String, of install: String = "i") -> AcknowledgedEvents.Key { .init(install: install, event: event) }

    private func events(_ names: String...) -> AcknowledgedEvents {
        var events = AcknowledgedEvents()
        for name in names { _ = events.acknowledged(key(name), isNew: true) }
        return events
    }

    @Test("A store with every acknowledged event, once, breaks no guarantee; it may have more")
    func holds() {
        #expect(events("a", "b").breaches("R2", in: [key("a"): 1, key("b"): 1, key("unanswered"): 1]).isEmpty)
    }

    @Test("R1 and R2: an acknowledged event that is missing is found, and one that is there twice", arguments: ["R1", "R2"])
    func lost(guarantee: String) {
        #expect(events("a", "b").breaches(guarantee, in: [key("a"): 1]).map(\.guarantee) == [guarantee])
        #expect(events("a").breaches(guarantee, in: [key("a"): 2]).map(\.guarantee) == ["R2"])
    }

    @Test("R3: an event that is accepted as new for the second time is found; as a duplicate it may come again")
    func twice() {
        var events = events("a")

        #expect(events.acknowledged(key("a"), isNew: false) == nil)
        #expect(events.acknowledged(key("a"), isNew: true)?.guarantee == "R3")
        #expect(events.acknowledged(key("a", of: "another install"), isNew: true) == nil)
    }

    @Test("After a restore what came after the copy may be lost, and accepted again; what was in the copy may not")
    func restored() {
        let copy = events("a")
        var events = events("a", "b")

        events.wentBack(to: copy)

        #expect(events.breaches("R2", in: [key("a"): 1]).isEmpty)
        #expect(events.breaches("R2", in: [key("b"): 1]).map(\.guarantee) == ["R2"])
        #expect(events.acknowledged(key("b"), isNew: true) == nil)
        #expect(events.acknowledged(key("a"), isNew: true)?.guarantee == "R3")
    }
}
