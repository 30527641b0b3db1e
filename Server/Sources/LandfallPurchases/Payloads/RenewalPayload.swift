// SPDX-License-Identifier: Apache-2.0

/// What the App Store says about the next renewal. Every field but the id may be missing. Times are Unix milliseconds, amounts
/// thousandths of a unit of the currency.
package struct RenewalPayload: Hashable, Sendable {
    package let originalTransactionID: String
    package var environment: String?
    package var productID: String?
    package var autoRenewProductID: String?
    package var willRenew: Bool?
    package var isInBillingRetry = false
    package var gracePeriodExpiresDateMs: Int64?
    package var expirationIntent: ExpirationIntent?
    /// Nil: no increase was announced. False: the customer has not agreed yet.
    package var agreedToPriceIncrease: Bool?
    package var renewalDateMs: Int64?
    package var renewalPriceMilliunits: Int64?
    package var currency: String?
    package var recentSubscriptionStartDateMs: Int64?
    package var offerType: OfferType?
    package var offerID: String?
    package var offerDiscount: OfferDiscount?
    package var winBackOfferIDs: [String] = []
    package var appAccountToken: String?
    package var appTransactionID: String?

    package init(originalTransactionID: String) { self.originalTransactionID = originalTransactionID }
}

/// Apple's number of why a subscription ended.
package struct ExpirationIntent: Hashable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static let cancelled = ExpirationIntent(rawValue: 1)
    package static let billing = ExpirationIntent(rawValue: 2)
    package static let priceIncrease = ExpirationIntent(rawValue: 3)
    package static let notForSale = ExpirationIntent(rawValue: 4)
}
