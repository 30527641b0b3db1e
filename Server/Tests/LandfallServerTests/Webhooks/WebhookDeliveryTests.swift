// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Webhooks are delivered at least once", .timeLimit(.minutes(1)))
struct WebhookDeliveryTests {
    private static let tables = ["webhook_outbox", "webhook_message", "webhook_delivery"]

    private static func job(of app: AppID) -> Job {
        Job(
            name: JobName(app: app, kind: .webhooks, key: "deliveries"), install: nil, payload: "", attempts: 1, createdAtMs: 0,
            leaseUntilMs: .max)
    }

    @Test("signed over what arrives, and it is kept how that ended")
    func signed() async throws {
        let endpoint = WebhookEndpoint.sample()
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)

            let call = try #require(receivers.calls(to: endpoint).first), headers = call.headers
            let id = try #require(headers["webhook-id"]), seconds = try #require(headers["webhook-timestamp"].flatMap { Int64($0) })
            #expect(headers["webhook-signature"] == endpoint.signatures(of: call.body ?? [], id: id, seconds: seconds))
            #expect(seconds == server.services.time.nowMs() / 1_000)
            #expect(call.address == "93.184.216.34" && call.largestReply == 65_536)
            #expect(try await server.counts(Self.tables) == [0, 1, 1])
            let kept = try await server.services.webhooks.delivery(id, to: endpoint)
            #expect(kept.ending == .delivered && kept.status == 200 && kept.attempts == 1 && kept.nextTryAtMs == nil)
            #expect(Array(kept.body.utf8) == call.body && kept.lastTryAtMs == server.services.time.nowMs())
            #expect(server.services.metrics.text().contains(#"landfall_webhook_deliveries_total{outcome="delivered"}"#))
        }
    }

    @Test("A receiver that fails gets the same message again after each wait, and at last it is given up")
    func waits() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            for wait in WebhookSending.waitsMs {
                let before = receivers.calls(to: endpoint).count
                server.clock.advance(by: .milliseconds(wait - 1))
                try await server.bring(by: receivers)
                #expect(receivers.calls(to: endpoint).count == before)
                server.clock.advance(by: .milliseconds(1))
                try await server.bring(by: receivers)
                #expect(receivers.calls(to: endpoint).count == before + 1)
            }

            let calls = receivers.calls(to: endpoint)
            #expect(calls.count == 10)
            #expect(Set(calls.compactMap { $0.headers["webhook-id"] }).count == 1)
            #expect(Set(calls.compactMap { $0.headers["webhook-timestamp"] }).count == 10)
            #expect(Set(calls.map { $0.body ?? [] }).count == 1)
            let kept = try await server.services.webhooks.deliveries(to: endpoint, before: nil, isUndelivered: true, most: 9).page
            #expect(kept.map(\.ending) == [.givenUp] && kept.first?.attempts == 10 && kept.first?.failure == "status 500")
            let state = try await WebhookStore(server.services.database, app: server.app).endpoints()
            #expect(state.map(\.givenUp) == [1] && state.first?.lastFailure == "status 500")
        }
    }

    @Test("The waits are those of the contract")
    func table() {
        #expect(WebhookSending.waitsMs.map { $0 / 1_000 } == [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
        #expect(WebhookSending.waitMs(afterTries: 1) == 5_000 && WebhookSending.waitMs(afterTries: 10) == nil)
    }

    @Test("Later messages do not wait for earlier ones, and numbers rise")
    func order() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen, .attributionDecided])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500), .status(200)], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            _ = try await server.send(.post, WirePath.attribution, #"{"key":"c","source":"tenjin","status":"non_organic"}"#)
            try await server.bring(by: receivers)
            #expect(try receivers.bodies(to: endpoint).map(\.type) == ["first_open", "attribution.decided"])
            server.clock.advance(by: .seconds(5))
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.map(\.type) == ["first_open", "attribution.decided", "first_open"])
            #expect(bodies.map(\.sequence) == [1, 2, 1])
        }
    }

    @Test("410 switches an endpoint off; taking it out of the file and putting it back switches it on")
    func gone() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen]), other = WebhookEndpoint.sample("b", [.firstOpen])
        try await TestServer.run(telling: [endpoint, other]) { server, receivers in
            receivers.answer([.status(410), .status(200)], at: endpoint)
            for number in 1...3 {
                _ = try await server.firstOpen("{}", phone: Phone(number))
                try await server.bring(by: receivers)
            }
            #expect(receivers.calls(to: endpoint).count == 1 && receivers.calls(to: other).count == 3)
            // What is made while it is off is not for it.
            #expect(try await server.counts(Self.tables) == [0, 3, 4])
            #expect(try await WebhookStore(server.services.database, app: server.app).counts().waiting == 0)
            let states = try await WebhookStore(server.services.database, app: server.app).endpoints()
            #expect(states.filter { $0.offAtMs != nil }.map(\.key) == [endpoint.key])

            server.serve([other])
            try await server.bring(by: receivers)
            server.serve([endpoint, other])
            _ = try await server.firstOpen("{}", phone: Phone(4))
            try await server.bring(by: receivers)

            #expect(receivers.calls(to: endpoint).count == 2)
        }
    }

    @Test("An endpoint that does not answer delays no other")
    func slow() async throws {
        let slow = WebhookEndpoint.sample("slow", [.firstOpen]), fast = WebhookEndpoint.sample("fast", [.firstOpen])
        try await TestServer.run(telling: [slow, fast]) { server, receivers in
            receivers.answer([.nothing], at: slow)
            for number in 1...20 { _ = try await server.firstOpen("{}", phone: Phone(number)) }
            let work = server.webhooks(by: receivers)
            try await work.fanOutAll(to: try #require(try await work.endpoints()))
            let job = Self.job(of: server.app)

            let running = Task { try await work.attempt(job) }
            while receivers.calls(to: fast).count < 20 { await Task.yield() }

            #expect(receivers.calls(to: slow).count <= WebhookWork.concurrency)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(try await server.rows("SELECT 1 FROM webhook_delivery WHERE endpoint = $1", [.text(slow.key)]).count == 20)
        }
    }

    @Test("What waits for an endpoint that fails is tried a few at a time with pauses, and all at once when it works again")
    func failing() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            _ = try await server.firstOpen("{}", phone: Phone(1))
            try await server.bring(by: receivers)
            for number in 2...40 { _ = try await server.firstOpen("{}", phone: Phone(number)) }
            let work = server.webhooks(by: receivers), job = Self.job(of: server.app), clock = server.clock
            try await work.fanOutAll(to: [endpoint])

            let tried = "SELECT 1 FROM webhook_delivery WHERE attempts > 0"
            let running = Task { try await work.attempt(job) }
            while try await server.rows(tried).count < 1 + WebhookWork.concurrency { await Task.yield() }
            // Who makes messages, which looks often, and the endpoint, which is left alone.
            await clock.waitForSleepers(2)
            for _ in 1...5 {
                clock.advance(by: WebhookWork.pause)
                await clock.waitForSleepers(2)
            }
            #expect(receivers.calls(to: endpoint).count == 1 + WebhookWork.concurrency)

            receivers.answer([.status(200)], at: endpoint)
            clock.advance(by: .milliseconds(WebhookWork.failingPauseMs))
            while receivers.calls(to: endpoint).count < 1 + WebhookWork.concurrency + 40, !Task.isCancelled { await Task.yield() }
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
    }

    @Test("A run that ends while an endpoint does not answer goes on for the others, and then ends")
    func slowAtTheEnd() async throws {
        let slow = WebhookEndpoint.sample("slow", [.firstOpen]), fast = WebhookEndpoint.sample("fast", [.attributionDecided])
        try await TestServer.run(telling: [slow, fast]) { server, receivers in
            receivers.answer([.nothing], at: slow)
            let work = server.webhooks(by: receivers), job = Self.job(of: server.app), clock = server.clock, hasEnded = Atomic(false)
            let running = Task {
                defer { hasEnded.store(true, ordering: .releasing) }
                return try await work.attempt(job)
            }
            /// Who makes messages and each endpoint wait for their next look, or for an answer.
            func advance(by duration: Duration) async {
                clock.advance(by: duration)
                await clock.waitForSleepers(3)
            }
            await clock.waitForSleepers(3)
            await advance(by: .milliseconds(WebhookWork.runMs) - .seconds(5))
            _ = try await server.firstOpen("{}")
            while receivers.calls(to: slow).isEmpty, !Task.isCancelled { await advance(by: WebhookWork.pause) }
            // A version with the same endpoints changes nothing for them.
            server.serve([slow, fast])
            // The call to the slow one has some seconds left.
            await advance(by: .seconds(6))

            _ = try await server.send(.post, WirePath.attribution, #"{"key":"c","source":"tenjin","status":"non_organic"}"#)
            for _ in 1...6 where receivers.calls(to: fast).isEmpty { await advance(by: WebhookWork.pause) }

            #expect(receivers.calls(to: fast).count == 1 && receivers.calls(to: slow).count == 1)
            while !hasEnded.load(ordering: .acquiring), !Task.isCancelled {
                clock.advance(by: WebhookWork.pause)
                await Task.yield()
            }
            guard case .again = try await running.value else { throw CancellationError() }
        }
    }

    @Test("No run waits for an endpoint that was away for a moment, also if other tasks have not seen that")
    func away() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen]), other = WebhookEndpoint.sample("b", [.firstOpen])
        try await TestServer.run(telling: [endpoint, other]) { server, receivers in
            let work = server.webhooks(by: receivers), endMs = server.services.time.nowMs()
            let run = WebhookWork.Run(endMs: endMs, [endpoint, other], server.services.configuration)
            server.serve([])
            try await work.bring(to: other, in: run)
            server.serve([endpoint, other])

            try await work.bring(to: endpoint, in: run)

            #expect(run.isCurrent)
            #expect(run.unfinished.load(ordering: .relaxed) == 0)
        }
    }

    @Test("A receiver has 10 seconds")
    func patience() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.nothing], at: endpoint)
            _ = try await server.firstOpen("{}")
            let work = server.webhooks(by: receivers)
            try await work.fanOutAll(to: try #require(try await work.endpoints()))

            async let next = work.deliver(to: endpoint)
            while server.clock.sleeperCount == 0 { await Task.yield() }
            server.clock.advance(by: .seconds(10))

            let tried = try await next
            #expect(tried == .nothing)
            let state = try await work.store.endpoints()
            #expect(state.first?.lastFailure?.hasPrefix("no answer within") == true)
        }
    }

    @Test("A process that ends after a receiver has the message sends it again, with the same id; none is lost")
    func killed() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen("{}")
            let work = server.webhooks(by: receivers)
            try await work.fanOutAll(to: try #require(try await work.endpoints()))
            // What a node does before it dies: the receiver has the message, and the store does not know it.
            let due = try await work.store.due(at: endpoint.key, nowMs: server.services.time.nowMs(), most: 9)
            let sending = WebhookSending(http: receivers, address: WebhookAddress(resolve: { _ in [] }), time: server.services.time)
            for next in due { _ = await sending.send(next.body ?? "", id: next.message, to: endpoint, at: "93.184.216.34") }

            try await server.bring(by: receivers)

            let calls = receivers.calls(to: endpoint)
            #expect(calls.count == 2 && Set(calls.compactMap { $0.headers["webhook-id"] }).count == 1)
        }
    }

    @Test(
        "An address that is not on the internet is not connected to, also if a name leads there",
        arguments: ["127.0.0.1", "10.0.0.7", "169.254.169.254", "[::1]", "hooks.example.com"])
    func privateAddress(host: String) async throws {
        let endpoint = WebhookEndpoint.sample("a", host: host), found = host.hasPrefix("h") ? ["192.168.0.9"] : []
        let careful = WebhookAddress(resolve: { _ in found }), open = WebhookAddress(resolve: { _ in found }, allowsPrivate: true)

        await #expect(throws: WebhookAddress.Refusal.self) { try await careful.address(of: endpoint) }
        let address = try await open.address(of: endpoint)
        #expect(address == (host.hasPrefix("h") ? "192.168.0.9" : endpoint.host))
    }

    @Test("A node that does not know the newest version forgets no endpoint")
    func behind() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(500)], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            server.serve([])
            server.services.configuration.isBehind(99)

            try await server.bring(by: receivers)

            #expect(try await server.counts(Self.tables) == [0, 1, 1])
        }
    }
}
