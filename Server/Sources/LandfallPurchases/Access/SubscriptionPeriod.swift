// SPDX-License-Identifier: Apache-2.0

/// A transaction of a subscription between its purchase and what ended it.
struct SubscriptionPeriod {
    let transaction: ChainTransaction
    /// The end that was paid for; nil if Apple did not say it.
    let expiresMs: Int64?
    /// When access ends: with the paid end, a revocation or the next transaction, whichever is first. Not before the start.
    let endMs: Int64
    /// The transaction that took its place; nil while none is known.
    let next: ChainTransaction?

    var startMs: Int64 { transaction.startMs }
    var payload: TransactionPayload { transaction.payload }

    /// - Parameter transactions: in the order of purchase. What does not renew is left out.
    static func periods(of transactions: [ChainTransaction]) -> [SubscriptionPeriod] {
        let subscriptions = transactions.filter(\.isSubscription)
        return subscriptions.indices.map { index in
            let transaction = subscriptions[index]
            // The old transaction of an upgrade may never be heard of again, so it ends where the next one begins.
            return SubscriptionPeriod(transaction, next: subscriptions[(index + 1)...].first { !transaction.isJoined(by: $0) })
        }
    }

    private init(_ transaction: ChainTransaction, next: ChainTransaction?) {
        self.transaction = transaction
        self.next = next
        expiresMs = transaction.payload.expiresDateMs
        let ends = [expiresMs ?? transaction.startMs, transaction.payload.revocationDateMs, next?.startMs].compactMap { $0 }
        endMs = max(transaction.startMs, ends.min() ?? transaction.startMs)
    }
}

extension ChainTransaction {
    /// Whether the other one adds seats to this period instead of following it.
    fileprivate func isJoined(by other: ChainTransaction) -> Bool {
        other.isSeatAddition && other.startMs < payload.expiresDateMs ?? .min
    }
}
