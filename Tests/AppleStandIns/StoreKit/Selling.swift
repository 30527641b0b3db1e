// SPDX-License-Identifier: Apache-2.0
//
// How StoreKit sells: declared as Swift imports Apple's framework. Difference from Apple's: a script stands for the App Store and for the
// person, and a product has its properties from there.
public import Foundation
public import UIKitCore

extension Product: Identifiable {
    public struct SubscriptionPeriod: Hashable, Sendable {
        public enum Unit: Hashable, Sendable { case day, week, month, year }

        public let unit: Unit
        public let value: Int

        /// Not in Apple's module.
        public init(unit: Unit, value: Int) {
            self.unit = unit
            self.value = value
        }
    }

    public struct SubscriptionOffer: Hashable, Sendable {
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")
        }

        public let price: Decimal
        public let displayPrice: String
        public let period: SubscriptionPeriod
        public let periodCount: Int
        public let paymentMode: PaymentMode

        /// Not in Apple's module.
        public init(price: Decimal, displayPrice: String, period: SubscriptionPeriod, periodCount: Int, paymentMode: PaymentMode) {
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
            self.periodCount = periodCount
            self.paymentMode = paymentMode
        }
    }

    public struct SubscriptionInfo: Hashable, Sendable {
        public let introductoryOffer: SubscriptionOffer?
        public let subscriptionGroupID: String
        public let subscriptionPeriod: SubscriptionPeriod

        /// Not in Apple's module.
        public init(introductoryOffer: SubscriptionOffer?, subscriptionGroupID: String, subscriptionPeriod: SubscriptionPeriod) {
            self.introductoryOffer = introductoryOffer
            self.subscriptionGroupID = subscriptionGroupID
            self.subscriptionPeriod = subscriptionPeriod
        }

        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            SellingScript.eligibleGroups.contains(groupID)
        }

        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }
    }

    public struct PurchaseOption: Hashable, Sendable {
        fileprivate let token: UUID

        public static func appAccountToken(_ token: UUID) -> PurchaseOption { PurchaseOption(token: token) }
    }

    public enum PurchaseError: Error, Equatable, Hashable, Sendable {
        case invalidQuantity, productUnavailable, purchaseNotAllowed, ineligibleForOffer, invalidOfferIdentifier, invalidOfferPrice
        case invalidOfferSignature, missingOfferParameters
    }

    public var displayName: String { SellingScript.details(of: id).displayName }
    public var description: String { SellingScript.details(of: id).description }
    public var price: Decimal { SellingScript.details(of: id).price }
    public var displayPrice: String { SellingScript.details(of: id).displayPrice }
    public var subscription: SubscriptionInfo? { SellingScript.details(of: id).subscription }
    public var priceFormatStyle: Decimal.FormatStyle.Currency { Decimal.FormatStyle.Currency(code: SellingScript.details(of: id).currency) }

    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        try SellingScript.products(Array(identifiers))
    }

    @MainActor public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try SellingScript.purchase(self, options.first?.token, in: nil)
    }

    @MainActor public func purchase(confirmIn scene: some UIScene, options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try SellingScript.purchase(self, options.first?.token, in: scene)
    }
}

extension Transaction {
    /// Here it was signed as it was bought.
    public var purchaseDate: Date { signedDate }
}

public struct PurchaseIntent: Hashable, Sendable, Identifiable {
    public let product: Product
    public var id: Product.ID { product.id }

    /// Not in Apple's module.
    public init(product: Product) { self.product = product }

    public struct PurchaseIntents: AsyncSequence {
        fileprivate let stream: AsyncStream<PurchaseIntent>

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var iterator: AsyncStream<PurchaseIntent>.Iterator

            public mutating func next() async -> PurchaseIntent? { await iterator.next() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }

    public static var intents: PurchaseIntents { PurchaseIntents(stream: SellingScript.intents()) }
}
