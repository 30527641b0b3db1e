// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// A product of the App Store, as it sells it to this person.
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
    /// The store's id: Landfall has no other one.
    var adaptyProductId: String { get }
    /// Empty: only the server's configuration says what a product opens.
    var accessLevelId: String { get }
    /// Empty: not known.
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

/// A product that the person chose on the App Store's page of the app: for `Adapty.makePurchase`.
public final class AdaptyDeferredProduct: AdaptyProduct {
    public let vendorProductId: String
    /// Always nil: the store does not say it.
    public let promotionalOfferId: String?
    /// nil if the store does not sell it.
    private let texts: ProductTexts?

    init(_ productID: String, _ product: StoreProduct? = nil) {
        vendorProductId = productID
        promotionalOfferId = nil
        texts = product.map { ProductTexts($0) }
    }

    public var localizedTitle: String { texts?.product.displayName ?? "" }
    public var localizedDescription: String { texts?.product.description ?? "" }
    public var price: Decimal { texts?.product.price ?? 0 }
    public var currencyCode: String? { texts?.product.currencyCode }
    public var currencySymbol: String? { texts?.currencySymbol }
    public var regionCode: String? { texts?.locale?.region?.identifier }
    public var priceLocale: Locale { texts?.locale ?? .current }
    public var isFamilyShareable: Bool { texts?.isFamilyShareable ?? false }
    public var subscriptionPeriod: AdaptySubscriptionPeriod? { texts?.product.period.map(AdaptySubscriptionPeriod.init) }
    public var subscriptionGroupIdentifier: String? { texts?.subscriptionGroupID }
    public var localizedPrice: String? { texts?.product.displayPrice }
    public var localizedSubscriptionPeriod: String? { texts?.product.period.flatMap { texts?.text(of: $0) } }
    public var description: String { vendorProductId }
}
