// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("While no endpoint takes anything, facts are put off", .timeLimit(.minutes(1)))
struct WebhookPuttingOffTests {
    private static let some = Int64(WebhookStore.lotPutOff)
    private static let endpoint = WebhookEndpoint.sample("a", [.firstOpen])

    private static func job(of app: AppID) -> Job {
        Job(
            name: JobName(app: app, kind: .webhooks, key: "deliveries"), install: nil, payload: "", attempts: 1, createdAtMs: 0,
            leaseUntilMs: .max)
    }

    /// Rows as transactions leave them.
    private static func add(_ count: Int64, to server: TestServer) async throws {
        let nowMs = server.services.time.nowMs()
        for _ in 0..<count {
            let note = try #require(WebhookNeed([endpoint]).note(of: .firstOpen, nowMs: nowMs))
            let fact = WebhookFact(.firstOpen, atMs: nowMs) { $0.field("a", "b") }
            try await server.services.database.append(note.insertions(of: [fact], into: server.app))
        }
    }

    private static func waitFor(_ facts: Int64, _ messages: Int64, in server: TestServer) async throws {
        while try await server.counts(["webhook_outbox", "webhook_message"]) != [facts, messages], !Task.isCancelled { await Task.yield() }
    }

    /// A server whose only endpoint fails, and has one message.
    private static func run(_ body: @escaping @Sendable (TestServer, WebhookReceivers) async throws -> Void) async throws {
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            try await add(1, to: server)
            try await server.bring(by: receivers)
            try await body(server, receivers)
        }
    }

    @Test("Some become messages in each pause of the endpoint, so that it is tried")
    func some() async throws {
        try await Self.run { server, receivers in
            try await Self.add(3 * Self.some, to: server)
            let work = server.webhooks(by: receivers), clock = server.clock, job = Self.job(of: server.app)

            let running = Task { try await work.attempt(job) }
            try await Self.waitFor(2 * Self.some, 1 + Self.some, in: server)
            await clock.waitForSleepers(2)
            for _ in 1...5 {
                clock.advance(by: WebhookWork.pause)
                await clock.waitForSleepers(2)
            }
            #expect(try await server.counts(["webhook_outbox", "webhook_message"]) == [2 * Self.some, 1 + Self.some])
            clock.advance(by: .milliseconds(WebhookWork.failingPauseMs))
            try await Self.waitFor(Self.some, 1 + 2 * Self.some, in: server)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
    }

    @Test("Until one of them takes a message, or none is left that is on")
    func reach() async throws {
        let other = WebhookEndpoint.sample("b", [.firstOpen])
        try await TestServer.run(telling: [Self.endpoint, other]) { server, receivers in
            for endpoint in [Self.endpoint, other] { receivers.answer([.status(500)], at: endpoint) }
            let work = server.webhooks(by: receivers)
            func isTaking() async throws -> Bool { try await work.reach([Self.endpoint, other]).isTaking }
            _ = try await work.endpoints()
            #expect(try await isTaking())
            try await Self.add(1, to: server)
            try await server.bring(by: receivers)
            #expect(try await !isTaking())

            receivers.answer([.status(200)], at: other)
            server.clock.advance(by: .milliseconds(WebhookSending.waitsMs[0]))
            try await server.bring(by: receivers)
            #expect(try await isTaking())

            let store = work.store, nowMs = server.services.time.nowMs()
            _ = try await store.switchOff(other.key, nowMs: nowMs)
            #expect(try await !isTaking())
            _ = try await store.switchOff(Self.endpoint.key, nowMs: nowMs)
            #expect(try await isTaking())
        }
    }

    @Test("More than may be put off become messages at once")
    func surplus() async throws {
        try await Self.run { server, receivers in
            try await Self.add(2 * Self.some + 7, to: server)
            var work = server.webhooks(by: receivers)
            work.fanOut.mostPutOff = 20
            let made = work, job = Self.job(of: server.app)

            let running = Task { try await made.attempt(job) }
            // A whole lot, which takes all that is left.
            try await Self.waitFor(0, 8 + 2 * Self.some, in: server)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
    }

    @Test("They count as waiting for the endpoint")
    func waiting() async throws {
        try await Self.run { server, _ in
            try await Self.add(5, to: server)

            let found = try await server.services.webhooks.endpoints(of: server.services.snapshot.configuration).endpoints

            #expect(found.map(\.waiting.count) == [6])
        }
    }

    @Test("An endpoint that answers 410 has what happened before it, to be sent again; nothing that happened later")
    func off() async throws {
        try await Self.run { server, receivers in
            try await Self.add(5, to: server)
            server.clock.advance(by: .milliseconds(WebhookSending.waitsMs[0]))
            receivers.answer([.status(410), .status(200)], at: Self.endpoint)
            let work = server.webhooks(by: receivers)
            _ = try await work.deliver(to: Self.endpoint)
            try await Self.add(3, to: server)
            try await server.bring(by: receivers)

            let kept = try await server.services.webhooks.deliveries(to: Self.endpoint, before: nil, isUndelivered: true, most: 99).page
            #expect(kept.count == 6 && kept.allSatisfy { $0.ending == .off })
            #expect(try await server.counts(["webhook_outbox"]) == [0])
            #expect(receivers.calls(to: Self.endpoint).count == 2)
        }
    }
}

@Suite("The text of a message", .timeLimit(.minutes(1)))
struct WebhookMessageTests {
    private static let facts: [String] = [
        #"{"profileId":"i_1","installId":"2","attributes":{"plan":"gold","is\u00e9":true},"zone":[1,{"a":"b"}],"price":1.5,"none":null}"#,
        #"{"profileId":"i_1","attributes":{"plan":"gold"},"install":{"isReinstall":false,"at":1790000000000},"zone":[]}"#,
        "{}",
    ]

    @Test("is what the general encoder writes, with the number in its place", arguments: facts)
    func encoded(data: String) throws {
        let row = #"[{"atMs":1790000000000,"data":\#(data),"type":"first_open"}]"#
        let fact = try #require(try StoredWebhookFacts.stored(row).facts.first)
        #expect(fact.data == (try WireCoding.decode([String: JSONValue].self, from: Data(data.utf8))))

        let message = WebhookMessage(id: "m", type: .firstOpen, atMs: fact.atMs, data: fact.data, endpoints: [])
        var numbered = fact.data
        numbered["sequence"] = .integer(7)
        let all: JSONValue = .object([
            "type": "first_open", "timestamp": .string(Instant(milliseconds: fact.atMs).description), "data": .object(numbered),
        ])

        #expect(message.written().body(sequence: 7) == String(decoding: try WireCoding.encode(all), as: UTF8.self))
    }

    @Test("A row that is not plain, or not facts, is read as before or not at all")
    func unplain() throws {
        let escaped = #"[{"atMs":1,"data":{"a":"\"é"},"type":"first_open"}]"#
        #expect(try StoredWebhookFacts.stored(escaped).facts.map(\.data) == [["a": "\"é"]])
        #expect(throws: DecodingError.self) { try StoredWebhookFacts.stored("[{}]") }
    }
}
