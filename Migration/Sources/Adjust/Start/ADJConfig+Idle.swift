// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Settings that are methods. Settings without effect are logged at the start.
extension ADJConfig {
    /// Turns off the request for an ad token.
    public func disableAdServices() { allowAdServicesInfoReading = false }

    public func enableSendingInBackground() { sendInBackground = true }
    public func enableCostDataInAttribution() { needsCost = true }
    public func enableLinkMe() { linkMeEnabled = true }
    public func enableDeviceIdsReadingOnce() { readDeviceInfoOnceEnabled = true }
    public func enableCoppaCompliance() { coppaCompliantEnabled = true }
    public func disableIdfaReading() { allowIdfaReading = false }

    public func enableFirstSessionDelay() {
        isFirstSessionDelayEnabled = true
        idle.append(.firstSessionDelay)
    }

    public func disableIdfvReading() {
        isIdfvReadingEnabled = false
        idle.append(.idfvReading)
    }

    public func disableSkanAttribution() {
        isSkanAttributionEnabled = false
        idle.append(.skan)
    }

    public func deactivateSKAdNetworkHandling() { disableSkanAttribution() }

    public func disableAppTrackingTransparencyUsage() {
        isAppTrackingTransparencyUsageEnabled = false
        idle.append(.trackingAuthorization)
    }

    #if canImport(ObjectiveC)
    @objc(setUrlStrategy:useSubdomains:isDataResidency:)
    #endif
    public func setUrlStrategy(_ urlStrategyDomains: [Any]?, useSubdomains: Bool, isDataResidency: Bool) {
        self.urlStrategyDomains = urlStrategyDomains
        self.useSubdomains = useSubdomains
        self.isDataResidency = isDataResidency
        idle.append(.urlStrategy)
    }

    @available(*, unavailable, message: "Every request is authenticated by the install's own secret. Delete the call.")
    @nonobjc public func setAppSecret(_ secretId: UInt, info1: UInt, info2: UInt, info3: UInt, info4: UInt) {}
}

// The settings by the second generation's names: the values that the app has set, not what Landfall does.
extension ADJConfig {
    public var isSendingInBackgroundEnabled: Bool { sendInBackground }
    /// False: no ad token is asked for.
    public var isAdServicesEnabled: Bool { allowAdServicesInfoReading }
    public var isIdfaReadingEnabled: Bool { allowIdfaReading }
    public var isCostDataInAttributionEnabled: Bool { needsCost }
    public var isLinkMeEnabled: Bool { linkMeEnabled }
    public var isDeviceIdsReadingOnceEnabled: Bool { readDeviceInfoOnceEnabled }
    /// The first generation's name of ``isSkanAttributionEnabled``.
    public var isSKAdNetworkHandlingActive: Bool { isSkanAttributionEnabled }

    public var isCoppaComplianceEnabled: Bool {
        get { coppaCompliantEnabled }
        set { coppaCompliantEnabled = newValue }
    }
}

// The constants of the first generation's `urlStrategy`.
public let ADJUrlStrategyIndia = "UrlStrategyIndia"
public let ADJUrlStrategyChina = "UrlStrategyChina"
public let ADJUrlStrategyCn = "UrlStrategyCn"
public let ADJUrlStrategyCnOnly = "UrlStrategyCnOnly"
public let ADJDataResidencyEU = "DataResidencyEU"
public let ADJDataResidencyTR = "DataResidencyTR"
public let ADJDataResidencyUS = "DataResidencyUS"

/// The store that the app comes from. Has no effect: Landfall asks StoreKit for the store's country.
#if canImport(ObjectiveC)
@objc(ADJStoreInfo) @objcMembers
#endif
public final class ADJStoreInfo: NSObject {
    public let storeName: String
    public var storeAppId = ""

    /// - Returns: nil for an empty name.
    public init?(storeName: String) {
        guard !storeName.isEmpty else { return nil }
        self.storeName = storeName
    }
}

extension ADJStoreInfo: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = ADJStoreInfo(storeName: storeName) else { return self }
        copy.storeAppId = storeAppId
        return copy
    }
}

/// The object itself: a start reads its settings once.
extension ADJConfig: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

#if canImport(ObjectiveC)
// The factories of the first generation. Swift has them as initialisers.
extension ADJConfig {
    @objc(configWithAppToken:environment:)
    public static func __config(_ appToken: String, environment: String) -> ADJConfig? {
        ADJConfig(appToken: appToken, environment: environment)
    }

    @objc(configWithAppToken:environment:allowSuppressLogLevel:)
    public static func __config(_ appToken: String, environment: String, allowSuppressLogLevel: Bool) -> ADJConfig? {
        ADJConfig(appToken: appToken, environment: environment, allowSuppressLogLevel: allowSuppressLogLevel)
    }

    @objc(configWithAppToken:environment:suppressLogLevel:)
    public static func __config(_ appToken: String, environment: String, suppressLogLevel: Bool) -> ADJConfig? {
        ADJConfig(appToken: appToken, environment: environment, suppressLogLevel: suppressLogLevel)
    }
}
#endif
