// SPDX-License-Identifier: Apache-2.0
import Adjust
import UIKit

// Site: the app delegate itself is the delegate, as Swift 6 asks for it.
class CheckedDelegate: UIResponder, UIApplicationDelegate, @preconcurrency AdjustDelegate {
    private var shown: String?

    func start() {
        let config = ADJConfig(appToken: Keys.appToken, environment: ADJEnvironmentSandbox)
        config?.delegate = self
        Adjust.appDidLaunch(config)
    }

    func adjustAttributionChanged(_ attribution: ADJAttribution?) { shown = attribution?.campaign }
}
