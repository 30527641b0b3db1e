// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of webhooks", .timeLimit(.minutes(1)))
struct WebhookLedgerTests {
    private func message(_ id: String, _ sequence: Int64, _ content: String = "fact", madeAtMs: Int64 = 0) -> WebhookLedger.Message {
        WebhookLedger.Message(id: id, type: "first_open", sequence: sequence, content: content, madeAtMs: madeAtMs)
    }

    private func ledger(_ messages: WebhookLedger.Message..., atMs: Int64 = 0) -> WebhookLedger {
        var ledger = WebhookLedger()
        for message in messages { _ = ledger.arrived(message, atMs: atMs) }
        return ledger
    }

    @Test("A message that was not taken may come again, and one with a lower number later")
    func holds() {
        var ledger = ledger(message("a", 2), atMs: 1_000)

        #expect(ledger.arrived(message("a", 2), atMs: 6_000).isEmpty)
        #expect(ledger.arrived(message("b", 1), atMs: 7_000).isEmpty)
        ledger.took("a")
        #expect(ledger.breaches(of: ["fact"], waiting: [], delivered: ["a"]).isEmpty)
    }

    @Test("W1: another body under one id is found, and another number")
    func changed() {
        var ledger = ledger(message("a", 1))

        #expect(ledger.arrived(message("a", 1, "other"), atMs: 1).map(\.guarantee) == ["W1"])
        #expect(ledger.arrived(message("a", 2), atMs: 1).map(\.guarantee) == ["W1"])
    }

    @Test("W2: two messages with one number are found, and a later fact with a lower number")
    func numbers() {
        var ledger = ledger(message("a", 5), atMs: 1_000)

        #expect(ledger.arrived(message("b", 5), atMs: 1_100).map(\.guarantee) == ["W2"])
        #expect(ledger.arrived(message("c", 4, madeAtMs: 1_900), atMs: 9_000).isEmpty, "within the difference of clocks")
        #expect(ledger.arrived(message("d", 3, madeAtMs: 2_001), atMs: 9_000).map(\.guarantee) == ["W2"])
    }

    @Test("W3 and W4: a fact that nobody was told of is found, and a delivery that nobody took")
    func untold() {
        var ledger = ledger(message("a", 1, "one"))

        #expect(ledger.breaches(of: ["one"], waiting: [], delivered: []).map(\.guarantee) == ["W3"], "It was refused.")
        #expect(ledger.breaches(of: ["one"], waiting: ["body of one"], delivered: []).isEmpty)
        #expect(ledger.breaches(of: [], waiting: [], delivered: ["a"]).map(\.guarantee) == ["W4"])
        ledger.took("a")
        #expect(ledger.breaches(of: ["one"], waiting: [], delivered: ["a"]).isEmpty)
    }

    @Test("W5: what was taken does not come again, unless the server was disturbed")
    func again() {
        var ledger = ledger(message("a", 1))
        ledger.took("a")

        #expect(ledger.arrived(message("a", 1), atMs: 9).map(\.guarantee) == ["W5"])
        ledger.disturbed()
        #expect(ledger.arrived(message("a", 1), atMs: 9).isEmpty)
    }

    @Test("A restored store counts on from its copy: its numbers are compared with each other only")
    func restored() {
        var ledger = ledger(message("a", 7), atMs: 1_000)

        ledger.storeReplaced()

        #expect(ledger.arrived(message("a", 3), atMs: 9_000).isEmpty)
        #expect(ledger.arrived(message("b", 7, madeAtMs: 9_000), atMs: 9_000).isEmpty)
        #expect(ledger.arrived(message("a", 4), atMs: 9_000).map(\.guarantee) == ["W1"])
    }
}
