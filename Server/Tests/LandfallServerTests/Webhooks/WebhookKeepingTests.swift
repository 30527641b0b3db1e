// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("How deliveries ended is kept for a while", .timeLimit(.minutes(1)))
struct WebhookKeepingTests {
    private static let tables = ["webhook_message", "webhook_delivery"]

    @Test("For seven days; what waits stays, and goes when it ends")
    func time() async throws {
        let ended = WebhookEndpoint.sample("a", [.firstOpen]), waiting = WebhookEndpoint.sample("b", [.firstOpen])
        try await TestServer.run(telling: [ended, waiting]) { server, receivers in
            receivers.answer([.status(500), .status(200)], at: waiting)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            server.clock.advance(by: .milliseconds(WebhookKeeping.keptMs))
            #expect(try await !server.retain("webhook_delivery"))
            #expect(try await server.counts(Self.tables) == [1, 2])

            server.clock.advance(by: .milliseconds(1))
            #expect(try await !server.retain("webhook_delivery"))
            #expect(try await server.counts(Self.tables) == [1, 1])
            #expect(try await server.services.webhooks.deliveries(to: ended, before: nil, isUndelivered: false, most: 9).page.isEmpty)

            try await server.bring(by: receivers)
            #expect(receivers.calls(to: waiting).count == 2)
            #expect(try await server.counts(Self.tables) == [0, 0])
        }
    }

    @Test("Of a number of the newest messages, whatever waits beside them; nothing that waits is dropped for that")
    func share() async throws {
        let ended = WebhookEndpoint.sample("a", [.firstOpen]), waiting = WebhookEndpoint.sample("b", [.firstOpen])
        try await TestServer.run(telling: [ended, waiting]) { server, receivers in
            receivers.answer([.status(500)], at: waiting)
            let store = WebhookStore(server.services.database, app: server.app), work = server.webhooks(by: receivers)
            for number in 1...5 {
                _ = try await server.firstOpen("{}", phone: Phone(number))
                try await server.bring(by: receivers)
                // Ids of one millisecond have no order.
                server.clock.advance(by: .milliseconds(1))
            }
            #expect(try await server.counts(Self.tables) == [5, 10])

            _ = try await server.firstOpen("{}", phone: Phone(6))
            let rows = try await store.waiting()
            let message = WebhookMessage(id: rows[0].id, type: .firstOpen, atMs: 0, data: [:], endpoints: [ended.key, waiting.key])
            let dropped = try await store.add([(rows[0].id, [message])], most: 100, kept: 2, nowMs: work.nowMs)

            #expect(dropped == 0)
            // The newest two are the sixth, which nobody has yet, and the fifth.
            let kept = try await server.services.webhooks.deliveries(to: ended, before: nil, isUndelivered: false, most: 9).page
            #expect(kept.map(\.sequence) == [6, 5])
            #expect(try await server.services.webhooks.deliveries(to: waiting, before: nil, isUndelivered: false, most: 9).page.count == 6)
        }
    }

    @Test("The beginning of an answer is kept, as text without control characters")
    func answer() {
        let long = WebhookTrial(.delivered, status: 200, answer: Array(String(repeating: "é", count: 700).utf8))
        #expect(long.answer == String(repeating: "é", count: 500))
        #expect(WebhookTrial(.delivered, status: 200, answer: []).answer == nil)
        #expect(WebhookTrial(.delivered, status: 200, answer: [0x61, 0, 0x1B, 0xFF]).answer == "a\\u0000\\u001b\u{FFFD}")
    }
}
