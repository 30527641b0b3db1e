// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit)
import LandfallApple
import SwiftUI
import UIKit

/// UIKit, AppDelegate: what iOS gives, passed on.
class LinkedAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        landfall.receive(userActivity)
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        landfall.receive(url)
    }
}

/// UIKit, SceneDelegate.
class LinkedSceneDelegate: UIResponder, UIWindowSceneDelegate {
    private var observation: LinkObservation?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        landfall.receive(connectionOptions, in: session)
        observation = landfall.observeLinks(in: session) { [weak self] link in await self?.show(link) }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) { landfall.receive(userActivity, in: scene.session) }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        landfall.receive(URLContexts, in: scene.session)
    }

    func sceneDidDisconnect() { observation = nil }

    private func show(_ link: ReceivedLink) async { print(link.destination?.path ?? [], link.isRedelivered, link.isDeferred) }

    /// A tap on a link inside the app.
    func tapped(_ url: URL) async {
        guard landfall.handles(url) else {
            UIApplication.shared.open(url)
            return
        }
        let link = await landfall.open(url, from: .app)
        if link.status == .resolved { print(link.resolved, link.destination?.query ?? []) }
    }

    override func paste(itemProviders: [NSItemProvider]) { landfall.claimDeferredLink(from: itemProviders) }
}

/// SwiftUI, with either delegate.
struct LinkedApp: App {
    @UIApplicationDelegateAdaptor(LinkedAppDelegate.self) private var delegate
    @State private var isSignedIn = false
    @State private var path: [String] = []

    var body: some Scene {
        WindowGroup {
            EmptyView()
                .landfallClient(landfall)
                .landfallLinks(landfall, isReady: isSignedIn) { link in
                    path = link.destination?.path ?? path
                    if case .link(let before) = await landfall.deferredLink(within: .seconds(1)) { before.markTaken() }
                }
        }
    }
}
#endif
