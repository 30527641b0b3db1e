// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own scenes cannot be moved by a test.
import LandfallApple
import LandfallTesting
import LandfallWire
import SwiftUI
import Testing

@Suite("Links in a SwiftUI app", .timeLimit(.minutes(1)))
@MainActor
struct SwiftUILinkTests {
    let app = ScriptedApp()
    let screens = Screens()
    let window = SimulatedDelivery.scene("window")

    /// How iOS may hand over one link: a scanned code is an activity alone.
    nonisolated static let ways: [(LinkOnItsWay, LinkHooks)] = [
        (.universal, .openURL), (.universal, .userActivity), (.universal, [.openURL, .userActivity]), (.scheme, .openURL),
    ]

    @Test("With an AppDelegate: a link arrives once, whichever hooks iOS uses, cold and running", arguments: ways)
    func appDelegate(_ link: LinkOnItsWay, _ hooks: LinkHooks) async {
        let client = app.linkClient()
        let scene = SimulatedScene(EmptyView().landfallLinks(client) { screens.show($0) }, in: window)
        client.start()
        scene.connect(.inactive)

        scene.deliver(link, through: hooks)
        await screens.waitForLinks(1)
        app.clock.advance(by: .seconds(3))
        scene.move(to: .active)
        scene.deliver(link, through: hooks)
        await screens.waitForLinks(2)

        await app.settle()
        #expect(screens.shown == [link.url.absoluteString, link.url.absoluteString])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("With a SceneDelegate: a link that both it and SwiftUI's hooks deliver arrives once", arguments: ways)
    func sceneDelegate(_ link: LinkOnItsWay, _ hooks: LinkHooks) async {
        let client = app.linkClient()
        let delegate = PlainSceneDelegate()
        delegate.landfall = client
        client.start()

        SimulatedDelivery.connect(delegate, window, with: [link])
        let scene = SimulatedScene(EmptyView().landfallLinks(client) { screens.show($0) }, in: window)
        scene.connect(.inactive)
        scene.deliver(link, through: hooks)
        await screens.waitForLinks(1)
        await app.settle()
        scene.deliver(link, through: hooks)

        await app.settle()
        #expect(screens.shown == [link.url.absoluteString])
        #expect(app.server.requests("POST", WirePath.linkOpen).count <= 1)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("With only a SceneDelegate at a cold start: the view gets the links from before it")
    func coldStartThroughOptionsAlone() async {
        let client = app.linkClient()
        let delegate = PlainSceneDelegate()
        delegate.landfall = client
        SimulatedDelivery.connect(delegate, window, with: [.universal])
        client.start()

        let scene = SimulatedScene(EmptyView().landfallLinks(client) { screens.show($0) }, in: window)
        scene.connect(.inactive)
        await screens.waitForLinks(1)

        #expect(screens.links.map(\.scene) == ["window"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("Each of two windows gets its own links")
    func twoWindows() async {
        let client = app.linkClient()
        let others = Screens()
        client.start()
        let left = SimulatedScene(EmptyView().landfallLinks(client) { screens.show($0) }, in: window)
        let right = SimulatedScene(
            EmptyView().landfallLinks(client) { others.show($0) }, in: SimulatedDelivery.scene("right"))
        left.connect(.active)
        right.connect(.active)
        await app.settle()

        right.deliver(.universal("https://example.com/right"), through: .openURL)
        left.deliver(.universal("https://example.com/left"), through: .openURL)
        await screens.waitForLinks(1)
        await others.waitForLinks(1)

        await app.settle()
        #expect(screens.shown == ["https://example.com/left"])
        #expect(others.shown == ["https://example.com/right"])
        left.disconnect()
        right.disconnect()
        await client.shutdown()
    }

    @Test("Links wait until the app is ready")
    func notReady() async {
        let client = app.linkClient()
        let account = Account()
        client.start()
        let scene = SimulatedScene(GatedView(account: account, client: client, screens: screens), in: window)
        scene.connect(.active)

        scene.deliver(.scheme, through: .openURL)
        await app.settle()
        #expect(screens.shown.isEmpty)
        account.isSignedIn = true
        scene.move(to: .active)
        await screens.waitForLinks(1)

        #expect(screens.shown == [LinkOnItsWay.scheme.url.absoluteString])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("A view that waits until the app is ready connects the app to its links", arguments: [true, false])
    func connected(hasView: Bool) async {
        let client = app.linkClient()
        client.start()
        let scene = SimulatedScene(EmptyView().landfallLinks(client, isReady: false) { screens.show($0) }, in: window)
        if hasView { scene.connect(.active) }
        await app.waitForFirstOpen()
        await app.settle()

        app.clock.advance(by: .seconds(11))
        client.enteredBackground()

        #expect(client.explain().setup.contains { $0.contains(".landfallLinks(landfall)") } == !hasView)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("The app's own link tapped inside stays in the app, without a click; other links go to the system")
    func taps() async throws {
        let client = app.linkClient()
        let taps = TapView.Taps()
        client.start()
        SimulatedApplication.current.opened = []
        let scene = SimulatedScene(TapView(taps: taps).landfallLinks(client) { screens.show($0) }, in: window)
        scene.connect(.active)

        taps.tap(URL(string: "https://brandname.go.link/beach")!)
        await screens.waitForLinks(1)
        taps.tap(URL(string: "https://elsewhere.example.org/beach")!)

        await app.settle()
        #expect(screens.shown == ["https://brandname.go.link/summer-clothes?promo=beach"])
        #expect(SimulatedApplication.current.opened.map(\.absoluteString) == ["https://elsewhere.example.org/beach"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("The app's own links tapped inside wait until it is ready, and then come once, in their order")
    func tapsBeforeReady() async {
        let client = app.linkClient()
        let (account, taps) = (Account(), TapView.Taps())
        client.start()
        let scene = SimulatedScene(GatedTapView(account: account, client: client, screens: screens, taps: taps), in: window)
        scene.connect(.active)

        taps.tap(URL(string: "https://example.com/first")!)
        taps.tap(URL(string: "example://second")!)
        await app.settle()
        #expect(screens.shown.isEmpty)
        account.isSignedIn = true
        scene.move(to: .active)
        await screens.waitForLinks(2)
        taps.tap(URL(string: "https://example.com/third")!)
        await screens.waitForLinks(3)

        await app.settle()
        #expect(screens.shown == ["https://example.com/first", "example://second", "https://example.com/third"])
        #expect(app.server.requests("POST", WirePath.linkOpen).isEmpty)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("A link of others tapped inside goes to the action that the app has set around it")
    func outerAction() async throws {
        let client = app.linkClient()
        let taps = TapView.Taps()
        client.start()
        var outer: [String] = []
        let root = TapView(taps: taps).landfallLinks(client) { screens.show($0) }
            .environment(
                \.openURL,
                OpenURLAction { url in
                    outer.append(url.absoluteString)
                    return .handled
                })
        let scene = SimulatedScene(root, in: window)
        scene.connect(.active)

        taps.tap(URL(string: "help://refunds")!)
        taps.tap(URL(string: "https://elsewhere.example.org/beach")!)
        taps.tap(URL(string: "example://summer-clothes")!)
        await screens.waitForLinks(1)

        #expect(outer == ["help://refunds", "https://elsewhere.example.org/beach"])
        #expect(screens.shown == ["example://summer-clothes"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("A link whose action has returned is gone: the next launch gets only later links")
    func takenForGood() async {
        let client = app.linkClient()
        client.start()
        let scene = SimulatedScene(EmptyView().landfallLinks(client) { screens.show($0) }, in: window)
        scene.connect(.active)
        scene.deliver(.scheme, through: .openURL)
        await screens.waitForLinks(1)
        await app.settle()
        scene.disconnect()
        await client.shutdown()

        let next = app.linkClient()
        next.start()
        next.receive(URL(string: "example://since")!)
        let restored = SimulatedScene(EmptyView().landfallLinks(next) { screens.show($0) }, in: window)
        restored.connect(.active)
        await screens.waitForLinks(2)

        #expect(screens.shown == [LinkOnItsWay.scheme.url.absoluteString, "example://since"])
        #expect(screens.links.allSatisfy { !$0.isRedelivered })
        restored.disconnect()
        await next.shutdown()
    }

    @Test("A link whose action has not returned when the app is killed comes again, marked")
    func killedMidway() async {
        let client = app.linkClient()
        client.start()
        let begun = AsyncStream.makeStream(of: Void.self)
        let scene = SimulatedScene(
            EmptyView().landfallLinks(client) { _ in
                begun.continuation.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }, in: window)
        scene.connect(.active)
        scene.deliver(.scheme, through: .openURL)
        for await _ in begun.stream { break }
        await app.settle()
        await client.shutdown()

        let next = app.linkClient()
        next.start()
        let restored = SimulatedScene(
            EmptyView().landfallLinks(next) { screens.show($0) }, in: SimulatedDelivery.scene("window"))
        restored.connect(.active)
        await screens.waitForLinks(1)

        #expect(screens.links.map(\.isRedelivered) == [true])
        scene.disconnect()
        restored.disconnect()
        await next.shutdown()
    }
}

@MainActor private final class Account {
    var isSignedIn = false
}

private struct GatedView: View {
    let account: Account
    let client: LandfallClient
    let screens: Screens

    var body: some View {
        EmptyView().landfallLinks(client, isReady: account.isSignedIn) { screens.show($0) }
    }
}

private struct GatedTapView: View {
    let account: Account
    let client: LandfallClient
    let screens: Screens
    let taps: TapView.Taps

    var body: some View {
        TapView(taps: taps).landfallLinks(client, isReady: account.isSignedIn) { screens.show($0) }
    }
}
#endif
