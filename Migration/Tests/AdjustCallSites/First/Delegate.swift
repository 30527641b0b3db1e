// SPDX-License-Identifier: Apache-2.0
import Adjust
import UIKit

// Site: the app delegate itself is the delegate.
class OwnDelegate: UIResponder, UIApplicationDelegate, AdjustDelegate {
    private var shown: String?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let config = ADJConfig(appToken: Keys.appToken, environment: ADJEnvironmentSandbox)
        config?.delegate = self
        Adjust.appDidLaunch(config)
        return true
    }

    func adjustAttributionChanged(_ attribution: ADJAttribution?) { shown = attribution?.campaign }

    func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
        shown = deeplink?.path
        return true
    }
}
