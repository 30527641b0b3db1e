// SPDX-License-Identifier: Apache-2.0

/// A transaction as Apple signs it. Every field but the three ids may be missing, and a value that is not understood is as if it
/// were missing. Times are Unix milliseconds, amounts thousandths of a unit of the currency.
package struct TransactionPayload: Hashable, Sendable {
    package let transactionID: String
    package let originalTransactionID: String
    package let productID: String
    package var bundleID: String?
    package var environment: String?
    package var webOrderLineItemID: String?
    package var subscriptionGroupID: String?
    package var purchaseDateMs: Int64?
    package var originalPurchaseDateMs: Int64?
    package var expiresDateMs: Int64?
    package var quantity: Int64?
    package var type: ProductType?
    package var appAccountToken: String?
    package var ownership: Ownership?
    package var revocationDateMs: Int64?
    package var revocationReason: Int64?
    package var revocationType: RevocationType?
    /// Thousandths of a percent: 100,000 is all of it.
    package var revocationPercentage: Int64?
    package var isUpgraded = false
    package var offerType: OfferType?
    package var offerID: String?
    package var offerDiscount: OfferDiscount?
    package var offerPeriod: String?
    /// ISO 3166, three capitals.
    package var storefront: String?
    package var storefrontID: String?
    package var reason: TransactionReason?
    package var additionalReason: TransactionReason?
    /// Already multiplied by the quantity; for seats the average of one. Nil also if it is not a whole number.
    package var priceMilliunits: Int64?
    package var currency: String?
    package var appTransactionID: String?
    package var billingPlan: String?
    package var previousOriginalTransactionID: String?
    package var seats: SeatsPayload?

    package init(transactionID: String, originalTransactionID: String, productID: String) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
    }
}

/// A subscription for several people.
package struct SeatsPayload: Hashable, Sendable {
    package struct Tier: Hashable, Sendable {
        /// Of one seat.
        package let priceMilliunits: Int64
        package let quantity: Int64

        package init(priceMilliunits: Int64, quantity: Int64) {
            self.priceMilliunits = priceMilliunits
            self.quantity = quantity
        }
    }

    /// In Apple's order.
    package var tiers: [Tier]
    /// Seats whose price was paid back while the others stay.
    package var revoked: Int64?

    package init(tiers: [Tier], revoked: Int64? = nil) {
        self.tiers = tiers
        self.revoked = revoked
    }
}
