// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A paywall that was shown", .timeLimit(.minutes(1)))
struct PinnedPaywallTests {
    let phone = Phone()

    @Test("stays for this launch, however many others are shown after it")
    func afterMany() async throws {
        let body = try phone.streams(.undecided)
        phone.plain("other") { kind in
            var answer = kind == .default ? PaywallAnswer.everyone() : .untargeted(final: true)
            answer.placement = "other"
            return try .json(answer)
        }
        let client = phone.app()
        client.start()
        client.recordExposure(of: try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(1)) })
        for _ in 0..<70 {
            client.recordExposure(of: try await phone.clock.run { try await client.paywall(for: "other", within: .seconds(1)) })
        }

        try body.say(.becomesTargeted)
        await client.waitForProfile { $0.attribution == .appleAds }

        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        await client.shutdown()
    }
}
