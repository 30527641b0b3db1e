// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// The flow that the documented text describes step by step: the delegate or a timer of the app's own, whichever comes first,
/// asks for the paywall, once.
@Suite("An app with its own timer", .timeLimit(.minutes(1)))
struct OwnTimerTests {
    private let server: ScriptedServer
    private var activation: Activation { server.activation }

    init() throws {
        server = try ScriptedServer()
        let profile = WireProfile(
            id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 1, attributionVersion: 0
        )
        // Apple is silent.
        server.transport.on("POST", WirePath.firstOpen) { _ in
            let body = ScriptedBody()
            try body.send(FirstOpenLine.profile(profile))
            try body.send(FirstOpenLine.attribution(.pending(nextAnswerNotBefore: 0)))
            return ScriptedAnswer(body: body)
        }
        server.transport.on("GET", WirePath.paywall(of: "onboarding")) { [clock = server.clock] request in
            if request.url.query?.contains("after=1") == true { try await clock.sleep(until: .init(offset: .seconds(900))) }
            return try .json(
                PaywallAnswer(
                    placement: "onboarding", locale: "en", kind: .matching, audience: .everyone, revision: 7,
                    profileId: ProfileID("ada"), epoch: 1, profileVersion: 1, attributionVersion: 0, final: false,
                    paywall: WirePaywall(name: PaywallID("default"), variationId: VariationID("default"))
                ))
        }
    }

    @Test("waits for attribution only once, including its timer, while Apple is silent", arguments: [(3, 3), (5, 2)])
    func silentApple(timer: Int, requests: Int) async throws {
        try activation.activate(ScriptedServer.configuration)
        let shown = try await server.clock.run { [activation, clock = server.clock] in
            let client = try await activation.client()
            await withTaskGroup(of: Void.self) { race in
                race.addTask {
                    for await profile in client.profiles where profile.appliedAttributionSources.contains(.appleAds) { return }
                }
                race.addTask { try? await activation.time.sleep(.seconds(timer)) }
                await race.next()
                race.cancelAll()
            }
            let paywall = try await activation.getPaywall()
            return (paywall, at: clock.now.offset)
        }

        #expect(shown.0.name == "default")
        #expect(shown.at == .seconds(5))
        #expect(server.transport.requests.count == requests)
    }
}
