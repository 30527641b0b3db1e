// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

extension StoreProduct {
    /// As the American store sells it.
    static let monthly = StoreProduct(
        id: "monthly", displayName: "Monthly", price: 9.99, currencyCode: "USD", displayPrice: "$9.99", period: .init(1, .month),
        priceLocale: .america)

    static func yearly(
        price: Decimal = 60, period: Period? = .init(1, .year), offer: Offer? = nil, isEligible: Bool = true
    ) -> StoreProduct {
        StoreProduct(
            id: "yearly", displayName: "Yearly", price: price, currencyCode: "USD", displayPrice: "$60.00", period: period,
            introductoryOffer: offer, isEligibleForIntroductoryOffer: isEligible, priceLocale: .america)
    }
}

extension StoreProduct.Offer {
    static let freeWeek = Self(.freeTrial, price: 0, displayPrice: "$0.00", period: .init(1, .week))
}

extension Locale {
    static let america = Locale(identifier: "en_US")
}

extension PaywallContent {
    /// Of a paywall with a yearly and a monthly product.
    static func read(_ config: JSONValue?, locale: String = "en") -> PaywallContent {
        PaywallContent(config, locale: locale, productIDs: ["yearly", "monthly"])
    }

    var paths: [String] { problems.map(\.path) }
}

extension ReadyPaywall {
    /// With both products of the store.
    static func ready(_ config: JSONValue? = nil, locale: String = "en", _ products: [StoreProduct] = [.monthly, .yearly()]) -> ReadyPaywall {
        ReadyPaywall(.read(config, locale: locale), PaywallProgress(store: .loaded(products)))
    }
}
