// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adjust {
    /// True: everything is collected. False: only the essential, see `CollectionMode`. Does nothing while the app is disabled.
    public static func trackMeasurementConsent(_ enabled: Bool) { Connection.current.consents(to: enabled) }

    /// Not needed: Landfall passes nothing on to third parties. Logged once.
    public static func trackThirdPartySharing(_ thirdPartySharing: ADJThirdPartySharing) {
        Connection.current.notices.say(.thirdPartySharing)
    }

    /// As ``trackThirdPartySharing(_:)``.
    public static func disableThirdPartySharing() { Connection.current.notices.say(.thirdPartySharing) }

    /// Asks the person nothing: the completion gets 0 (not determined) at once, on the main thread. Logged once.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(requestAppTrackingAuthorizationWithCompletionHandler:)
    #endif
    public static func requestAppTrackingAuthorization(completionHandler completion: (@MainActor (UInt) -> Void)?) {
        Connection.current.notices.say(.trackingAuthorization)
        Task { await completion?(0) }
    }

    @nonobjc @discardableResult
    public static func requestAppTrackingAuthorization() async -> UInt {
        await withCheckedContinuation { done in
            requestAppTrackingAuthorization { done.resume(returning: $0) }
        }
    }

    /// The first generation's name of ``requestAppTrackingAuthorization(completionHandler:)``.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(requestTrackingAuthorizationWithCompletionHandler:)
    #endif
    public static func requestTrackingAuthorization(completionHandler completion: (@MainActor (UInt) -> Void)?) {
        requestAppTrackingAuthorization(completionHandler: completion)
    }

    @nonobjc @discardableResult
    public static func requestTrackingAuthorization() async -> UInt { await requestAppTrackingAuthorization() }

    /// -1: not asked for. Logged once.
    public static func appTrackingAuthorizationStatus() -> Int32 {
        Connection.current.notices.say(.trackingAuthorization)
        return -1
    }

    public static func checkForNewAttStatus() { Connection.current.notices.say(.trackingAuthorization) }

    /// Not needed: events, clicks and questions wait on the phone until there is a network. Logged once.
    public static func switchToOfflineMode() { Connection.current.notices.say(.offlineMode) }
    public static func switchBackToOnlineMode() { Connection.current.notices.say(.offlineMode) }
    public static func setOfflineMode(_ enabled: Bool) { Connection.current.notices.say(.offlineMode) }

    public static func enableCoppaCompliance() { Connection.current.notices.say(.coppa) }
    public static func disableCoppaCompliance() { Connection.current.notices.say(.coppa) }

    /// Not stored: Landfall sends no push notifications. Logged once.
    @nonobjc public static func setPushToken(_ pushToken: Data) { Connection.current.notices.say(.pushToken) }
    @nonobjc public static func setPushToken(_ pushToken: String) { Connection.current.notices.say(.pushToken) }
    public static func setPushTokenAsString(_ pushToken: String) { Connection.current.notices.say(.pushToken) }
    @nonobjc public static func setPushTokenAs(_ pushToken: String) { Connection.current.notices.say(.pushToken) }
    public static func setDeviceToken(_ deviceToken: Data) { Connection.current.notices.say(.pushToken) }

    #if canImport(ObjectiveC)
    /// Data or a text: the two generations differ.
    @objc(setPushToken:)
    public static func __setPushToken(_ pushToken: Any) { Connection.current.notices.say(.pushToken) }
    #endif
}

extension Connection {
    func consents(to everything: Bool) {
        guard let client = clientOrNote({ $0.wantsMode = everything ? .full : .essential }) else { return }
        setMode(everything ? .full : .essential, of: client)
    }
}
