// SPDX-License-Identifier: Apache-2.0

extension AppStoreVerifier {
    /// - Parameter nowMs: Unix milliseconds. A signature may be up to five minutes later.
    package func transaction(_ text: String, nowMs: Int64) async throws(AppStoreRefusal) -> SignedTransaction {
        let (jws, fields) = try await signed(text, nowMs: nowMs)
        guard let transaction = TransactionPayload(fields) else { throw .foreign(.noTransaction) }
        try requireOwn(bundleID: transaction.bundleID, appleID: fields.integer("appAppleId"))
        return SignedTransaction(jws: jws, environment: try environment(transaction.environment), transaction: transaction)
    }

    /// - Parameter transaction: of the same chain; renewal information names no app and is worth nothing by itself.
    package func renewal(
        _ text: String, beside transaction: SignedTransaction, nowMs: Int64
    ) async throws(AppStoreRefusal) -> SignedRenewal {
        let (jws, fields) = try await signed(text, nowMs: nowMs)
        guard let renewal = RenewalPayload(fields) else { throw .foreign(.noRenewal) }
        let signed = SignedRenewal(jws: jws, environment: try environment(renewal.environment), renewal: renewal)
        try requireEqual(outer: transaction.environment, inner: signed.environment)
        guard signed.chain == transaction.chain else { throw .forged(.strayRenewal) }
        return signed
    }

    /// What is signed inside is verified by itself. An envelope that is not known is genuine all the same, and what is
    /// in it counts where it is understood.
    /// - Parameter signedPayload: the value of that name in Apple's request.
    package func notification(_ signedPayload: String, nowMs: Int64) async throws(AppStoreRefusal) -> SignedNotification {
        let (jws, fields) = try await signed(signedPayload, nowMs: nowMs, takesSelfSigned: false)
        guard let notification = NotificationPayload(fields) else { throw .foreign(.noNotification) }
        var outer: AppStoreEnvironment?
        if notification.envelope == "data" || notification.bundleID != nil {
            try requireOwn(bundleID: notification.bundleID, appleID: notification.appleID)
        } else {
            try requireOwn(appleID: notification.appleID)
        }
        if notification.envelope == "data" || notification.environment.flatMap(AppStoreEnvironment.init(rawValue:)) != nil {
            outer = try environment(notification.environment)
        }

        guard let text = notification.signedTransaction else {
            // Not a fact without its transaction; a forgery inside is one all the same.
            if let text = notification.signedRenewal { _ = try await signed(text, nowMs: nowMs) }
            return SignedNotification(jws: jws, environment: outer, notification: notification, transaction: nil, renewal: nil)
        }
        let transaction: SignedTransaction
        do {
            transaction = try await self.transaction(text, nowMs: nowMs)
        } catch {
            // In an envelope that nobody knows yet, a member of that name may be something else.
            guard error == .foreign(.noTransaction), notification.envelope != "data" else { throw error }
            return SignedNotification(jws: jws, environment: outer, notification: notification, transaction: nil, renewal: nil)
        }
        try requireEqual(outer: outer, inner: transaction.environment)
        var renewal: SignedRenewal?
        if let text = notification.signedRenewal { renewal = try await self.renewal(text, beside: transaction, nowMs: nowMs) }
        return SignedNotification(
            jws: jws, environment: outer ?? transaction.environment, notification: notification, transaction: transaction,
            renewal: renewal)
    }

    private func requireEqual(outer: AppStoreEnvironment?, inner: AppStoreEnvironment) throws(AppStoreRefusal) {
        if let outer, outer != inner { throw .environment(.differs(outer: outer.rawValue, inner: inner.rawValue)) }
    }
}
