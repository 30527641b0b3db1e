// SPDX-License-Identifier: Apache-2.0

/// What the App Store signs about one transaction, field by field as Apple names them. Times are Unix milliseconds, prices milliunits.
/// A field that is nil is not written.
package struct TransactionPayload: Hashable, Sendable, Codable {
    package var transactionId: String
    package var originalTransactionId: String
    package var webOrderLineItemId: String?
    package var bundleId: String
    package var productId: String
    package var subscriptionGroupIdentifier: String?
    package var purchaseDate: Int64
    package var originalPurchaseDate: Int64
    package var expiresDate: Int64?
    package var quantity = 1
    package var type: String
    package var appAccountToken: String?
    package var inAppOwnershipType = "PURCHASED"
    package var signedDate: Int64
    package var revocationDate: Int64?
    package var revocationReason: Int?
    package var revocationType: String?
    package var revocationPercentage: Int64?
    /// Only ever true: Apple leaves it out otherwise.
    package var isUpgraded: Bool?
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?
    package var environment: String?
    package var storefront: String
    package var storefrontId: String?
    package var transactionReason: String
    package var price: Int64?
    package var currency: String?
    package var appTransactionId: String?
    package var billingPlanType: String?
    package var commitmentInfo: CommitmentInfo?
    package var multiSeatInfo: MultiSeatInfo?
    package var additionalTransactionReason: String?
}

/// A year that is paid month by month: the commitment's own price is never charged at once.
package struct CommitmentInfo: Hashable, Sendable, Codable {
    package var billingPeriodNumber: Int
    package var totalBillingPeriods: Int
    package var commitmentPrice: Int64
    package var commitmentExpiresDate: Int64
}

/// The seats of a transaction. What was paid is the sum of the tiers; the transaction's price is an average.
package struct MultiSeatInfo: Hashable, Sendable, Codable {
    package struct PriceTier: Hashable, Sendable, Codable {
        package var price: Int64
        package var quantity: Int
    }

    package var invitationManagement = "DEVELOPER_HOSTED"
    package var priceTiers: [PriceTier]
    package var revokedSeatQuantity: Int?
}
