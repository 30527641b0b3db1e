// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The queue of webhooks", .timeLimit(.minutes(1)))
struct WebhookQueueTests {
    @Test("A queue that is full drops the oldest, and counts them")
    func full() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            let work = server.webhooks(by: receivers)
            _ = try await work.endpoints()
            var fanOut = work.fanOut
            fanOut.mostWaiting = 3
            for number in 1...5 {
                _ = try await server.firstOpen("{}", phone: Phone(number))
                while try await fanOut.pass(to: [endpoint], nowMs: server.services.time.nowMs()) {}
            }

            #expect(try await server.rows("SELECT sequence FROM webhook_message ORDER BY sequence").map(\.values) == [[.integer(3)], [.integer(4)], [.integer(5)]])
            #expect(try await server.counts(["webhook_delivery"]) == [3])
            #expect(try await work.store.counts().dropped == 2)
            #expect(server.services.metrics.text().contains("landfall_webhook_deliveries_dropped_total 2"))
        }
    }

    @Test("A row with many facts makes as much room as it takes")
    func many() async throws {
        let store = try await TestStore(), need = WebhookNeed([.sample()]), webhooks = WebhookStore(store.database, app: TestStore.app)
        for number in 1...3 {
            let note = try #require(need.note(of: .paywallShown, nowMs: Int64(number)))
            let fact = WebhookFact(.paywallShown, atMs: 1) { $0.field("a", "b") }
            try await store.database.append(note.insertions(of: [fact], into: TestStore.app))
            let row = try #require(try await webhooks.waiting().first)
            let messages = (0..<500).map {
                WebhookMessage(id: WebhookMessage.id(of: row.id, $0), type: .paywallShown, atMs: 1, data: [:], endpoints: ["e"])
            }
            _ = try await webhooks.add([(row.id, messages)], most: 10, nowMs: 1)
        }

        #expect(try await store.count(of: "webhook_message") == 10)
        #expect(try await store.count(of: "webhook_delivery") == 10)
    }

    @Test("Rows with many facts are taken a few at a time, so that no transaction holds up others")
    func long() async throws {
        let store = try await TestStore(), need = WebhookNeed([.sample()]), webhooks = WebhookStore(store.database, app: TestStore.app)
        let text = String(repeating: "a", count: Int(WebhookStore.lotLength) / 2)
        for number in 1...3 {
            let note = try #require(need.note(of: .linkClicked, nowMs: Int64(number)))
            let fact = WebhookFact(.linkClicked, atMs: 1) { $0.field("a", text) }
            try await store.database.append(note.insertions(of: [fact], into: TestStore.app))
        }

        var counts: [Int] = []
        for _ in 1...3 {
            let rows = try await webhooks.waiting()
            counts.append(rows.count)
            _ = try await webhooks.add(rows.map { ($0.id, []) }, most: 9, nowMs: 1)
        }

        #expect(counts == [2, 1, 0])
    }

    @Test("A pass over a few rows is the last one for a moment; one that took all it may is not")
    func passes() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen]), need = WebhookNeed([.sample()])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            let fanOut = server.webhooks(by: receivers).fanOut, text = String(repeating: "a", count: Int(WebhookStore.lotLength) / 2)
            for number in 1...3 {
                let note = try #require(need.note(of: .linkClicked, nowMs: Int64(number)))
                let fact = WebhookFact(.linkClicked, atMs: 1) { $0.field("a", text) }
                try await server.services.database.append(note.insertions(of: [fact], into: server.app))
            }

            var isMore: [Bool] = []
            for _ in 1...2 { isMore.append(try await fanOut.pass(to: [endpoint], nowMs: 1)) }

            #expect(isMore == [true, false])
            #expect(try await server.counts(["webhook_outbox"]) == [0])
        }
    }

    @Test("Facts wait for a version that was published meanwhile: its endpoints may want them")
    func published() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen("{}")
            let fanOut = server.webhooks(by: receivers).fanOut

            let isMore = try await fanOut.pass(to: [], nowMs: server.services.time.nowMs()) { false }

            #expect(!isMore)
            #expect(try await server.counts(["webhook_outbox"]) == [1])
            try await server.bring(by: receivers)
            #expect(receivers.calls(to: endpoint).count == 1)
        }
    }

    @Test("Facts wait on a node that has not heard of the newest version yet; not on one that cannot serve it")
    func unheard() async throws {
        try await TestServer.run(isShared: true) { server in
            let work = server.webhooks(by: WebhookReceivers()), live = server.services.configuration
            #expect(try await work.isCurrent([]))
            let other = Statement("INSERT INTO configuration (version, text, hash, published_at_ms) VALUES (99, '', '', 0)")
            try await server.services.database.append([other])

            let isCurrent = try await work.isCurrent([])
            live.isBehind(99)

            #expect(!isCurrent)
            #expect(try await work.isCurrent([]))
        }
    }

    @Test("A row that is stored a second time is the same message")
    func repeated() async throws {
        let store = try await TestStore(), need = WebhookNeed([.sample()])
        let note = try #require(need.note(of: .linkClicked, nowMs: 1))
        let row = try #require(note.insertions(of: [WebhookFact(.linkClicked, atMs: 1) { $0.field("a", "b") }], into: TestStore.app).first)
        let webhooks = WebhookStore(store.database, app: TestStore.app)
        var ids: [String] = []

        for _ in 0..<2 {
            try await store.database.append([row, row])
            let waiting = try await webhooks.waiting()
            #expect(waiting.count == 1)
            ids.append(WebhookMessage.id(of: try #require(waiting.first).id, 0))
            _ = try await webhooks.add(waiting.map { ($0.id, []) }, most: 9, nowMs: 1)
        }

        #expect(Set(ids) == [note.id])
    }

    @Test("Without endpoints nothing waits, and what waited for one that is removed goes")
    func removed() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen]), tables = ["webhook_outbox", "webhook_message", "webhook_delivery"]
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            for number in 1...2 { _ = try await server.firstOpen("{}", phone: Phone(number)) }
            try await server.bring(by: receivers)
            _ = try await server.firstOpen("{}", phone: Phone(3))
            #expect(try await server.counts(tables) == [1, 2, 2])

            server.serve([])
            _ = try await server.firstOpen("{}", phone: Phone(4))
            try await server.bring(by: receivers)

            #expect(try await server.counts(tables + ["webhook_endpoint"]) == [0, 0, 0, 0])
        }
    }
}
