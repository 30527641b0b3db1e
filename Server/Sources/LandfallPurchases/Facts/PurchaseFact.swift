// SPDX-License-Identifier: Apache-2.0

/// One thing that Apple has signed about a chain. Facts are only added; what is true now follows from all of them.
package struct PurchaseFact: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case transaction(TransactionPayload)
        case renewal(RenewalPayload)
        case notice(RenewalNotice)
    }

    package let chain: ChainID
    package let content: Content
    /// In Unix milliseconds, by Apple's clock.
    package let signedAtMs: Int64
    /// SHA-256 of the signed text.
    package let hash: [UInt8]

    package init(chain: ChainID, content: Content, signedAtMs: Int64, hash: [UInt8]) {
        self.chain = chain
        self.content = content
        self.signedAtMs = signedAtMs
        self.hash = hash
    }

    package init(_ signed: SignedTransaction) {
        self.init(
            chain: signed.chain, content: .transaction(signed.transaction), signedAtMs: signed.jws.signedAtMs,
            hash: signed.jws.hash)
    }

    package init(_ signed: SignedRenewal) {
        self.init(
            chain: signed.chain, content: .renewal(signed.renewal), signedAtMs: signed.jws.signedAtMs, hash: signed.jws.hash)
    }

    /// All facts of a notification; empty if it is about no transaction.
    package static func facts(of signed: SignedNotification) -> [PurchaseFact] {
        guard let transaction = signed.transaction else { return [] }
        var facts = [PurchaseFact(transaction)]
        if let renewal = signed.renewal { facts.append(PurchaseFact(renewal)) }
        if let notice = RenewalNotice(signed.notification, transaction: transaction.transaction.transactionID) {
            facts.append(
                PurchaseFact(
                    chain: transaction.chain, content: .notice(notice), signedAtMs: signed.jws.signedAtMs, hash: signed.jws.hash
                ))
        }
        return facts
    }
}
