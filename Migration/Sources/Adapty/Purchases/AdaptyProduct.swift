// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A product of the App Store. Landfall loads none yet: an app gets no value of this type.
public protocol AdaptyProduct: Sendable, CustomStringConvertible {
    var vendorProductId: String { get }
    var localizedTitle: String { get }
    var localizedDescription: String { get }
    var price: Decimal { get }
    var currencyCode: String? { get }
    var currencySymbol: String? { get }
    var regionCode: String? { get }
    var priceLocale: Locale { get }
    var isFamilyShareable: Bool { get }
    /// nil for a product that does not renew.
    var subscriptionPeriod: AdaptySubscriptionPeriod? { get }
    var subscriptionGroupIdentifier: String? { get }
    var localizedPrice: String? { get }
    var localizedSubscriptionPeriod: String? { get }
}

/// A product of a paywall, without the offer that the person may get.
public protocol AdaptyPaywallProductWithoutDeterminingOffer: AdaptyProduct {
    var adaptyProductId: String { get }
    var accessLevelId: String { get }
    var adaptyProductType: String { get }
    /// Its place in the paywall, from 0.
    var paywallProductIndex: Int { get }
    var variationId: String { get }
    /// As ``AdaptyPlacement/abTestName``.
    var paywallABTestName: String { get }
    var paywallName: String { get }
}

/// A product of a paywall, with the offer that the person gets.
public protocol AdaptyPaywallProduct: AdaptyPaywallProductWithoutDeterminingOffer {
    var subscriptionOffer: AdaptySubscriptionOffer? { get }
}

public struct AdaptySubscriptionPeriod: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        case day, week, month, year, unknown
    }

    public let unit: Unit
    public let numberOfUnits: Int
}

/// A reduced price at the beginning of a subscription, or for people who come back.
public struct AdaptySubscriptionOffer: Hashable, Sendable {
    public enum OfferType: String, Hashable, Sendable {
        case introductory, promotional, winBack = "win_back", code
    }

    public enum PaymentMode: String, Hashable, Sendable {
        case payAsYouGo = "pay_as_you_go", payUpFront = "pay_up_front", freeTrial = "free_trial", unknown
    }

    /// nil for an introductory offer.
    public let identifier: String?
    public let offerType: OfferType
    public let subscriptionPeriod: AdaptySubscriptionPeriod
    public let numberOfPeriods: Int
    public let paymentMode: PaymentMode
    public let localizedSubscriptionPeriod: String?
    public let localizedNumberOfPeriods: String?
    public let price: Decimal
    public let currencyCode: String?
    public let localizedPrice: String?
}

/// A purchase that began in the App Store. Landfall observes none yet: an app gets no value of this type.
public final class AdaptyDeferredProduct: AdaptyProduct {
    public let vendorProductId: String
    public let promotionalOfferId: String?

    init(vendorProductId: String, promotionalOfferId: String?) {
        self.vendorProductId = vendorProductId
        self.promotionalOfferId = promotionalOfferId
    }

    public var localizedTitle: String { "" }
    public var localizedDescription: String { "" }
    public var price: Decimal { 0 }
    public var currencyCode: String? { nil }
    public var currencySymbol: String? { nil }
    public var regionCode: String? { nil }
    public var priceLocale: Locale { .current }
    public var isFamilyShareable: Bool { false }
    public var subscriptionPeriod: AdaptySubscriptionPeriod? { nil }
    public var subscriptionGroupIdentifier: String? { nil }
    public var localizedPrice: String? { nil }
    public var localizedSubscriptionPeriod: String? { nil }
    public var description: String { vendorProductId }
}
