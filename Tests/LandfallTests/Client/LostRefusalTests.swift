// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A refusal whose body is lost", .timeLimit(.minutes(1)))
struct LostRefusalTests {
    let phone = Phone()

    private func client() async throws -> LandfallClient {
        try phone.streams(.becomesOrganic)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        return client
    }

    /// The head of a refusal with a part of its body; then the connection breaks, or ends as if that were all.
    private func lost(_ status: Int, breaks: Bool) -> ScriptedAnswer {
        let body = ScriptedBody()
        body.send(Data(#"{"error":{"code":"#.utf8))
        if breaks { body.fail() } else { body.finish() }
        return ScriptedAnswer(status: status, body: body)
    }

    @Test("is a failure of the network: the same call may succeed later", arguments: [400, 403, 404, 410, 422], [true, false])
    func retryable(status: Int, breaks: Bool) async throws {
        let client = try await client()
        phone.server.on("POST", WirePath.identify) { _ in lost(status, breaks: breaks) }

        let error = await #expect(throws: LandfallError.self) { try await client.identify("customer") }

        #expect(error?.isWorthRetrying == true)
        guard case .network? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        await client.shutdown()
    }

    @Test("costs no event: it is sent again")
    func event() async throws {
        let client = try await client()
        phone.server.on("POST", WirePath.events) { _ in lost(400, breaks: true) }
        client.record("trial_started")
        await phone.server.waitForRequests("POST", WirePath.events)
        await phone.settle()
        #expect(client.explain().queue.events == 1)

        await phone.pass(.seconds(2))

        #expect(phone.server.requests("POST", WirePath.events).count > 1)
        await client.shutdown()
    }

    @Test("with status 410 erases nothing: only the word profile_erased does", arguments: [true, false])
    func gone(breaks: Bool) async throws {
        let client = try await client()
        let profile = client.profile
        phone.server.on("POST", WirePath.events) { _ in lost(410, breaks: breaks) }
        client.record("trial_started")
        await phone.server.waitForRequests("POST", WirePath.events)
        await phone.settle()

        #expect(client.explain().install == InstallID("anna"))
        #expect(client.profile == profile && profile != nil)
        #expect(phone.text(of: .install).contains("anna"))
        await client.shutdown()
    }
}
