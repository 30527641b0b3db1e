// SPDX-License-Identifier: Apache-2.0

extension LifeCourse {
    mutating func buyOnce() {
        let transaction = transaction(
            product: product.id, purchased: now - seconds(1...3), expires: nil, reason: "PURCHASE", price: purchase.priceMilliunits
        )
        subscription.current = transaction.transactionId
        note("ONE_TIME_CHARGE", nil, transaction)
        planRefunds(of: transaction)
    }

    /// Refunds are about the first transaction that was paid; it may be older than the newest one by then.
    mutating func planRefunds(of transaction: TransactionPayload) {
        guard !subscription.hasPaid, transaction.price != 0 else { return }
        subscription.hasPaid = true
        plan(.consumption(transaction.transactionId), after: product.consumption)
        plan(.declined(transaction.transactionId), after: product.declined)
        plan(.refund(transaction.transactionId), after: product.refund)
    }

    mutating func askForConsumption(_ id: String) {
        guard var transaction = versions[id], transaction.revocationDate == nil else { return }
        transaction.signedDate = now
        note("CONSUMPTION_REQUEST", nil, transaction, reason: "UNINTENDED_PURCHASE")
    }

    mutating func declineRefund(_ id: String) {
        guard var transaction = versions[id], transaction.revocationDate == nil else { return }
        transaction.signedDate = now
        note("REFUND_DECLINED", nil, transaction)
    }

    mutating func refund(_ id: String) {
        guard !waits(.refund(id), about: id), let transaction = versions[id], transaction.revocationDate == nil else { return }
        let refunded = transaction.refunded(at: now, form: product.refundForm, share: product.refundShare)
        if id == subscription.current { (subscription.isRevoked, subscription.renews) = (true, false) }
        note("REFUND", nil, refunded)
        plan(.reverse(id), after: product.reversed)
    }

    mutating func reverseRefund(_ id: String) {
        guard var transaction = versions[id], transaction.revocationDate != nil else { return }
        (transaction.revocationDate, transaction.revocationReason) = (nil, nil)
        (transaction.revocationType, transaction.revocationPercentage) = (nil, nil)
        transaction.signedDate = now
        let isNewest = id == subscription.current
        if isNewest { subscription.isRevoked = false }
        if isNewest, let expires = transaction.expiresDate, expires <= now { (subscription.isExpired, subscription.ending) = (true, .voluntary) }
        note("REFUND_REVERSED", nil, transaction)
        if isNewest, !subscription.isExpired { planEnd() }
    }
}

extension TransactionPayload {
    /// The version that says that money went back.
    func refunded(at instant: Int64, form: SimulatedProduct.RefundForm = .full, share: Int64? = nil) -> TransactionPayload {
        var refunded = self
        refunded.signedDate = instant
        refunded.revocationDate = instant
        refunded.revocationReason = 0
        switch form {
        case .old: break
        case .full: refunded.revocationType = "REFUND_FULL"
        case .prorated:
            refunded.revocationType = "REFUND_PRORATED"
            refunded.revocationPercentage = share ?? unusedShare(at: instant)
        }
        return refunded
    }

    /// In thousandths of a per cent; half for what does not end.
    private func unusedShare(at instant: Int64) -> Int64 {
        guard let expiresDate, expiresDate > purchaseDate else { return 50_000 }
        return min(100_000, max(1, (expiresDate - instant) * 100_000 / (expiresDate - purchaseDate)))
    }
}
