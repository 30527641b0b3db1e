// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AdaptyProfile {
    struct Purchases: Hashable, Sendable {
        var accessLevels: [String: AccessLevel] = [:]
        var subscriptions: [String: Subscription] = [:]
        var nonSubscriptions: [String: [NonSubscription]] = [:]
    }

    /// By the id of the access level: what the server has verified, until the end that it named, offline too.
    public var accessLevels: [String: AccessLevel] { purchases.accessLevels }
    /// By product.
    public var subscriptions: [String: Subscription] { purchases.subscriptions }
    /// By product; of all products the newest 100 purchases, the oldest first.
    public var nonSubscriptions: [String: [NonSubscription]] { purchases.nonSubscriptions }
}

extension AdaptyProfile {
    /// The content that a purchase unlocks.
    public struct AccessLevel: Hashable, Sendable, Codable {
        public let id: String
        public let isActive: Bool
        /// Empty if the app's backend gave it.
        public let vendorProductId: String
        /// `app_store`; `adapty`, the word that existing code knows, if the app's backend gave it.
        public let store: String
        public let activatedAt: Date
        /// nil in the first period.
        public let renewedAt: Date?
        /// nil if it never ends.
        public let expiresAt: Date?
        public let isLifetime: Bool
        /// `free_trial`. Landfall knows no other: nil for an introductory price.
        public let activeIntroductoryOfferType: String?
        /// `free_trial`, else nil, as above.
        public let activePromotionalOfferType: String?
        /// Of the current period: the id of a promotional offer, a code or a win-back offer.
        public let activePromotionalOfferId: String?
        /// Always nil: of Android.
        public let offerId: String?
        public let willRenew: Bool
        public let isInGracePeriod: Bool
        /// Always nil: Landfall knows that it will not renew, but not since when. Read ``willRenew``.
        public let unsubscribedAt: Date?
        /// Since when the payment is missing.
        public let billingIssueDetectedAt: Date?
        public let startsAt: Date?
        /// `voluntarily_cancelled`, `billing_error`, `price_increase`, `product_was_not_available`, `refund` or `unknown`.
        public let cancellationReason: String?
        /// True also where the family no longer shares the purchase.
        public let isRefund: Bool

        private enum CodingKeys: String, CodingKey {
            case id, isActive = "is_active", vendorProductId = "vendor_product_id", store, activatedAt = "activated_at"
            case renewedAt = "renewed_at", expiresAt = "expires_at", isLifetime = "is_lifetime"
            case activeIntroductoryOfferType = "active_introductory_offer_type"
            case activePromotionalOfferType = "active_promotional_offer_type"
            case activePromotionalOfferId = "active_promotional_offer_id", offerId = "offer_id", willRenew = "will_renew"
            case isInGracePeriod = "is_in_grace_period", unsubscribedAt = "unsubscribed_at"
            case billingIssueDetectedAt = "billing_issue_detected_at", startsAt = "starts_at"
            case cancellationReason = "cancellation_reason", isRefund = "is_refund"
        }
    }

    /// A subscription of the App Store. Its fields are as those of ``AccessLevel``.
    public struct Subscription: Hashable, Sendable, Codable {
        public let store: String
        public let vendorProductId: String
        public let vendorTransactionId: String
        public let vendorOriginalTransactionId: String
        public let isActive: Bool
        public let isLifetime: Bool
        public let activatedAt: Date
        public let renewedAt: Date?
        public let expiresAt: Date?
        public let startsAt: Date?
        public let unsubscribedAt: Date?
        public let billingIssueDetectedAt: Date?
        public let isInGracePeriod: Bool
        public let isSandbox: Bool
        public let isRefund: Bool
        public let willRenew: Bool
        public let activeIntroductoryOfferType: String?
        public let activePromotionalOfferType: String?
        public let activePromotionalOfferId: String?
        public let offerId: String?
        public let cancellationReason: String?

        private enum CodingKeys: String, CodingKey {
            case store, vendorProductId = "vendor_product_id", vendorTransactionId = "vendor_transaction_id"
            case vendorOriginalTransactionId = "vendor_original_transaction_id", isActive = "is_active"
            case isLifetime = "is_lifetime", activatedAt = "activated_at", renewedAt = "renewed_at", expiresAt = "expires_at"
            case startsAt = "starts_at", unsubscribedAt = "unsubscribed_at"
            case billingIssueDetectedAt = "billing_issue_detected_at", isInGracePeriod = "is_in_grace_period"
            case isSandbox = "is_sandbox", isRefund = "is_refund", willRenew = "will_renew"
            case activeIntroductoryOfferType = "active_introductory_offer_type"
            case activePromotionalOfferType = "active_promotional_offer_type"
            case activePromotionalOfferId = "active_promotional_offer_id", offerId = "offer_id"
            case cancellationReason = "cancellation_reason"
        }
    }

    /// A purchase that does not renew.
    public struct NonSubscription: Hashable, Sendable, Codable {
        public let purchaseId: String
        public let store: String
        public let vendorProductId: String
        public let vendorTransactionId: String?
        public let purchasedAt: Date
        public let isSandbox: Bool
        public let isRefund: Bool
        /// False also where the server does not know.
        public let isConsumable: Bool

        private enum CodingKeys: String, CodingKey {
            case purchaseId = "purchase_id", store, vendorProductId = "vendor_product_id"
            case vendorTransactionId = "vendor_transaction_id", purchasedAt = "purchased_at", isSandbox = "is_sandbox"
            case isRefund = "is_refund", isConsumable = "is_consumable"
        }
    }
}
