// SPDX-License-Identifier: Apache-2.0
import Adjust
import UIKit

// Site: the app delegate itself is the delegate; Swift 6 asks for `@preconcurrency`, as with the original.
#if swift(>=6)
class OwnDelegate: UIResponder, UIApplicationDelegate, @preconcurrency AdjustDelegate {
    private var shown: String?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { start(self) }

    func adjustAttributionChanged(_ attribution: ADJAttribution?) { shown = attribution?.campaign }

    func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
        shown = deeplink?.path
        return true
    }
}
#else
class OwnDelegate: UIResponder, UIApplicationDelegate, AdjustDelegate {
    private var shown: String?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { start(self) }

    func adjustAttributionChanged(_ attribution: ADJAttribution?) { shown = attribution?.campaign }

    func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
        shown = deeplink?.path
        return true
    }
}
#endif

@MainActor
private func start(_ delegate: OwnDelegate) -> Bool {
    let config = ADJConfig(appToken: Keys.appToken, environment: ADJEnvironmentSandbox)
    config?.delegate = delegate
    Adjust.appDidLaunch(config)
    return true
}
