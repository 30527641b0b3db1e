// SPDX-License-Identifier: Apache-2.0
// Calls as apps of the second generation make them, written afresh; this target only has to compile, in each of four ways.
import AdjustSdk
import SwiftUI
import UIKit

enum Keys {
    static let appToken = "q1w2e3r4t5y6"
    static let started = "aaa111"
    static let bought = "bbb222"
}

@MainActor
final class Navigation {
    static let current = Navigation()
    var path: [String] = []
    func show(_ link: String) { path.append(link) }
}

// Site: a SwiftUI app with an app delegate.
struct PlayerApp: App {
    @UIApplicationDelegateAdaptor(PlayerDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup {
            EmptyView()
                // Site: links in SwiftUI.
                .onOpenURL { url in
                    guard let deeplink = ADJDeeplink(deeplink: url) else { return }
                    Adjust.processAndResolve(deeplink) { resolved in
                        if let resolved { Navigation.current.show(resolved) }
                    }
                }
        }
    }
}

class PlayerDelegate: UIResponder, UIApplicationDelegate {
    private let listener = PlayerListener()

    // Site: the start.
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let config = ADJConfig(appToken: Keys.appToken, environment: ADJEnvironmentProduction)
        config?.logLevel = .warn
        config?.delegate = listener
        config?.enableSendingInBackground()
        config?.enableCostDataInAttribution()
        config?.disableIdfaReading()
        Adjust.initSdk(config)
        return true
    }

    // Site: a push token, as data.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        Adjust.setPushToken(deviceToken)
    }

    // Site: a link that the app does not wait for.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        guard let deeplink = ADJDeeplink(deeplink: url) else { return false }
        deeplink.setReferrer(URL(string: "https://example.com")!)
        Adjust.processDeeplink(deeplink)
        return true
    }
}

// Site: links of a scene.
class PlayerScene: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        guard let url = userActivity.webpageURL, let deeplink = ADJDeeplink(deeplink: url) else { return }
        Task {
            // Site: the same with await.
            if let resolved = await Adjust.processAndResolve(deeplink) { Navigation.current.show(resolved) }
        }
    }
}

// Site: a delegate that reads everything.
final class PlayerListener: NSObject, AdjustDelegate {
    nonisolated func adjustAttributionChanged(_ attribution: ADJAttribution?) {
        guard let attribution, let json = attribution.jsonResponse else { return }
        print(attribution.trackerToken ?? "", attribution.trackerName ?? "", attribution.network ?? "", json.count)
        print(attribution.campaign ?? "", attribution.adgroup ?? "", attribution.creative ?? "", attribution.clickLabel ?? "")
        print(attribution.costType ?? "", attribution.costAmount ?? 0, attribution.costCurrency ?? "")
    }

    // Site: the deferred link, by the second generation's name.
    nonisolated func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool { deeplink?.scheme == "player" }

    nonisolated func adjustSkanUpdated(withConversionData data: [String: String]) { print(data["conversion_value"] ?? "") }
    nonisolated func adjustRemoteTriggerReceived(_ remoteTrigger: ADJRemoteTrigger) { print(remoteTrigger.label) }
}
