// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What a server key may do with webhooks", .timeLimit(.minutes(1)))
struct WebhookRouteTests {
    static let key = "sk_0123456789abcdef0123456789abcdee"
    static let weakKey = "sk_0123456789abcdef0123456789abcded"

    /// A server with one endpoint, to which a first open went.
    static func run(
        answering status: Int = 200, _ body: @Sendable (_ server: TestServer, _ endpoint: String, _ delivery: String) async throws -> Void
    ) async throws {
        try await run(answering: status) { server, endpoint, delivery, _ in try await body(server, endpoint.key, delivery) }
    }

    private static func run(
        answering status: Int = 200,
        _ body: @Sendable (_ server: TestServer, _ endpoint: WebhookEndpoint, _ delivery: String, WebhookReceivers) async throws -> Void
    ) async throws {
        let endpoint = WebhookEndpoint.sample("password", [.firstOpen])
        var configuration = Configuration.sample()
        configuration.serverKeys = [ServerKey(key, scopes: [.webhooks], name: "LANDFALL_KEY")!, ServerKey(weakKey, scopes: [.profiles])!]
        try await TestServer.run(telling: [endpoint], configuration: configuration) { server, receivers in
            receivers.answer([.text(status, "an\u{0}swer")], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            let id = try #require(receivers.calls(to: endpoint).first?.headers["webhook-id"])
            try await body(server, endpoint, id, receivers)
        }
    }

    @Test("A list has how it went, and one delivery what was sent and answered; never the address")
    func looking() async throws {
        try await Self.run(answering: 500) { server, endpoint, id, _ in
            let list = try await server.asTeam(.get, WebhookRoutes.path)
            let endpoints = try list.decoded(WebhookEndpointsDocument.self).endpoints
            #expect(endpoints.map(\.state) == ["failing"] && endpoints.map(\.waiting) == [1] && endpoints.map(\.host) == [endpoint.host])
            #expect(endpoints.map(\.lastFailure) == ["status 500"] && !list.page.contains("password"))

            let page = try await server.asTeam(.get, "/v1/webhooks/\(endpoint.key)/deliveries?state=undelivered").decoded(WebhookDeliveriesDocument.self)
            #expect(page.deliveries.map(\.id) == [id] && page.deliveries.first?.body == nil && page.next == nil)
            let one = try await server.asTeam(.get, "/v1/webhooks/\(endpoint.key)/deliveries/\(id)").decoded(WebhookDeliveryDocument.self)
            #expect(one.state == "waiting" && one.attempts == 1 && one.status == 500 && one.type == "first_open")
            #expect(one.answer == "an\\u0000swer" && one.body?.contains(Phone().id) == true)
            #expect(one.nextTryAtMilliseconds == server.services.time.nowMs() + 5_000)
        }
    }

    @Test("Pages follow each other without a gap, the newest first")
    func pages() async throws {
        try await Self.run { server, endpoint, _, receivers in
            for number in 2...4 {
                server.clock.advance(by: .milliseconds(5))
                _ = try await server.firstOpen("{}", phone: Phone(number))
            }
            try await server.bring(by: receivers)
            var ids: [String] = [], before: String?
            repeat {
                let query = "?limit=3" + (before.map { "&before=\($0)" } ?? "")
                let page = try await server.asTeam(.get, "/v1/webhooks/\(endpoint.key)/deliveries" + query).decoded(WebhookDeliveriesDocument.self)
                ids += page.deliveries.map(\.id)
                before = page.next
            } while before != nil

            #expect(ids.count == 4 && ids == ids.sorted(by: >))
        }
    }

    @Test("A delivery that is tried again is the same message, and begins anew if it had ended; the audit log says who did it")
    func again() async throws {
        try await Self.run { server, endpoint, id, receivers in
            let place = "/v1/webhooks/\(endpoint.key)/deliveries/\(id)"
            receivers.answer([.status(500)], at: endpoint)
            #expect(try await server.asTeam(.post, place + "/retry").status == .ok)
            try await server.bring(by: receivers)

            let calls = receivers.calls(to: endpoint)
            #expect(calls.count == 2 && Set(calls.compactMap { $0.headers["webhook-id"] }) == [id] && Set(calls.map { $0.body ?? [] }).count == 1)
            #expect(try await server.asTeam(.get, place).decoded(WebhookDeliveryDocument.self).attempts == 1)
            #expect(try await server.asTeam(.post, place + "/retry").status == .ok)
            try await server.bring(by: receivers)
            #expect(try await server.asTeam(.get, place).decoded(WebhookDeliveryDocument.self).attempts == 2)
            let lines = try await server.audit.page(before: nil).map(\.entry)
            #expect(lines.map(\.action) == ["webhook_sent_again", "webhook_sent_again"] && lines.first?.member == "key LANDFALL_KEY")
            #expect(lines.first?.subject == "\(endpoint.host), \(id)")
            #expect(try await server.asTeam(.post, "/v1/webhooks/\(endpoint.key)/deliveries/\(UUIDv7.make(nowMs: 1))/retry").status == .notFound)
        }
    }

    @Test("A replay sends what has ended of a range, each once, and leaves the rest")
    func replay() async throws {
        try await Self.run { server, endpoint, _, receivers in
            server.clock.advance(by: .seconds(60))
            let fromMs = server.services.time.nowMs()
            for number in 2...3 { _ = try await server.firstOpen("{}", phone: Phone(number)) }
            try await server.bring(by: receivers)
            server.clock.advance(by: .seconds(60))
            let span = #"{"from":"\#(Instant(milliseconds: fromMs))","to":"\#(Instant(milliseconds: fromMs + 1_000))"}"#

            let answer = try await server.asTeam(.post, "/v1/webhooks/\(endpoint.key)/replay", span).decoded(WebhookReplayAnswer.self)
            try await server.bring(by: receivers)

            #expect(answer.count == 2 && receivers.calls(to: endpoint).count == 5)
            let turned = #"{"from":"2100-01-01T00:00:00Z","to":"2000-01-01T00:00:00Z"}"#
            #expect(try await server.asTeam(.post, "/v1/webhooks/\(endpoint.key)/replay", turned).problem?.code.rawValue == "invalid_value")
        }
    }

    @Test("An endpoint that is off is sent nothing until it is switched on; then it gets what happens, and what is replayed")
    func switchedOn() async throws {
        try await Self.run(answering: 410) { server, endpoint, id, receivers in
            let place = "/v1/webhooks/\(endpoint.key)"
            #expect(try await server.asTeam(.get, "\(place)/deliveries/\(id)").decoded(WebhookDeliveryDocument.self).state == "off")
            let refused = try await server.asTeam(.post, "\(place)/deliveries/\(id)/retry")
            #expect(refused.status == .conflict && refused.problem?.code.rawValue == "webhook_off")

            receivers.answer([.status(200)], at: endpoint)
            #expect(try await server.asTeam(.post, "\(place)/on").decoded(WebhookChangeAnswer.self).changed)
            #expect(try await !server.asTeam(.post, "\(place)/on").decoded(WebhookChangeAnswer.self).changed)
            #expect(try await server.asTeam(.post, "\(place)/deliveries/\(id)/retry").status == .ok)
            _ = try await server.firstOpen("{}", phone: Phone(2))
            try await server.bring(by: receivers)

            #expect(receivers.calls(to: endpoint).count == 3)
            #expect(try await server.actions().filter { $0 == "webhook_switched_on" }.count == 1)
        }
    }

    @Test("What is sent again to an endpoint that was just switched on is not ended with what waited before")
    func switchedOnMeanwhile() async throws {
        try await Self.run(answering: 410) { server, endpoint, id, _ in
            let store = WebhookStore(server.services.database, app: server.app), place = "/v1/webhooks/\(endpoint.key)"
            _ = try await server.asTeam(.post, "\(place)/on")
            _ = try await server.asTeam(.post, "\(place)/deliveries/\(id)/retry")

            // A node that has seen it off ends what waits.
            _ = try await store.endWaiting(at: endpoint.key)

            #expect(try await server.asTeam(.get, "\(place)/deliveries/\(id)").decoded(WebhookDeliveryDocument.self).state == "waiting")
        }
    }

    @Test("A program that listens gets what is made from then on, signed as for the endpoint, and takes nothing from it")
    func messages() async throws {
        try await Self.run { server, endpoint, _, receivers in
            let place = "/v1/webhooks/\(endpoint.key)/messages"
            let start = try await server.asTeam(.get, place).decoded(WebhookMessagesDocument.self)
            #expect(start.sequence == 1 && start.messages.isEmpty)
            _ = try await server.firstOpen("{}", phone: Phone(2))
            try await server.bring(by: receivers)

            let page = try await server.asTeam(.get, place + "?after=\(start.sequence)").decoded(WebhookMessagesDocument.self)

            let message = try #require(page.messages.first)
            #expect(page.messages.count == 1 && page.sequence == 2 && message.type == "first_open" && message.body.contains(Phone(2).id))
            let seconds = try #require(message.headers["webhook-timestamp"].flatMap { Int64($0) })
            #expect(message.headers["webhook-signature"] == endpoint.signatures(of: Array(message.body.utf8), id: message.id, seconds: seconds))
            #expect(receivers.calls(to: endpoint).last?.body == Array(message.body.utf8))
            let rest = try await server.asTeam(.get, place + "?after=2").decoded(WebhookMessagesDocument.self)
            #expect(rest.sequence == 2 && rest.messages.isEmpty)
            // A message for another endpoint is passed, so that nobody looks at it again.
            let store = WebhookStore(server.services.database, app: server.app)
            _ = try await server.firstOpen("{}", phone: Phone(3))
            let row = try #require(try await store.waiting().first)
            let other = WebhookMessage(id: row.id, type: .firstOpen, atMs: 0, data: [:], endpoints: ["other"])
            _ = try await store.add([(row.id, [other])], most: 9, nowMs: 0)
            let passed = try await server.asTeam(.get, place + "?after=2").decoded(WebhookMessagesDocument.self)
            #expect(passed.sequence == 3 && passed.messages.isEmpty)
        }
    }

    @Test("A test event is signed and tried once; its answer is shown, and nothing of it is kept but who sent it", arguments: [200, 500, 410])
    func test(status: Int) async throws {
        try await Self.run { server, endpoint, _, receivers in
            receivers.answer([.text(status, "seen")], at: endpoint)
            let time = server.services.time
            func webhooks(_ found: [String]) -> Webhooks {
                Webhooks(
                    WebhookStore(server.services.database, app: server.app), by: receivers, at: WebhookAddress(resolve: { _ in found }),
                    tests: AsyncSemaphore(permits: 1), time: time)
            }
            let line = AuditLine(action: .webhookTested, member: "maya@example.com", subject: endpoint.host, network: nil)

            let result = try await webhooks([]).test(endpoint, by: line)

            #expect(result.delivered == (status == 200) && result.status == Int64(status) && result.answer == "seen")
            let call = try #require(receivers.calls(to: endpoint).last), seconds = time.nowMs() / 1_000
            #expect(call.headers["webhook-signature"] == endpoint.signatures(of: call.body ?? [], id: result.webhookId, seconds: seconds))
            #expect(try receivers.bodies(to: endpoint).last?.type == "webhook.test")
            try await server.bring(by: receivers)
            let state = try await server.asTeam(.get, WebhookRoutes.path).decoded(WebhookEndpointsDocument.self).endpoints.map(\.state)
            #expect(receivers.calls(to: endpoint).count == 2 && state == ["on"])
            #expect(try await server.counts(["webhook_message", "webhook_delivery"]) == [1, 1])
            #expect(try await server.actions() == ["webhook_tested"])
            let inside = WebhookEndpoint.sample("a", host: "hooks.example.com")
            #expect(try await webhooks(["10.0.0.7"]).test(inside, by: line).failure?.contains("not on the internet") == true)
            // Where no server runs.
            #expect(try await server.asTeam(.post, "/v1/webhooks/\(endpoint.key)/test").status == .serviceUnavailable)
        }
    }
}

extension TestServer {
    /// With a key that may `webhooks`.
    fileprivate func asTeam(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> TestResponse {
        try await send(method, path, body, phone: nil, key: WebhookRouteTests.key)
    }
}
