// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // SwiftUI's stand-in has UIKit's declarations; see UIKit.swift there.
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@Suite("Links in a UIKit app", .timeLimit(.minutes(1)))
@MainActor
struct UIKitLinkTests {
    let app = ScriptedApp()
    let screens = Screens()

    @Test("AppDelegate: a link arrives once, at a cold start and while running", arguments: [LinkOnItsWay.universal, .scheme])
    func appDelegate(_ link: LinkOnItsWay) async {
        let client = app.linkClient()
        let delegate = PlainAppDelegate()
        delegate.landfall = client
        let following = Task { await screens.follow(client.links) }

        SimulatedDelivery.launch(delegate, with: link)
        client.start()
        await screens.waitForLinks(1)
        app.clock.advance(by: .seconds(3))
        SimulatedDelivery.deliver(link, to: delegate)
        await screens.waitForLinks(2)

        await app.settle()
        #expect(screens.shown == [link.url.absoluteString, link.url.absoluteString])
        #expect(
            screens.links.allSatisfy {
                $0.destination == Destination(path: ["summer-clothes"], query: [.init("promo", "beach")])
            })
        following.cancel()
        await client.shutdown()
    }

    @Test(
        "SceneDelegate: a link arrives once with its scene, through connection options and while running",
        arguments: [LinkOnItsWay.universal, .scheme])
    func sceneDelegate(_ link: LinkOnItsWay) async {
        let client = app.linkClient()
        let delegate = PlainSceneDelegate()
        delegate.landfall = client
        let scene = SimulatedDelivery.scene("left")
        let following = Task { await screens.follow(client.links(for: SceneID(scene.session))) }

        SimulatedDelivery.connect(delegate, scene, with: [link])
        client.start()
        await screens.waitForLinks(1)
        app.clock.advance(by: .seconds(3))
        SimulatedDelivery.deliver(link, to: scene)
        await screens.waitForLinks(2)

        await app.settle()
        #expect(screens.shown == [link.url.absoluteString, link.url.absoluteString])
        #expect(screens.links.map(\.scene) == ["left", "left"])
        following.cancel()
        await client.shutdown()
    }

    @Test("A scene that is connected for two links at once delivers both")
    func bothKindsAtOnce() async {
        let client = app.linkClient()
        let delegate = PlainSceneDelegate()
        delegate.landfall = client
        let following = Task { await screens.follow(client.links) }

        SimulatedDelivery.connect(
            delegate, SimulatedDelivery.scene("left"), with: [.universal("https://example.com/a"), .scheme("example://b")])
        client.start()
        await screens.waitForLinks(2)

        #expect(Set(screens.shown) == ["https://example.com/a", "example://b"])
        following.cancel()
        await client.shutdown()
    }

    /// A scene's delegate that hands what the scene gets to the client.
    private func connected(_ scene: UIScene, to client: LandfallClient) -> PlainSceneDelegate {
        let delegate = PlainSceneDelegate()
        delegate.landfall = client
        SimulatedDelivery.connect(delegate, scene)
        return delegate
    }

    @Test("Each of two scenes gets its own links")
    func twoScenes() async {
        let client = app.linkClient()
        let others = Screens()
        let (left, right) = (SimulatedDelivery.scene("left"), SimulatedDelivery.scene("right"))
        let delegates = [left, right].map { connected($0, to: client) }
        client.start()
        let following = [
            Task { await screens.follow(client.links(for: SceneID(left.session))) },
            Task { await others.follow(client.links(for: SceneID(right.session))) },
        ]

        SimulatedDelivery.deliver(.universal("https://example.com/right"), to: right)
        SimulatedDelivery.deliver(.universal("https://example.com/left"), to: left)
        await screens.waitForLinks(1)
        await others.waitForLinks(1)

        await app.settle()
        #expect(screens.shown == ["https://example.com/left"])
        #expect(others.shown == ["https://example.com/right"])
        #expect(delegates.count == 2)
        following.forEach { $0.cancel() }
        await client.shutdown()
    }

    @Test("Observations in two scenes each get their own scene's links, with an action or a handler")
    func observations() async {
        let client = app.linkClient()
        let others = Screens()
        let (left, right) = (SimulatedDelivery.scene("left"), SimulatedDelivery.scene("right"))
        let delegates = [left, right].map { connected($0, to: client) }
        client.start()
        let observations = [
            client.observeLinks(in: left.session) { link in screens.show(link) },
            client.observeLinks(in: right.session) { link, handled in
                others.show(link)
                handled()
            },
        ]

        SimulatedDelivery.deliver(.universal("https://example.com/right"), to: right)
        SimulatedDelivery.deliver(.universal("https://example.com/left"), to: left)
        await screens.waitForLinks(1)
        await others.waitForLinks(1)

        await app.settle()
        #expect(screens.shown == ["https://example.com/left"])
        #expect(others.shown == ["https://example.com/right"])
        #expect(delegates.count == 2)
        observations.forEach { $0.cancel() }
        await client.shutdown()
    }

    @Test("A scene connected for nothing, and an activity that is not a link, deliver nothing")
    func noLink() async {
        let client = app.linkClient()
        let session = SimulatedDelivery.scene("left").session
        let search = NSUserActivity(activityType: "com.example.search")
        search.webpageURL = URL(string: "https://example.com/a")

        #expect(!client.receive(SimulatedDelivery.connectionOptions([]), in: session))
        #expect(!client.receive(search))
        #expect(!client.receive(NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)))
        #expect(!client.receive([UIOpenURLContext(url: URL(string: "javascript:alert(1)")!)], in: session))
        #expect(client.receive([UIOpenURLContext(url: URL(string: "example://a")!)], in: session))
    }

    @Test("Of a set with the answer of a sign-in, only that answer is left for other handlers")
    func mixedSet() async {
        let client = app.linkClient()
        let session = SimulatedDelivery.scene("left").session
        let contexts: Set<UIOpenURLContext> = [
            UIOpenURLContext(url: URL(string: "example://a")!),
            UIOpenURLContext(url: URL(string: "example://signed-in?access_token=abc")!),
        ]

        var left: [String] = []
        for context in contexts where !client.receive(context.url, scene: SceneID(session)) {
            left.append(context.url.absoluteString)
        }

        #expect(left == ["example://signed-in?access_token=abc"])
        #expect(client.receive(contexts, in: session))
        await client.shutdown()
    }

    @Test("A paste control's text claims the link that was tapped before the installation")
    func paste() async throws {
        let client = app.linkClient()
        client.claimDeferredLink(from: [NSItemProvider(), NSItemProvider(object: "lftoken1")])
        await app.fileHolds(.outbox, "lftoken1")
        client.start()

        await app.waitForFirstOpen()

        let body = try #require(app.firstOpens.first?.body)
        #expect(String(decoding: body, as: UTF8.self).contains("lftoken1"))
        await client.shutdown()
    }
}
#endif
