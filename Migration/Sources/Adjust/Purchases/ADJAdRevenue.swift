// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The revenue of an ad: for ``Adjust/trackAdRevenue(_:)``.
#if canImport(ObjectiveC)
@objc(ADJAdRevenue) @objcMembers
#endif
public final class ADJAdRevenue: NSObject {
    public let source: String
    public private(set) var revenue: NSNumber?
    public private(set) var currency: String?
    public var adImpressionsCount: NSNumber? { _adImpressionsCount }
    public var adRevenueNetwork: String? { _adRevenueNetwork }
    public var adRevenueUnit: String? { _adRevenueUnit }
    public var adRevenuePlacement: String? { _adRevenuePlacement }
    public private(set) var callbackParameters: [String: String] = [:]
    public private(set) var partnerParameters: [String: String] = [:]

    // The setter of a property would have the Objective-C name of the method that sets it.
    private var _adImpressionsCount: NSNumber?
    private var _adRevenueNetwork: String?
    private var _adRevenueUnit: String?
    private var _adRevenuePlacement: String?

    /// - Returns: nil for an empty source.
    public init?(source: String) {
        guard !source.isEmpty else { return nil }
        self.source = source
    }

    public func setRevenue(_ amount: Double, currency: String) {
        revenue = NSNumber(value: amount)
        self.currency = currency
    }

    public func setAdImpressionsCount(_ count: Int32) { _adImpressionsCount = NSNumber(value: count) }
    public func setAdRevenueNetwork(_ network: String) { _adRevenueNetwork = network }
    public func setAdRevenueUnit(_ unit: String) { _adRevenueUnit = unit }
    public func setAdRevenuePlacement(_ placement: String) { _adRevenuePlacement = placement }

    #if canImport(ObjectiveC)
    @objc(addCallbackParameter:value:)
    #endif
    public func addCallbackParameter(_ key: String, value: String) { callbackParameters[key] = value }

    #if canImport(ObjectiveC)
    @objc(addPartnerParameter:value:)
    #endif
    public func addPartnerParameter(_ key: String, value: String) { partnerParameters[key] = value }

    public func isValid() -> Bool { !source.isEmpty }
}

extension ADJAdRevenue: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = ADJAdRevenue(source: source) else { return self }
        (copy.revenue, copy.currency) = (revenue, currency)
        (copy.callbackParameters, copy.partnerParameters) = (callbackParameters, partnerParameters)
        (copy._adImpressionsCount, copy._adRevenueNetwork) = (_adImpressionsCount, _adRevenueNetwork)
        (copy._adRevenueUnit, copy._adRevenuePlacement) = (_adRevenueUnit, _adRevenuePlacement)
        return copy
    }
}

// The first generation's constants.
public let ADJAdRevenueSourceAppLovinMAX = "applovin_max_sdk"
public let ADJAdRevenueSourceMopub = "mopub"
public let ADJAdRevenueSourceAdMob = "admob_sdk"
public let ADJAdRevenueSourceIronSource = "ironsource_sdk"
public let ADJAdRevenueSourceAdMost = "admost_sdk"
public let ADJAdRevenueSourceUnity = "unity_sdk"
public let ADJAdRevenueSourceHeliumChartboost = "helium_chartboost_sdk"
public let ADJAdRevenueSourceAdx = "adx_sdk"
public let ADJAdRevenueSourceTopOn = "topon_sdk"
public let ADJAdRevenueSourceTradplus = "tradplus_sdk"
public let ADJAdRevenueSourcePublisher = "publisher_sdk"
