// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What one request brings.
struct PurchaseBatch: Hashable, Sendable {
    private(set) var transactions: [StoreTransaction] = []
    /// With it the server has everything that the phone knows.
    private(set) var isComplete = false

    /// Around the texts, and around each of them.
    private static let envelope = 512, punctuation = 16

    /// - Parameter limit: the largest number of transactions; one is always taken.
    /// - Parameter isWhole: nothing else is being looked for.
    init(from waiting: [StoreTransaction], atMost limit: Int, isWhole: Bool) {
        var bytes = Self.envelope
        for transaction in waiting.prefix(max(1, limit)) {
            bytes += transaction.jws.utf8.count + Self.punctuation
            guard bytes <= Limits.purchaseBody else { break }
            transactions.append(transaction)
        }
        isComplete = isWhole && transactions.count == waiting.count
    }

    /// The whole history, in as few batches as possible: at least one, which is empty if there is nothing.
    static func batches(of history: [StoreTransaction]) -> [PurchaseBatch] {
        var left = history.filter(\.isFit).sorted { ($0.signedAt, $0.id) < ($1.signedAt, $1.id) }
        var batches: [PurchaseBatch] = []
        repeat {
            let batch = PurchaseBatch(from: left, atMost: Limits.purchases, isWhole: true)
            left.removeFirst(batch.transactions.count)
            batches.append(batch)
        } while !left.isEmpty
        return batches
    }

    /// - Parameter exposures: by the id of the transaction.
    func report(_ reason: PurchaseReason, key: IdempotencyKey, exposures: [String: String] = [:]) -> PurchaseReport {
        PurchaseReport(
            key: key, reason: reason, historyComplete: isComplete,
            transactions: transactions.map { .init(jws: $0.jws, exposure: exposures[$0.id]) })
    }
}

extension StoreTransaction {
    /// The server would refuse a larger text, and a store without a signature sells nothing.
    var isFit: Bool { (1...Limits.signedTransaction).contains(jws.utf8.count) }
}
