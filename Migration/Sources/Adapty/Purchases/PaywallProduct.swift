// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
#if canImport(StoreKit)
import StoreKit
#endif

/// What `getPaywallProducts` gives: a product as the store sells it to this person.
struct PaywallProduct: AdaptyPaywallProduct {
    let paywall: AdaptyPaywall
    let paywallProductIndex: Int
    let subscriptionOffer: AdaptySubscriptionOffer?
    private let texts: ProductTexts

    /// - Parameter determiningOffer: false: without the offer that the person may get.
    static func all(_ products: [StoreProduct], of paywall: AdaptyPaywall, determiningOffer: Bool) async -> [PaywallProduct] {
        let ofStoreKit = await ProductTexts.ofStoreKit(products.map(\.id))
        return products.map { product in
            let texts = ProductTexts(product, ofStoreKit: ofStoreKit[product.id])
            return PaywallProduct(
                paywall: paywall, paywallProductIndex: paywall.vendorProductIds.firstIndex(of: product.id) ?? 0,
                subscriptionOffer: determiningOffer ? product.offer.map { AdaptySubscriptionOffer($0, texts) } : nil, texts: texts)
        }
    }

    private init(
        paywall: AdaptyPaywall, paywallProductIndex: Int, subscriptionOffer: AdaptySubscriptionOffer?, texts: ProductTexts
    ) {
        self.paywall = paywall
        self.paywallProductIndex = paywallProductIndex
        self.subscriptionOffer = subscriptionOffer
        self.texts = texts
    }

    var vendorProductId: String { texts.product.id }
    var localizedTitle: String { texts.product.displayName }
    var localizedDescription: String { texts.product.description }
    var price: Decimal { texts.product.price }
    var currencyCode: String? { texts.product.currencyCode }
    var currencySymbol: String? { texts.currencySymbol }
    var regionCode: String? { texts.locale?.region?.identifier }
    var priceLocale: Locale { texts.locale ?? .current }
    var isFamilyShareable: Bool { texts.isFamilyShareable }
    var subscriptionPeriod: AdaptySubscriptionPeriod? { texts.product.period.map(AdaptySubscriptionPeriod.init) }
    var subscriptionGroupIdentifier: String? { texts.subscriptionGroupID }
    var localizedPrice: String? { texts.product.displayPrice }
    var localizedSubscriptionPeriod: String? { texts.product.period.flatMap { texts.text(of: $0) } }
    /// The store's id: Landfall has no other one.
    var adaptyProductId: String { vendorProductId }
    /// Empty: only the server's configuration says what a product opens.
    var accessLevelId: String { "" }
    /// Empty: not known.
    var adaptyProductType: String { "" }
    var variationId: String { paywall.variationId }
    var paywallABTestName: String { paywall.placement.abTestName }
    var paywallName: String { paywall.name }
    var description: String { "\(vendorProductId) \(texts.product.displayPrice), \(paywall)" }
    /// StoreKit's `Product`.
    var ofStoreKit: (any Sendable)? { texts.ofStoreKit }
}

/// The texts of a product that only StoreKit or the system can write.
struct ProductTexts: Sendable {
    let product: StoreProduct
    /// StoreKit's `Product`; nil where there is no StoreKit, or it does not have it.
    let ofStoreKit: (any Sendable)?

    init(_ product: StoreProduct, ofStoreKit: (any Sendable)? = nil) {
        self.product = product
        self.ofStoreKit = ofStoreKit
    }

    /// In the language of the app; nil on Linux.
    func text(of period: StoreProduct.Period) -> String? { text(period.count, of: period.unit) }

    func text(_ count: Int, of unit: StoreProduct.Period.Unit) -> String? {
        #if canImport(Darwin)
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .full
        var components = DateComponents()
        switch unit {
        case .day: components.day = count
        case .week: components.weekOfMonth = count
        case .month: components.month = count
        case .year: components.year = count
        default: return nil
        }
        return formatter.string(from: components)
        #else
        return nil
        #endif
    }

    var currencySymbol: String? { locale?.currencySymbol }

    #if canImport(StoreKit)
    static func ofStoreKit(_ ids: [String]) async -> [String: any Sendable] {
        let products = (try? await Product.products(for: ids)) ?? []
        return .init(products.map { ($0.id, $0) }) { first, _ in first }
    }

    private var sk2: Product? { ofStoreKit as? Product }
    var locale: Locale? { sk2?.priceFormatStyle.locale }
    /// False also where StoreKit does not say it.
    var isFamilyShareable: Bool { sk2?.isFamilyShareable ?? false }
    var subscriptionGroupID: String? { sk2?.subscription?.subscriptionGroupID }
    #else
    static func ofStoreKit(_ ids: [String]) async -> [String: any Sendable] { [:] }
    var locale: Locale? { nil }
    var isFamilyShareable: Bool { false }
    var subscriptionGroupID: String? { nil }
    #endif
}

extension AdaptySubscriptionPeriod {
    init(_ period: StoreProduct.Period) {
        let unit: Unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            default: .unknown
            }
        self.init(unit: unit, numberOfUnits: period.count)
    }
}

extension AdaptySubscriptionOffer {
    /// The introductory one: of the others the store does not say whether the person gets them.
    init(_ offer: StoreProduct.Offer, _ texts: ProductTexts) {
        let mode: PaymentMode =
            switch offer.payment {
            case .freeTrial: .freeTrial
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            default: .unknown
            }
        self.init(
            identifier: nil, offerType: .introductory, subscriptionPeriod: AdaptySubscriptionPeriod(offer.period),
            numberOfPeriods: offer.periodCount, paymentMode: mode, localizedSubscriptionPeriod: texts.text(of: offer.period),
            localizedNumberOfPeriods: texts.text(offer.period.count * offer.periodCount, of: offer.period.unit), price: offer.price,
            currencyCode: texts.product.currencyCode, localizedPrice: offer.displayPrice)
    }
}
