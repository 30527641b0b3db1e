// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("The scripted server", .timeLimit(.minutes(1)))
struct ScriptedServerTests {
    let clock = ManualClock()

    private func ask(_ client: LandfallClient, within limit: Duration = .seconds(5)) async throws -> PaywallResult {
        try await clock.run { try await client.paywall(for: "onboarding", within: limit) }
    }

    @Test("answers a call before any first open", arguments: [false, true])
    func beside(isPrepared: Bool) async throws {
        let server = ScriptedServer(clock: clock)
        server.userCame(from: .appleAds, after: .seconds(2))
        server.shows("default", at: "onboarding")
        server.shows("summer", at: "onboarding", to: "ad-users", after: .seconds(2))
        let client = server.client(preparing: isPrepared ? ["onboarding"] : [])
        client.start()

        let shown = try await ask(client)

        #expect(shown.elapsed == .seconds(2))
        #expect(shown.paywall?.name == "summer")
        #expect(shown.attribution.details?.source == .appleAds)
        await client.shutdown()
    }

    @Test("distinguishes the default audience's paywall from the targeted one")
    func everyone() async throws {
        let server = ScriptedServer(clock: clock)
        server.userCame(from: .link)
        server.shows("default", at: "onboarding", remoteConfig: ["days": 7], productIDs: ["year"])
        server.shows("summer", at: "onboarding", to: "link-users")
        let client = server.client()
        client.start()

        let matching = try await ask(client)
        let everyone = try await clock.run { try await client.defaultPaywall(for: "onboarding") }

        #expect(matching.paywall?.name == "summer")
        #expect(everyone.paywall?.name == "default")
        #expect(everyone.paywall?.remoteConfig?["days"]?.integer == 7)
        #expect(everyone.paywall?.productIDs == ["year"])
        await client.shutdown()
    }

    @Test("knows only placements of the script")
    func unknown() async throws {
        let server = ScriptedServer(clock: clock)
        let client = server.client(preparing: ["onboarding"])
        client.start()

        let error = await #expect(throws: LandfallError.self) { try await ask(client) }

        #expect(error?.kind == .placementUnknown("onboarding"))
        await client.shutdown()
    }

    @Test("fails when told, and works again when told")
    func failure() async throws {
        let server = ScriptedServer(clock: clock)
        server.shows("default", at: "onboarding")
        server.failure = .busy
        let client = server.client(preparing: ["onboarding"])
        client.start()

        await #expect(throws: LandfallError.self) { try await ask(client, within: .seconds(1)) }
        server.failure = nil

        #expect(try await ask(client).paywall?.name == "default")
        await client.shutdown()
    }

    @Test("reports the person")
    func person() async throws {
        let server = ScriptedServer(clock: clock)
        server.userIsOrganic()
        let client = server.client()
        client.start()

        try client.setAttributes(["plan": "pro"])
        let profile = try await clock.run { try await client.identify("customer-1") }

        #expect(profile.customerID == "customer-1")
        #expect(profile.attribution == .notAttributed)
        #expect(try await clock.run { try await client.logOut() }.customerID == nil)
        await client.shutdown()
    }

    @Test("has the link that was tapped before the installation")
    func deferred() async throws {
        let server = ScriptedServer(clock: clock)
        let beach = try #require(URL(string: "https://links.example.com/beach"))
        let summer = try #require(URL(string: "https://links.example.com/summer"))
        server.hasDeferredLink(beach, leadingTo: summer)
        let client = server.client()
        client.start()

        let found = try await clock.run { await client.deferredLink() }

        guard case .link(let link) = found else { throw LandfallError(.notStarted) }
        #expect(link.original == beach)
        #expect(link.resolved == summer)
        await client.shutdown()
    }
}
