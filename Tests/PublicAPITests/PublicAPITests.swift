// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import LandfallTesting
import LandfallWire
import Testing

@Suite("An app that uses everything public", .timeLimit(.minutes(1)))
struct PublicAPITests {
    let world = ScriptedWorld()

    @Test("makes a client without input or output, and results for previews")
    func construction() {
        let client = world.client()

        #expect(client.profile == nil)
        #expect(world.server.requests.isEmpty)
        let navigation = Navigation(client: client)
        navigation.show(receivedBeach())
        #expect(navigation.screens == ["beach again"])
        #expect(explanation(of: preview()) == "onboarding bundled, revision 1, organic, after 0.0 seconds")
    }

    @Test("shows the paywall that the server streams, and the exposure arrives")
    func firstLaunch() async throws {
        let profile = WireProfile(
            id: ProfileID("p"), installId: InstallID("p"), epoch: 1, version: 1, attributionVersion: 1
        )
        let paywall = PaywallAnswer(
            placement: "onboarding", locale: "de-AT", kind: .matching, audience: .everyone, revision: 7, profileId: profile.id,
            epoch: 1, profileVersion: 1, attributionVersion: 1, final: true,
            paywall: WirePaywall(name: PaywallID("apple-ads"), variationId: VariationID("apple-ads"), productIds: ["yearly"])
        )
        world.server.on("POST", WirePath.firstOpen) { _ in
            try .lines([.profile(profile), .attribution(.notAttributed), .paywall(paywall), .end(.final)])
        }
        world.server.on("GET", WirePath.paywall(of: "onboarding")) { _ in try .json(paywall) }
        world.tokens.release(.token("token"))
        let client = world.client()
        client.start()
        let screen = PaywallScreen(client: client)

        await screen.load()

        #expect(screen.title == "apple-ads")
        #expect(screen.productIDs == ["yearly"])
        await world.server.waitForRequests("POST", WirePath.events)
        await client.shutdown()
    }
}
