// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Settings that are methods. What has no effect here says so at the start.
extension ADJConfig {
    /// No ad token is asked for.
    public func disableAdServices() { allowAdServicesInfoReading = false }

    public func enableSendingInBackground() { idle.append(.sendInBackground) }
    public func enableCostDataInAttribution() { idle.append(.needsCost) }
    public func enableLinkMe() { idle.append(.linkMe) }
    public func enableDeviceIdsReadingOnce() { idle.append(.deviceIdsReadingOnce) }
    public func enableCoppaCompliance() { idle.append(.coppa) }
    public func enableFirstSessionDelay() { idle.append(.firstSessionDelay) }
    public func disableIdfaReading() { idle.append(.idfaReading) }
    public func disableIdfvReading() { idle.append(.idfvReading) }
    public func disableSkanAttribution() { idle.append(.skan) }
    public func deactivateSKAdNetworkHandling() { idle.append(.skan) }
    public func disableAppTrackingTransparencyUsage() { idle.append(.trackingAuthorization) }

    #if canImport(ObjectiveC)
    @objc(setUrlStrategy:useSubdomains:isDataResidency:)
    #endif
    public func setUrlStrategy(_ domains: [String]?, useSubdomains: Bool, isDataResidency: Bool) { idle.append(.urlStrategy) }

    @available(*, unavailable, message: "Every request is authenticated by the install's own secret. Delete the call.")
    @nonobjc public func setAppSecret(_ secretId: UInt, info1: UInt, info2: UInt, info3: UInt, info4: UInt) {}
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
    public let storeType: String
    public let appId: String

    #if canImport(ObjectiveC)
    @objc(initWithStoreInfoType:storeInfoAppId:)
    #endif
    public init?(storeInfoType: String, storeInfoAppId: String) {
        storeType = storeInfoType
        appId = storeInfoAppId
    }
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
