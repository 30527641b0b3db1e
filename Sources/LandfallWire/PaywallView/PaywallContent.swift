// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a paywall's remote config says to the ready paywall, in the locale that the server picked. `docs/features/paywall-view.md` has
/// every key.
///
/// Whatever remote config has, there is a content: a value that cannot be used counts as missing, and ``problems`` names it.
public struct PaywallContent: Hashable, Sendable {
    public struct Feature: Hashable, Sendable {
        public let title: String
        public let detail: String?
        /// The name of an SF Symbol.
        public let symbol: String
    }

    /// What the team says about a product; its price is the store's.
    public struct Product: Hashable, Sendable {
        public let id: String
        /// nil: the store's name.
        public let name: String?
        public let detail: String?
        public let badge: String?
    }

    /// A value of remote config that was not used.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where it is: `features[0].title`; empty for the whole remote config.
        public let path: String
        let reason: String
        public var description: String { path.isEmpty ? "it \(reason)" : "'\(path)' \(reason)" }
    }

    public let locale: String
    public let title: String?
    public let subtitle: String?
    public let features: [Feature]
    /// Every product of the paywall, in its order.
    public let products: [Product]
    /// The product that is chosen at first; nil: the first one.
    public let selectedProduct: String?
    public let terms: URL?
    public let privacy: URL?
    /// nil: for subscriptions, that they renew.
    public let footnote: String?
    /// Whether a price for more than a month is also shown for one month.
    public let showsMonthlyPrice: Bool
    public let hasCloseButton: Bool
    public let colors: PaywallColors
    public let problems: [Problem]
    let words: PaywallWords

    /// Whether its language is written from right to left.
    public var isRightToLeft: Bool { Locale.Language(identifier: locale).characterDirection == .rightToLeft }

    /// The keys that it reads at the top of remote config.
    public static let keys: Set<String> = [
        "title", "subtitle", "features", "products", "selectedProduct", "buttons", "links", "footnote", "showsMonthlyPrice",
        "hasCloseButton", "colors", "words",
    ]

    /// - Parameters:
    ///   - config: the remote config of one locale; nil if the paywall has none.
    ///   - locale: its locale; English if it is not a known one.
    ///   - productIDs: the paywall's products, in their order.
    public init(_ config: JSONValue?, locale: String, productIDs: [String]) {
        var reading = PaywallReading()
        let top = reading.object(config, "") ?? [:]
        self.locale = locale
        title = reading.text(top["title"], "title")
        subtitle = reading.text(top["subtitle"], "subtitle")
        features = reading.features(top["features"])
        products = reading.products(top["products"], productIDs)
        selectedProduct = reading.product(top["selectedProduct"], "selectedProduct", of: productIDs)
        let links = reading.object(top["links"], "links") ?? [:]
        terms = reading.address(links["terms"], "links.terms")
        privacy = reading.address(links["privacy"], "links.privacy")
        footnote = reading.text(top["footnote"], "footnote")
        showsMonthlyPrice = reading.flag(top["showsMonthlyPrice"], "showsMonthlyPrice") ?? true
        hasCloseButton = reading.flag(top["hasCloseButton"], "hasCloseButton") ?? true
        colors = reading.colors(top["colors"])
        words = reading.words(top, locale)
        problems = reading.problems
    }
}
