// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

extension NotificationPayload {
    /// Types with their subtypes that this release has heard of (App Store Server Notifications 2.23). It decides only
    /// which bodies are kept for people to look at: what a purchase is never depends on the type.
    private static let subtypes: [String: Set<String>] = [
        "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"], "DID_RENEW": ["BILLING_RECOVERY"], "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"],
        "GRACE_PERIOD_EXPIRED": [], "EXPIRED": ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
        "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"], "DID_CHANGE_RENEWAL_PREF": ["UPGRADE", "DOWNGRADE"],
        "OFFER_REDEEMED": ["UPGRADE", "DOWNGRADE", "INITIAL_BUY", "RESUBSCRIBE"], "PRICE_INCREASE": ["PENDING", "ACCEPTED"],
        "ONE_TIME_CHARGE": [], "REFUND": ["SEATS"], "REFUND_DECLINED": [], "REFUND_REVERSED": [], "CONSUMPTION_REQUEST": [], "REVOKE": [],
        "UNCLAIM_SEATS": [], "RENEWAL_EXTENDED": [], "RENEWAL_EXTENSION": ["SUMMARY", "FAILURE"], "TEST": [], "RESCIND_CONSENT": [],
        "EXTERNAL_PURCHASE_TOKEN": ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"], "PRICE_CHANGE": [], "METADATA_UPDATE": [], "MIGRATION": [],
    ]

    var isKnown: Bool {
        guard let known = Self.subtypes[kind.rawValue], let envelope, Self.envelopes.contains(envelope) else { return false }
        return subkind.map { known.contains($0.rawValue) } ?? true
    }
}
