// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Signals of the platform", .timeLimit(.minutes(1)))
struct PlatformSignalTests {
    let phone = Phone()
    let platform = ScriptedPlatform()

    @Test("Coming to the foreground sends the first open")
    func foreground() async throws {
        try phone.streams(.undecided)
        let client = phone.app {
            $0.platform = [platform]
            $0.opensOnActivation = true
        }
        client.start()
        await phone.settle()
        #expect(phone.firstOpenRequests.isEmpty)

        platform.say(.enteredForeground)

        await phone.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("Without a path everything is still tried; a new path runs pending retries at once", arguments: [true, false])
    func path(isDenied: Bool) async throws {
        phone.server.isOffline = true
        let client = phone.app { $0.platform = [platform] }
        client.networkPathChanged(isSatisfied: false, isDenied: isDenied)
        client.start()
        await phone.waitForFirstOpen()
        await phone.pass(.seconds(60))
        let tries = phone.firstOpenRequests.count
        #expect(tries >= 5)

        phone.server.isOffline = false
        try phone.streams(.undecided)
        platform.say(.networkPath(isSatisfied: true))

        await phone.waitForFirstOpen(count: tries + 1)
        await client.shutdown()
    }

    @Test("On a constrained path first opens, exposures, clicks, claims and attributes are still sent")
    func constrainedOutbox() async throws {
        try phone.streams(.becomesOrganic)
        phone.takesEvents()
        let client = phone.app { $0.platform = [platform] }
        client.networkPathChanged(isSatisfied: true, isConstrained: true)
        client.start()

        client.recordExposure(of: try await client.paywall(for: .onboarding, within: .seconds(5)))
        try client.reportAttribution(source: AttributionSource("appsflyer"), status: .organic)
        try client.setAttributes(["plan": .string("free")])
        #expect(client.recordClick(.scheme("beach")))

        await phone.server.waitForRequests("POST", WirePath.linkOpen)
        await phone.server.waitForRequests("POST", WirePath.events)
        await phone.server.waitForRequests("POST", WirePath.attribution)
        await phone.server.waitForRequests("POST", WirePath.attributes)
        await client.shutdown()
    }

    @Test("Leaving the screen sends items that wait for a retry")
    func background() async throws {
        try phone.streams(.becomesOrganic)
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.connectionFailed) }
        let client = phone.app { $0.platform = [platform] }
        client.start()
        client.recordExposure(of: try await client.paywall(for: .onboarding, within: .seconds(5)))
        await phone.pass(.seconds(60))
        let tries = phone.server.requests("POST", WirePath.events).count

        platform.say(.enteredBackground)

        await phone.server.waitForRequests("POST", WirePath.events, count: tries + 1)
        await client.shutdown()
    }

    @Test("A return after an hour is an open; an earlier one is not", arguments: [(3_599, 1), (3_600, 2)])
    func comesBack(seconds: Int, opens: Int) async throws {
        try phone.streams(.becomesOrganic)
        let client = phone.app { $0.platform = [platform] }
        client.start()
        _ = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.settle()
        platform.say(.enteredBackground)
        await phone.settle()
        phone.clock.advance(by: .seconds(seconds))

        platform.say(.enteredForeground)
        await phone.pass(.seconds(1))

        #expect(phone.firstOpenRequests.count == opens)
        await client.shutdown()
    }

    @Test("On a constrained path a stored paywall is not refreshed until the path changes")
    func constrainedRefresh() async throws {
        try phone.streams(.becomesTargeted)
        let first = phone.app()
        first.start()
        _ = try await first.paywall(for: .onboarding, within: .seconds(5))
        await phone.filesHold { $0.contains("apple-ads") }
        await first.shutdown()
        try phone.streams([.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds), .end(.final)])
        phone.plain { _ in try .json(PaywallAnswer.targeted()) }

        let second = phone.app(preparing: [])
        second.networkPathChanged(isSatisfied: true, isConstrained: true)
        second.start()
        await phone.pass(.milliseconds(50))
        await phone.waitForFirstOpen(count: 2)
        await second.waitForProfile()
        let shown = try await second.paywall(for: .onboarding, within: .seconds(5), cache: .returnCacheElseLoad)
        await phone.pass(.seconds(60))
        #expect(shown.paywall?.name == .appleAds)
        #expect(phone.plainRequests.isEmpty)

        second.networkPathChanged(isSatisfied: true)
        await phone.waitForPlain()
        await second.shutdown()
    }

    @Test("After shutdown there is no listener, and a second start adds none")
    func end() async throws {
        let client = phone.app { $0.platform = [platform] }
        client.start()
        client.start()

        await client.shutdown()

        await platform.waitUntilAbandoned()
    }
}
