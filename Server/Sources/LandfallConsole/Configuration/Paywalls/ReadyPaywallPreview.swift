// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// What `LandfallPaywallView` draws of a paywall, from the same values as on the phone.
struct ReadyPaywallPreview: Hashable, Sendable {
    let paywall: ReadyPaywall
    /// Where remote config has values that it does not use.
    let unused: [String]

    /// Nil for a remote config without a key of the ready paywall: its app draws the paywall itself.
    init?(_ config: JSONValue, products: [String], locale: String) {
        guard let members = config.object, !Self.keys.isDisjoint(with: members.keys) else { return nil }
        let content = PaywallContent(config, locale: locale, productIDs: products)
        paywall = ReadyPaywall(content, PaywallProgress(store: .loaded(products.map(StoreProduct.init(example:)))))
        unused = content.problems.map(\.path)
    }

    /// Many paywalls have texts of these names that other screens draw.
    private static let keys = PaywallContent.keys.subtracting(["title", "subtitle", "features", "products", "footnote"])

    var html: HTML {
        div {
            if let title = paywall.title { p { strong { title } } }
            if let subtitle = paywall.subtitle { p { subtitle } }
            if !paywall.features.isEmpty {
                ul {
                    for feature in paywall.features {
                        li {
                            feature.title
                            if let detail = feature.detail { span(.class("line")) { detail } }
                        }
                    }
                }
            }
            for product in paywall.products { html(of: product) }
            p(.class("call")) { paywall.mainButton.title }
            for line in [paywall.footnote, paywall.restoreButton?.title].compactMap(\.self) + paywall.links.map(\.title) {
                p(.class("small")) { line }
            }
        }
    }

    private func html(of product: ReadyPaywall.Product) -> HTML {
        div(.class(product.isSelected ? "product chosen" : "product")) {
            span(.class("name")) { product.name }
            for line in [product.badge, product.offer ?? product.price, product.monthlyPrice, product.detail].compactMap(\.self) {
                span(.class("line")) { line }
            }
        }
    }
}

extension StoreProduct {
    /// A price for the preview: the server does not know the store's. The id often says how long one payment lasts.
    fileprivate init(example id: String) {
        let name = id.lowercased()
        let (price, period): (Decimal, Period?) =
            if name.contains("year") || name.contains("annual") { (60, .init(1, .year)) } else if name.contains("month") {
                (10, .init(1, .month))
            } else if name.contains("week") { (3, .init(1, .week)) } else { (20, nil) }
        self.init(
            id: id, displayName: id, price: price, currencyCode: "USD", displayPrice: "$\(price).00", period: period,
            priceLocale: Locale(identifier: "en_US"))
    }
}
