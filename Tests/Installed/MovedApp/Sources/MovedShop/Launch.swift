// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyLogger
import AdaptyUI
import Adjust
import Foundation
import Landfall

/// Hears where the person came from.
public final class Observer: NSObject, AdjustDelegate {
    public func adjustAttributionChanged(_ attribution: ADJAttribution?) { print(attribution?.campaign ?? "") }
    public func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool { true }
}

/// The launch of an app whose code has both names already.
@MainActor
public func launch(openedBy link: URL?, observer: Observer, navigate: @escaping @MainActor (String) -> Void) async throws -> String {
    try await Adapty.activate(
        with: AdaptyConfiguration
            .builder(withAPIKey: "pk_demo")
            .with(serverURL: URL(string: "https://api.example.com")!)
            .build())
    let config = ADJConfig(appToken: "abcdefghijkl", environment: ADJEnvironmentProduction)
    config?.delegate = observer
    config?.serverURL = URL(string: "https://api.example.com")
    config?.sdkKey = "pk_demo"
    Adjust.initSdk(config)
    Adjust.trackEvent(ADJEvent(eventToken: "abc123"))
    if let link { Adjust.processDeeplink(link) { resolved in navigate(resolved) } }
    let log: AdaptyLog.Handler = { record in print(record) }
    Adapty.setLogHandler(log)
    try await AdaptyUI.activate()
    do {
        let paywall = try await Adapty.getPaywall(placementId: "onboarding")
        return paywall.hasViewConfiguration ? "" : paywall.name
    } catch {
        return "\(error.adaptyErrorCode)"
    }
}
