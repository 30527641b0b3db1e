// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A paywall call that has nothing to show", .timeLimit(.minutes(1)))
struct PaywallErrorTests {
    let phone = Phone()

    @Test("Nothing anywhere: a typed error that says what to do")
    func nothingAnywhere() async throws {
        phone.firstOpen { throw TransportError(.connectionFailed) }
        phone.plain { _ in throw TransportError(.connectionFailed) }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForPlain(count: 2)

        await phone.pass(.seconds(5))

        await #expect(throws: LandfallError(.noPaywall(.onboarding, network: TransportError(.connectionFailed)))) {
            try await shown.value
        }
        await client.shutdown()
    }

    @Test("An unknown placement: a typed error at once, and no second request for a minute")
    func unknownPlacement() async throws {
        let problem = PlacementProblem(placement: .onboarding, code: .placementUnknown, message: "Unknown.")
        try phone.streams([.profile(.anna()), .attribution(.pending), .problem(problem)])
        let client = phone.app()
        client.start()

        for _ in 0..<3 {
            await #expect(throws: LandfallError(.placementUnknown(.onboarding))) {
                try await client.paywall(for: .onboarding, within: .seconds(5))
            }
        }

        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A wrong key: a typed error at once, and no second request")
    func wrongKey() async throws {
        phone.firstOpen { try .problem(401, .invalidKey, message: "No such key.") }
        phone.plain { _ in try .problem(401, .invalidKey, message: "No such key.") }
        let client = phone.app()
        client.start()

        for _ in 0..<3 {
            await #expect(throws: LandfallError(.refused(.invalidKey), detail: "No such key.")) {
                try await client.paywall(for: .onboarding, within: .seconds(5))
            }
        }
        await phone.pass(.seconds(30))

        #expect(phone.server.requests.count <= 2)
        await client.shutdown()
    }
}
