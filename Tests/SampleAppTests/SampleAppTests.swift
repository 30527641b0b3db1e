// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@testable import SampleApp

@Suite("Sample app", .timeLimit(.minutes(1)))
@MainActor
struct SampleAppTests {
    let server = ScriptedTransport()
    let clock = ManualClock()

    /// The sample's client in a world without a network.
    func client(fallback: Data?) -> LandfallClient {
        server.isOffline = true
        var configuration = LandfallConfiguration(sdkKey: "pk_test", server: URL(string: "https://landfall.test")!)
        configuration.transport = server
        configuration.storage = MemoryStorage()
        configuration.time = clock.time
        configuration.fallback = fallback
        let client = LandfallClient(configuration)
        client.start()
        return client
    }

    var bundledFile: Data {
        get throws {
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            return try Data(contentsOf: tests.appendingPathComponent("../../Examples/SampleApp/SampleApp/fallback.json"))
        }
    }

    @Test("bundles a paywall that the SDK shows and its own view can read")
    func fallback() async throws {
        let client = client(fallback: try bundledFile)

        let shown = try await clock.run { try await client.paywall(for: "onboarding", within: .seconds(5)) }
        let paywall = try #require(shown.paywall)

        let offer = try #require(try paywall.remoteConfig?.decode(as: Offer.self))
        #expect(offer.title == "Unlock everything")
        #expect(offer.trialDays == 7)
        #expect(paywall.productIDs.count == 2)
        await client.shutdown()
    }

    @Test("stays on the offer while there is one to show")
    func offer() async throws {
        let client = client(fallback: try bundledFile)
        var isClosed = false
        let scene = SimulatedScene(OfferScreen(placement: "onboarding") { isClosed = true }.landfallClient(client))

        scene.connect(.active)
        try await clock.run { await scene.settle() }

        #expect(!isClosed)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("shows people from an ad their paywall, counts it, and explain() says why")
    func targeted() async throws {
        let server = ScriptedServer(clock: clock)
        server.shows("default", at: "onboarding")
        server.userCame(from: .appleAds, after: .seconds(1))
        server.shows(
            "apple-ads", at: "onboarding", to: "apple-ads", remoteConfig: ["title": "Half price for your first year"],
            after: .seconds(1))
        let client = server.client(preparing: ["onboarding"])
        client.start()
        let scene = SimulatedScene(OfferScreen(placement: "onboarding") {}.landfallClient(client))
        scene.connect(.active)
        try await clock.run { await scene.settle() }
        let matching = client.explain().placements.first?.rungs.first

        scene.appearAgain(.active)  // The stand-in calls onAppear only here.
        try await clock.run { await server.waitForExposures() }

        #expect(scene.texts.contains("Half price for your first year"))
        #expect(server.exposures == ["apple-ads"])
        #expect(matching?.paywall == "apple-ads")
        #expect(matching?.audience == "apple-ads")
        let report = try #require(client.explain().placements.first)
        #expect(report.rung == "shown")
        #expect(!report.why.isEmpty)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("continues at the deadline without a paywall")
    func nothing() async throws {
        let client = client(fallback: nil)
        var isClosed = false
        let scene = SimulatedScene(OfferScreen(placement: "onboarding") { isClosed = true }.landfallClient(client))

        scene.connect(.active)
        try await clock.run { await scene.settle() }

        #expect(isClosed)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("reads an offer without fields that a newer or older paywall lacks")
    func lenient() throws {
        let offer = try RemoteConfig(dictionaryLiteral: ("title", "Hello"), ("colour", "red")).decode(as: Offer.self)

        #expect(offer.title == "Hello")
        #expect(offer.button == "Continue")
    }

    @Test(
        "knows the links of its server's file as its own",
        arguments: ["example://summer-clothes", "https://example.com/summer-clothes", "https://brandname.go.link/beach"])
    func ownLinks(text: String) throws {
        let link = try #require(URL(string: text))

        #expect(landfall.handles(link))
    }

    @Test("is signed for the hosts of its links, as the device kit is")
    func entitlements() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let project = tests.appendingPathComponent("../../Examples/SampleApp")
        let file = try Data(contentsOf: project.appendingPathComponent("App.entitlements"))
        let targets = try String(
            contentsOf: project.appendingPathComponent("SampleApp.xcodeproj/project.pbxproj"), encoding: .utf8)

        let signed = try PropertyListDecoder().decode([String: [String]].self, from: file)

        let hosts = ["brandname.go.link", "example.com"]
        #expect(signed == ["com.apple.developer.associated-domains": hosts.map { "applinks:" + $0 }])
        for host in hosts { #expect(landfall.handles(URL(string: "https://\(host)/beach")!)) }
        // Two targets, Debug and Release.
        #expect(targets.components(separatedBy: "CODE_SIGN_ENTITLEMENTS = App.entitlements;").count == 5)
    }

    @Test("leaves the links of other apps to the system", arguments: ["other://summer-clothes", "https://example.org/beach"])
    func linksOfOthers(text: String) throws {
        let link = try #require(URL(string: text))

        #expect(!landfall.handles(link))
    }

    @Test("opens the screen of a link that is tapped on its home, with the link's parameters")
    func followed() async throws {
        let client = client(fallback: nil)
        let scene = SimulatedScene(RootView().landfallClient(client))
        scene.connect(.active)
        scene.press("Continue")

        try await clock.run { await wait(until: { scene.texts.contains("Follow a link") }) }
        scene.press("Follow a link")
        try await clock.run { await wait(until: { scene.texts.contains("promo: beach") }) }

        #expect(scene.texts.contains("link: example://summer-clothes?promo=beach"))
        scene.disconnect()
        await client.shutdown()
    }

    /// Returns once the condition is true, or the test's time is over.
    func wait(until condition: @MainActor () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test("shows where a link leads, and its parameters")
    func link() throws {
        let url = try #require(URL(string: "https://links.example.com/summer-clothes?promo=beach"))
        let destination = Destination(path: ["summer-clothes"], query: [LinkQueryItem("promo", "beach")])

        let screen = Screen(ReceivedLink(id: "1", original: url, destination: destination))

        #expect(screen.title == "summer-clothes")
        #expect(screen.facts.first == "promo: beach")
    }
}
