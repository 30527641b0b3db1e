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

@Suite("Webhooks in the console", .timeLimit(.minutes(1)))
struct WebhookPageRoutesTests {
    private static func run(
        as role: Role = .admin, answering status: Int = 200,
        _ body: @Sendable (TestServer, ConsoleBrowser, WebhookEndpoint, WebhookReceivers) async throws -> Void
    ) async throws {
        let endpoint = WebhookEndpoint.sample("password", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(status)], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)
            try await body(server, try await ConsoleBrowser.signedIn(server, as: role), endpoint, receivers)
        }
    }

    @Test("From the list to a delivery; it is sent again, and the audit log says by whom")
    func again() async throws {
        try await Self.run { server, browser, endpoint, receivers in
            let id = try #require(receivers.calls(to: endpoint).first?.headers["webhook-id"])
            let list = try await browser.get("/console/webhooks").page
            #expect(list.contains(endpoint.host) && list.contains("/console/webhooks/\(endpoint.key)") && !list.contains("password"))
            #expect(try await browser.get("/console/webhooks/\(endpoint.key)").page.contains(id))
            #expect(try await browser.get("/console/webhooks/\(endpoint.key)/deliveries/\(id)").page.contains(Phone().id))
            let document = try await browser.get("/console/webhooks/\(endpoint.key)/deliveries/\(id).json").decoded(WebhookDeliveryDocument.self)
            #expect(document.state == "delivered" && document.body != nil)

            // Ids of one millisecond have no order.
            server.clock.advance(by: .milliseconds(1))
            #expect(try await browser.post("/console/webhooks/\(endpoint.key)/deliveries/\(id)/again").status == .seeOther)
            try await server.bring(by: receivers)
            #expect(receivers.calls(to: endpoint).count == 2)
            server.clock.advance(by: .milliseconds(1))
            let replay = try await browser.post("/console/webhooks/\(endpoint.key)/replay", ["hours": "24"])
            #expect(replay.headers[.location] == "/console/webhooks/\(endpoint.key)?again=1")
            try await server.bring(by: receivers)
            #expect(receivers.calls(to: endpoint).count == 3)
            let lines = try await server.audit.page(before: nil).map(\.entry).prefix(2)
            #expect(lines.map(\.action) == ["webhook_replayed", "webhook_sent_again"] && lines.allSatisfy { $0.member == "maya@example.com" })
        }
    }

    @Test("An endpoint that is off is a problem of the health page, and a button switches it on")
    func off() async throws {
        try await Self.run(answering: 410) { server, browser, endpoint, _ in
            let health = try await browser.get("/console/health")
            #expect(health.page.contains("data-check=\"webhooks\""))
            #expect(try await browser.get("/console/webhooks").page.contains("Switched off"))
            #expect(try await browser.post("/console/webhooks/\(endpoint.key)/replay", ["hours": "1"]).headers[.location] == "/console/webhooks")

            #expect(try await browser.post("/console/webhooks/\(endpoint.key)/on").status == .seeOther)

            #expect(try await browser.get("/console/webhooks").page.contains("Takes its messages"))
            #expect(try await server.actions().contains("webhook_switched_on"))
        }
    }

    @Test("A role that sees people looks and changes nothing; one that sees none has no page", arguments: [Role.support, .viewer])
    func roles(role: Role) async throws {
        try await Self.run(as: role) { _, browser, endpoint, _ in
            let page = try await browser.get("/console/webhooks/\(endpoint.key)")
            #expect(page.status == (role == .support ? .ok : .forbidden))
            #expect(try await browser.post("/console/webhooks/\(endpoint.key)/replay", ["hours": "1"]).status == .forbidden)
        }
    }
}
