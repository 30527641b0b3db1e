// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Paywalls that are ready before their call", .timeLimit(.minutes(1)))
struct PreparingTests {
    private let phone = Phone()

    private func running(preparing: [PlacementID] = []) async throws -> LandfallClient {
        phone.firstOpen {
            try .lines([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        }
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: true)) }
        let client = phone.app(preparing: preparing)
        client.start()
        // A first open that asks for nothing waits a moment for the first call.
        await phone.pass(.milliseconds(100))
        await client.waitForProfile()
        await phone.settle()
        return client
    }

    @Test("A placement that is named after the start is requested at once, and its call sends no request")
    func later() async throws {
        let client = try await running()
        #expect(phone.plainRequests.isEmpty)

        client.prepare([.onboarding, .onboarding])
        await phone.waitForPlain()
        await phone.settle()
        client.prepare([.onboarding])
        let shown = try await client.paywall(for: .onboarding)

        #expect(shown.paywall?.name == .default)
        #expect(shown.elapsed == .zero)
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("An answer that is older than five minutes is requested again")
    func old() async throws {
        let client = try await running(preparing: [.onboarding])
        client.prepare([.onboarding])
        await phone.settle()
        #expect(phone.plainRequests.isEmpty)

        await phone.pass(.seconds(301))
        client.prepare([.onboarding])

        await phone.waitForPlain()
        await client.shutdown()
    }

    @Test("Placements that are named before the start go with the first open; 32 count")
    func before() async throws {
        try phone.streams(.undecided)
        let client = phone.app(preparing: [.onboarding])
        client.prepare((0..<40).map { PlacementID("p\($0)") })
        client.start()
        await phone.waitForFirstOpen()

        let wanted = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).placements
        #expect(wanted.count == 32)
        #expect(wanted.first?.id == .onboarding)
        #expect(wanted.last?.id == "p30")
        await client.shutdown()
    }

    @Test("The result that a call would return at once is available without the call, and counts once it is shown")
    func cached() async throws {
        let client = try await running(preparing: [.onboarding])

        let stored = try #require(client.cachedPaywall(for: .onboarding, cache: .reload))

        #expect(stored.paywall?.name == .default)
        #expect(stored.elapsed == .zero)
        #expect(client.runningOperations == 0)
        client.recordExposure(of: stored)
        let shown = try await client.paywall(for: .onboarding)
        #expect(shown.paywall == stored.paywall)
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("In the next launch the stored paywall of the same person is there, once the files are read", arguments: [true, false])
    func nextLaunch(acceptsAny: Bool) async throws {
        let first = try await running(preparing: [.onboarding])
        await phone.filesHold { $0.contains("default") }
        await first.shutdown()
        phone.firstOpen { [phone] in try await phone.never() }
        let client = phone.app()
        #expect(client.cachedPaywall(for: .onboarding) == nil)
        client.start()
        await client.waitForProfile()

        let stored = client.cachedPaywall(for: .onboarding, cache: acceptsAny ? .returnCacheElseLoad : .reload)

        // Without a word of the server a call would still wait a moment for a fresh one.
        #expect(stored?.paywall?.name == (acceptsAny ? .default : nil))
        #expect(client.cachedPaywall(for: "elsewhere") == nil)
        await client.shutdown()
    }

    @Test("While attribution is pending a call would wait, so no result is available")
    func pending() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        await phone.settle()

        #expect(client.cachedPaywall(for: .onboarding, cache: .reload) == nil)
        await client.shutdown()
    }
}
