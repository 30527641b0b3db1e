// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@testable import Shop

@Suite("Onboarding", .timeLimit(.minutes(1)))
@MainActor
struct OnboardingTests {
    @Test("shows the bundled offer while there is no network")
    func offline() async throws {
        let clock = ManualClock()
        let server = ScriptedServer(clock: clock)
        server.isOffline = true
        let client = server.client(preparing: ["onboarding"]) { configuration in
            configuration.fallback = Data(
                """
                {"format": 1, "revision": 1, "paywalls": {"onboarding": {
                  "audience": "everyone", "paywall": {"name": "bundled", "variationId": "bundled", "productIds": []}
                }}}
                """.utf8)
        }
        let onboarding = Onboarding(landfall: client)

        try await clock.run { try await onboarding.load() }

        #expect(onboarding.offer == "bundled")
        await client.shutdown()
    }
}
