// SPDX-License-Identifier: Apache-2.0

/// What the App Store sends when something happened. The envelope is open: what is not known yet is kept as it came, not refused.
package struct NotificationPayload: Hashable, Sendable {
    /// The same in every repetition; in lower case.
    package let id: String
    package let kind: NotificationKind
    package var subkind: NotificationKind?
    /// The member that holds the content: `data`, `summary`, `externalPurchaseToken`, `appData`, `unclaimInfo` or a later one.
    package var envelope: String?
    package var bundleID: String?
    package var appleID: Int64?
    package var environment: String?
    package var status: SubscriptionStatus?
    package var signedTransaction: String?
    package var signedRenewal: String?

    package init(id: String, kind: NotificationKind) {
        self.id = id
        self.kind = kind
    }
}

/// A type or a subtype of notifications.
package struct NotificationKind: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let didFailToRenew = NotificationKind(rawValue: "DID_FAIL_TO_RENEW")
    package static let gracePeriod = NotificationKind(rawValue: "GRACE_PERIOD")
    package static let test = NotificationKind(rawValue: "TEST")
}

/// Apple's number of what a subscription was when the notification was sent.
package struct SubscriptionStatus: Hashable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static let active = SubscriptionStatus(rawValue: 1)
    package static let expired = SubscriptionStatus(rawValue: 2)
    package static let billingRetry = SubscriptionStatus(rawValue: 3)
    package static let grace = SubscriptionStatus(rawValue: 4)
    package static let revoked = SubscriptionStatus(rawValue: 5)
}
