// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Adjust
@testable import DocumentedLinks
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import SwiftUI
import Testing

/// The document's snippets, letter for letter, in the app structures that they are for. What iOS does is played by the
/// stand-ins; the server is in memory.
@Suite(
    "The documented link snippets navigate", .serialized, .timeLimit(.minutes(1)),
    .enabled(if: sampleIsAbsentBecause == nil, Comment(rawValue: sampleIsAbsentBecause ?? ""))
)
@MainActor
struct LinkSnippetTests {
    nonisolated static let compilations = [false, true]
    /// The tapped link, and its destination.
    nonisolated static let links: [(LinkOnItsWay, String)] = [
        (.universal("https://brandname.go.link/beach"), "https://brandname.go.link/summer-clothes?promo=beach"),
        (
            .universal("https://brandname.go.link/summer-clothes?promo=beach"),
            "https://brandname.go.link/summer-clothes?promo=beach"
        ),
        (.universal("https://example.com/summer-clothes?promo=beach"), "https://example.com/summer-clothes?promo=beach"),
        (.scheme("example://summer-clothes?promo=beach"), "example://summer-clothes?promo=beach"),
    ]

    private func withApp(_ isOnMainActor: Bool, _ body: (LinkApp, AsyncStream<String>) async -> Void) async {
        let server = ScriptedTransport()
        server.on("POST", WirePath.linkOpen) { request in
            let sent = try WireCoding.decode(LinkOpenRequest.self, from: request.body ?? Data())
            return try .json(
                sent.url.hasSuffix("/beach")
                    ? LinkOpenAnswer(status: .resolved, original: sent.url, resolved: Self.links[0].1)
                    : LinkOpenAnswer(status: .passedThrough, original: sent.url))
        }
        await withApp(isOnMainActor, server: "https://api.example.com", over: server, body)
    }

    private func withApp(
        _ isOnMainActor: Bool, server: String, over transport: any Transport,
        _ body: (LinkApp, AsyncStream<String>) async -> Void
    ) async {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: server)!)
        configuration.transport = transport
        configuration.storage = MemoryStorage()
        configuration.log = { _ in }
        configuration.links = LinkRules(
            domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
        let client = LandfallClient(configuration)
        client.start()
        Adjust.start(with: client)
        let app = isOnMainActor ? LinkApp.onMainActor() : .nonisolated()
        app.clear()
        let (shown, didShow) = AsyncStream.makeStream(of: String.self)
        app.listen { didShow.yield($0) }

        await body(app, shown)

        app.listen { _ in }
        await client.shutdown()
    }

    private func first(_ count: Int, of shown: AsyncStream<String>) async -> [String] {
        var links: [String] = []
        for await link in shown {
            links.append(link)
            if links.count == count { break }
        }
        return links
    }

    @Test("UIKit with an AppDelegate: cold start and running", arguments: compilations, links)
    func appDelegate(_ isOnMainActor: Bool, _ link: (LinkOnItsWay, String)) async {
        await withApp(isOnMainActor) { app, shown in
            SimulatedDelivery.launch(app.appDelegate, with: link.0)
            SimulatedDelivery.deliver(link.0, to: app.appDelegate)

            #expect(await first(2, of: shown) == [link.1, link.1])
        }
    }

    @Test("UIKit with a SceneDelegate: cold start through connection options, and running", arguments: compilations, links)
    func sceneDelegate(_ isOnMainActor: Bool, _ link: (LinkOnItsWay, String)) async throws {
        await withApp(isOnMainActor) { app, shown in
            let scene = SimulatedDelivery.scene("window")
            guard let delegate = SimulatedDelivery.sceneDelegate(for: scene, by: app.appDelegate) else {
                Issue.record("The app delegate names no scene delegate.")
                return
            }
            SimulatedDelivery.connect(delegate, scene, with: [link.0])
            SimulatedDelivery.deliver(link.0, to: scene)

            #expect(await first(2, of: shown) == [link.1, link.1])
        }
    }

    @Test("SwiftUI with an AppDelegate: onOpenURL", arguments: compilations, links)
    func swiftUI(_ isOnMainActor: Bool, _ link: (LinkOnItsWay, String)) async {
        await withApp(isOnMainActor) { app, shown in
            let deliver = app.show(nil)
            deliver(link.0, .openURL)
            deliver(link.0, .openURL)

            #expect(await first(2, of: shown) == [link.1, link.1])
        }
    }

    @Test(
        "SwiftUI with a SceneDelegate: connection options at a cold start, onOpenURL while running", arguments: compilations,
        links)
    func swiftUIWithSceneDelegate(_ isOnMainActor: Bool, _ link: (LinkOnItsWay, String)) async {
        await withApp(isOnMainActor) { app, shown in
            let scene = SimulatedDelivery.scene("window")
            guard let delegate = SimulatedDelivery.sceneDelegate(for: scene, by: app.appDelegate) else {
                Issue.record("The app delegate names no scene delegate.")
                return
            }
            SimulatedDelivery.connect(delegate, scene, with: [link.0])
            let deliver = app.show(scene)
            deliver(link.0, .openURL)

            #expect(await first(2, of: shown) == [link.1, link.1])
        }
    }

    @Test(
        "On the built server a short link is resolved, and without the server it is passed on unchanged",
        .enabled(if: Checkout.hasLandfall, "No built server. Run 'swift build --package-path Server', or set LANDFALL_BINARY."),
        arguments: compilations)
    func builtServer(_ isOnMainActor: Bool) async throws {
        try await SelfHosted.run { host in
            await withApp(isOnMainActor, server: host.address, over: URLSessionTransport()) { app, shown in
                SimulatedDelivery.launch(app.appDelegate, with: Self.links[0].0)
                #expect(await first(1, of: shown) == [Self.links[0].1])
                host.stop()
                SimulatedDelivery.deliver(Self.links[0].0, to: app.appDelegate)
                #expect(await first(1, of: shown) == ["https://brandname.go.link/beach"])
            }
        }
    }

    @Test("A text that is not a link calls nothing")
    func noLink() async {
        await withApp(false) { app, _ in
            let activity = NSUserActivity(activityType: "com.example.search")
            let isTaken = app.appDelegate.application(.simulated, continue: activity, restorationHandler: { _ in })

            #expect(!isTaken)
            #expect(app.shown().isEmpty)
        }
    }
}
#endif
