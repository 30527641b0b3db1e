// SPDX-License-Identifier: Apache-2.0

extension NotificationPayload {
    /// Those that this release has heard of.
    package static let envelopes = ["data", "summary", "externalPurchaseToken", "appData", "unclaimInfo"]

    /// Nil if this is no notification: it has no id or no type.
    init?(_ fields: PayloadFields) {
        guard let id = fields.text("notificationUUID"), let kind: NotificationKind = fields.word("notificationType") else {
            return nil
        }
        self.init(id: id.lowercased(), kind: kind)
        subkind = fields.word("subtype")
        let name =
            Self.envelopes.first { fields.object($0) != nil }
            ?? fields.members.keys.filter { fields.object($0) != nil }.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard let name, let content = fields.object(name) else { return }
        envelope = name
        bundleID = content.text("bundleId")
        appleID = content.integer("appAppleId")
        environment = content.text("environment")
        if environment == nil, let token = content.text("externalPurchaseId") {
            environment = (token.hasPrefix("SANDBOX") ? AppStoreEnvironment.sandbox : .production).rawValue
        }
        status = content.integer("status").map(SubscriptionStatus.init(rawValue:))
        signedTransaction = content.text("signedTransactionInfo")
        signedRenewal = content.text("signedRenewalInfo")
    }

    /// - Parameter payload: JSON that was verified before, such as a stored one. Nil if it is no notification.
    package init?(payload: [UInt8]) {
        guard let fields = PayloadFields(json: payload) else { return nil }
        self.init(fields)
    }
}
