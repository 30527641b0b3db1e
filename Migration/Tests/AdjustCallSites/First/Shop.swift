// SPDX-License-Identifier: Apache-2.0
// Calls as apps make them, written afresh; this target only has to compile, in each of the four ways that Package.swift names.
import Adjust
import UIKit

@MainActor
final class Navigation {
    static let current = Navigation()
    var path: [String] = []
    func show(_ link: String) { path.append(link) }
}

enum Keys {
    static let appToken = "q1w2e3r4t5y6"
    static let started = "aaa111"
    static let bought = "bbb222"
}

// Site: an app delegate starts, is the delegate itself, and passes its links on.
class ShopDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        #if DEBUG
        let environment = ADJEnvironmentSandbox
        #else
        let environment = ADJEnvironmentProduction
        #endif
        let adjustConfig = ADJConfig(appToken: Keys.appToken, environment: environment)
        adjustConfig?.logLevel = ADJLogLevelVerbose
        adjustConfig?.delegate = Listener.shared
        adjustConfig?.sendInBackground = true
        adjustConfig?.needsCost = true
        Adjust.appDidLaunch(adjustConfig)
        return true
    }

    // Site: a scheme link, by the oldest call.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        Adjust.appWillOpen(url)
        return true
    }

    // Site: a universal link, resolved.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let link = userActivity.webpageURL else { return false }
        Adjust.processDeeplink(link) { resolved in Navigation.current.show(resolved) }
        return true
    }

    // Site: the push token as data.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        Adjust.setDeviceToken(deviceToken)
    }
}

// Site: a delegate of no isolation, made anywhere.
final class Listener: NSObject, AdjustDelegate, @unchecked Sendable {
    static let shared = Listener()

    // Site: the attribution is passed on to another SDK.
    nonisolated func adjustAttributionChanged(_ attribution: ADJAttribution?) {
        guard let values = attribution?.dictionary() as? [String: Any] else { return }
        forward(values, attribution?.adid)
    }

    // Site: a deferred link, by the first generation's name.
    nonisolated func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
        guard let host = deeplink?.host else { return false }
        return !host.isEmpty
    }

    // Site: the answers of events and sessions.
    nonisolated func adjustEventTrackingSucceeded(_ eventSuccessResponseData: ADJEventSuccess?) {
        print(eventSuccessResponseData?.eventToken ?? "", eventSuccessResponseData?.message ?? "")
    }
    nonisolated func adjustEventTrackingFailed(_ eventFailureResponseData: ADJEventFailure?) {
        if eventFailureResponseData?.willRetry == true { print("again later") }
    }
    nonisolated func adjustSessionTrackingSucceeded(_ sessionSuccessResponseData: ADJSessionSuccess?) {
        if let adid = sessionSuccessResponseData?.adid { forward(["adid": adid], adid) }
    }
    nonisolated func adjustSessionTrackingFailed(_ sessionFailureResponseData: ADJSessionFailure?) {
        print(sessionFailureResponseData?.jsonResponse ?? [:])
    }
    nonisolated func adjustConversionValueUpdated(_ conversionValue: NSNumber?) {}

    nonisolated private func forward(_ values: [String: Any], _ id: String?) {}
}
