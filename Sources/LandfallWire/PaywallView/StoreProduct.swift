// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A product as the store sells it to this person: texts and prices of their storefront.
public struct StoreProduct: Hashable, Sendable, Identifiable {
    /// A stretch of time, such as 3 months.
    public struct Period: Hashable, Sendable {
        public struct Unit: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let day = Unit(rawValue: "day")
            public static let week = Unit(rawValue: "week")
            public static let month = Unit(rawValue: "month")
            public static let year = Unit(rawValue: "year")
        }

        public let count: Int
        public let unit: Unit

        public init(_ count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }
    }

    /// A subscription's other price at its beginning.
    public struct Offer: Hashable, Sendable {
        /// How it is paid. More may follow.
        public struct Payment: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let freeTrial = Payment(rawValue: "freeTrial")
            /// ``Offer/price`` for each ``Offer/period``.
            public static let payAsYouGo = Payment(rawValue: "payAsYouGo")
            /// ``Offer/price`` once, at the beginning.
            public static let payUpFront = Payment(rawValue: "payUpFront")
        }

        public let payment: Payment
        /// In the product's currency; 0 for a free trial.
        public let price: Decimal
        /// The price as the store writes it for this person.
        public let displayPrice: String
        public let period: Period
        /// How many periods it lasts.
        public let periodCount: Int

        public init(_ payment: Payment, price: Decimal, displayPrice: String, period: Period, periodCount: Int = 1) {
            self.payment = payment
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
            self.periodCount = periodCount
        }
    }

    /// The store's product id.
    public let id: String
    public let displayName: String
    public let description: String
    public let price: Decimal
    /// ISO 4217.
    public let currencyCode: String
    /// The price as the store writes it for this person: show this one.
    public let displayPrice: String
    /// How long one payment lasts; nil if it is no subscription.
    public let period: Period?
    /// What a first subscription begins with, whether or not this person may have it. Show ``offer``.
    public let introductoryOffer: Offer?
    /// The store gives this person the introductory offers of the product's subscription group.
    public let isEligibleForIntroductoryOffer: Bool
    /// How the store writes prices: for those that are computed. nil: as the paywall's locale does.
    public let priceLocale: Locale?

    public init(
        id: String, displayName: String, description: String = "", price: Decimal, currencyCode: String, displayPrice: String,
        period: Period? = nil, introductoryOffer: Offer? = nil, isEligibleForIntroductoryOffer: Bool = false,
        priceLocale: Locale? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.description = description
        self.price = price
        self.currencyCode = currencyCode
        self.displayPrice = displayPrice
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.isEligibleForIntroductoryOffer = isEligibleForIntroductoryOffer
        self.priceLocale = priceLocale
    }

    /// What this person gets with the purchase at its beginning; nil: they pay ``price`` at once.
    public var offer: Offer? { isEligibleForIntroductoryOffer ? introductoryOffer : nil }
}
