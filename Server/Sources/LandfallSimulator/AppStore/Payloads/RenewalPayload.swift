// SPDX-License-Identifier: Apache-2.0

/// What the App Store signs about a subscription's next renewal. Times are Unix milliseconds, prices milliunits.
package struct RenewalPayload: Hashable, Sendable, Codable {
    package var originalTransactionId: String
    package var productId: String
    package var autoRenewProductId: String
    package var autoRenewStatus: Int
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Int64?
    package var expirationIntent: Int?
    package var priceIncreaseStatus: Int?
    package var renewalDate: Int64?
    /// Absent while nothing will be charged.
    package var renewalPrice: Int64?
    package var currency: String?
    package var recentSubscriptionStartDate: Int64?
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?
    package var eligibleWinBackOfferIds: [String]?
    package var appAccountToken: String?
    package var appTransactionId: String?
    package var signedDate: Int64
    package var environment: String?
    package var renewalBillingPlanType: String?
}
