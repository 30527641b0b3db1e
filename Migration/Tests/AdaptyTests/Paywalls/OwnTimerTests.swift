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

    @Test("shows the paywall when its timer ends, while Apple is silent", arguments: [3, 4, 5])
    func silentApple(timer: Int) async throws {
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
        #expect(shown.at == .seconds(timer))
        #expect(server.transport.requests.count == 2)
    }

    @Test("that gives a call up and calls again gets what is known at once", arguments: [2, 3, 4, 5])
    func givenUp(timer: Int) async throws {
        try activation.activate(ScriptedServer.configuration)

        let shown = try await server.clock.run { [self] in try await calledAgain(after: .seconds(timer)) }

        #expect(shown.paywall.name == "default")
        #expect(shown.at == .seconds(timer))
    }

    @Test("that gives a call up gets the bundled paywall at once, if the server is silent too", arguments: [2, 4])
    func givenUpOffline(timer: Int) async throws {
        server.transport.isOffline = true
        try activation.setFallback(PaywallCallTests.bundled)
        try activation.activate(ScriptedServer.configuration)

        let shown = try await server.clock.run { [self] in try await calledAgain(after: .seconds(timer)) }

        #expect(shown.paywall.name == "bundled")
        #expect(shown.at == .seconds(timer))
    }

    @Test("that names its own limit waits until then, whenever it calls", arguments: [(0, 8), (3, 8), (6, 8), (9, 9)])
    func ownLimit(call: Int, shown at: Int) async throws {
        let configuration = AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://api.example.com")!)
            .with(attributionLimit: 8).build()
        try activation.activate(configuration)

        let shown = try await server.clock.run { [activation, clock = server.clock] in
            try await activation.time.sleep(.seconds(call))
            let paywall = try await activation.getPaywall(loadTimeout: 20)
            return (paywall, at: clock.now.offset)
        }

        #expect(shown.0.name == "default")
        #expect(shown.at == .seconds(at))
    }

    /// A call, a timer beside it that ends it, and the next call.
    private func calledAgain(after timer: Duration) async throws -> (paywall: AdaptyPaywall, at: Duration) {
        let first = Task { [activation] in try await activation.getPaywall() }
        try await activation.time.sleep(timer)
        first.cancel()
        _ = await first.result
        let paywall = try await activation.getPaywall()
        return (paywall, server.clock.now.offset)
    }
}
