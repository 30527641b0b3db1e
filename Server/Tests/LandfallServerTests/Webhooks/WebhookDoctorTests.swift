// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The doctor looks at webhooks", .timeLimit(.minutes(1)))
struct WebhookDoctorTests {
    private static func findings(_ server: TestServer) async -> [DoctorFinding] {
        await StoreDoctor(server.services.database, knowsSecrets: false).webhooks(of: server.services.snapshot.configuration)
    }

    @Test("Without endpoints it says nothing, and of those that take their messages that all is well")
    func good() async throws {
        try await TestServer.run(telling: []) { server, _ in
            let findings = await Self.findings(server)
            #expect(findings.isEmpty)
        }
        try await TestServer.run(telling: [.sample("a", [.firstOpen])]) { server, receivers in
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)

            let findings = await Self.findings(server)

            #expect(findings.map(\.ok) == [true])
        }
    }

    @Test("It names the host of an endpoint that fails or is off, with the reason, and not its address", arguments: [500, 410])
    func bad(status: Int) async throws {
        let endpoint = WebhookEndpoint.sample("password", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            receivers.answer([.status(status)], at: endpoint)
            _ = try await server.firstOpen("{}")
            try await server.bring(by: receivers)

            let findings = await Self.findings(server)

            #expect(findings.map(\.ok) == [false])
            let message = try #require(findings.first).message
            #expect(message.contains(endpoint.host) && message.contains("\(status)") && !message.contains("password"))
        }
    }
}
