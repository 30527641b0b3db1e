// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A person who is shown nothing", .timeLimit(.minutes(1)))
struct NothingShownTests {
    let phone = Phone()

    private var nothing: PaywallAnswer {
        var answer = PaywallAnswer.targeted()
        answer.paywall = nil
        return answer
    }

    private func streamsNothing() throws {
        _ = try phone.streams([
            .profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds), .paywall(nothing), .end(.final),
        ])
    }

    @Test("is an answer, not a failure: no bundled paywall takes its place")
    func answer() async throws {
        try streamsNothing()
        let client = phone.app { $0.fallback = .bundle }
        client.start()

        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(shown.paywall == nil)
        #expect(shown.audience == .appleAds)
        #expect(shown.origin == .matchingAudience)
        await client.shutdown()
    }

    @Test("counts no exposure, and the placement stays empty for the rest of the launch")
    func exposure() async throws {
        try streamsNothing()
        let client = phone.app()
        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))

        client.recordExposure(of: shown)

        #expect(!phone.text(of: .outbox).contains("paywall_shown"))
        #expect(try await client.paywall(for: .onboarding, within: .seconds(5)).paywall == nil)
        await client.shutdown()
    }

    @Test("is shown nothing at the next launch at once, from what is stored")
    func nextLaunch() async throws {
        try streamsNothing()
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.filesHold { $0.contains(#""nothing":true"#) }
        await client.shutdown()
        phone.server.isOffline = true
        let next = phone.app { $0.fallback = .bundle }
        next.start()

        let shown = try await next.paywall(for: .onboarding, within: .seconds(5))

        #expect(shown.paywall == nil)
        #expect(shown.elapsed == .zero)
        await next.shutdown()
    }
}
