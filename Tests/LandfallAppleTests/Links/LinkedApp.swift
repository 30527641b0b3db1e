// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-ins: Apple's own scenes cannot be moved by a test.
import LandfallApple
import LandfallTesting
import LandfallWire
import SwiftUI

/// The screens of an app: what links led to, in order.
@MainActor
final class Screens {
    private(set) var links: [ReceivedLink] = []
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    var shown: [String] { links.map(\.resolved.absoluteString) }

    func show(_ link: ReceivedLink) {
        links.append(link)
        arrivals.continuation.yield()
    }

    /// Returns once this number of links has come, or the test's time is over.
    func waitForLinks(_ count: Int) async {
        if links.count >= count { return }
        for await _ in arrivals.stream where links.count >= count { return }
    }

    /// As a UIKit app does, in one place.
    func follow(_ links: ReceivedLinks) async {
        for await link in links {
            show(link)
            link.markTaken()
        }
    }
}

extension LinkOnItsWay {
    static let universal = universal("https://example.com/summer-clothes?promo=beach")
    static let scheme = scheme("example://summer-clothes?promo=beach")
}

/// The app's links, as tests name them.
let appLinks = LinkRules(
    domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))

extension ScriptedApp {
    /// A client with the app's own links, whose server resolves `/beach`.
    func linkClient() -> LandfallClient {
        server.on("POST", WirePath.linkOpen) { request in
            let body = try WireCoding.decode(LinkOpenRequest.self, from: request.body ?? Data())
            let long = "https://brandname.go.link/summer-clothes?promo=beach"
            let isShort = body.url.hasSuffix("/beach")
            return try .json(
                LinkOpenAnswer(
                    status: isShort ? .resolved : .passedThrough, original: body.url, resolved: isShort ? long : nil))
        }
        return client { $0.links = appLinks }
    }
}

// MARK: - The app structures, written as their documentation shows

/// UIKit, AppDelegate.
final class PlainAppDelegate: UIResponder, UIApplicationDelegate {
    var landfall: LandfallClient?

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { landfall?.receive(userActivity) ?? false }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        landfall?.receive(url) ?? false
    }
}

/// UIKit, SceneDelegate.
final class PlainSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var landfall: LandfallClient?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        landfall?.receive(connectionOptions, in: session)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        landfall?.receive(userActivity, in: scene.session)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        landfall?.receive(URLContexts, in: scene.session)
    }
}

/// SwiftUI: a view that opens links tapped in it.
struct TapView: View {
    @Environment(\.openURL) private var openURL
    let taps: Taps

    @MainActor final class Taps {
        var tap: (URL) -> Void = { _ in }
    }

    var body: some View {
        taps.tap = { [openURL] in openURL($0) }
        return EmptyView()
    }
}
#endif
