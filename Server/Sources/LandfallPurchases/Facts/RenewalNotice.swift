// SPDX-License-Identifier: Apache-2.0

/// Whether a notification says that a subscription is in its grace period. Used only where the renewal information does not say
/// when that ends; the type of a notification decides nothing else.
package struct RenewalNotice: Hashable, Sendable {
    /// The transaction that was inside the notification.
    package let transactionID: String
    package let saysGrace: Bool

    package init(transactionID: String, saysGrace: Bool) {
        self.transactionID = transactionID
        self.saysGrace = saysGrace
    }

    /// Nil for a notification that does not speak of the subscription's status.
    init?(_ notification: NotificationPayload, transaction: String) {
        let isGracePeriod = notification.kind == .didFailToRenew && notification.subkind == .gracePeriod
        guard isGracePeriod || notification.status != nil else { return nil }
        self.init(transactionID: transaction, saysGrace: isGracePeriod || notification.status == .grace)
    }
}
