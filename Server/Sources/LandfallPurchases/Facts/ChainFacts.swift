// SPDX-License-Identifier: Apache-2.0

/// The facts of a chain that count. Of what was said several times about one thing, what Apple signed last is true; which of them
/// arrived last means nothing.
struct ChainFacts {
    struct Told<Content> {
        let content: Content
        let signedAtMs: Int64
        let hash: [UInt8]
    }

    /// In the order of their purchase.
    private(set) var transactions: [ChainTransaction]
    private(set) var renewal: Told<RenewalPayload>?
    /// By transaction.
    private(set) var notices: [String: Told<RenewalNotice>] = [:]

    /// Xcode names an original purchase that is long before 1970.
    var beganAtMs: Int64? {
        transactions.flatMap { [$0.payload.originalPurchaseDateMs, $0.startMs] }.compactMap { $0 }.filter { $0 > 0 }.min()
    }

    /// - Parameter facts: those of other chains are left out.
    init(_ facts: some Sequence<PurchaseFact>, of chain: ChainID) {
        var newest: [String: Told<TransactionPayload>] = [:]
        var seats: [String: Set<SeatRevocation>] = [:]
        var ends: [String: Int64] = [:]
        for fact in facts where fact.chain == chain {
            switch fact.content {
            case .transaction(let transaction):
                let told = Told(content: transaction, signedAtMs: fact.signedAtMs, hash: fact.hash)
                let id = transaction.transactionID
                if newest[id].map({ $0.isSuperseded(by: told) }) ?? true { newest[id] = told }
                if let end = transaction.expiresDateMs { ends[id] = min(ends[id] ?? end, end) }
                if let count = transaction.seats?.revoked, count > 0 {
                    seats[id, default: []].insert(SeatRevocation(seats: count, signedAtMs: fact.signedAtMs))
                }
            case .renewal(let told):
                let told = Told(content: told, signedAtMs: fact.signedAtMs, hash: fact.hash)
                if renewal.map({ $0.isSuperseded(by: told) }) ?? true { renewal = told }
            case .notice(let notice):
                let told = Told(content: notice, signedAtMs: fact.signedAtMs, hash: fact.hash)
                if notices[notice.transactionID].map({ $0.isSuperseded(by: told) }) ?? true {
                    notices[notice.transactionID] = told
                }
            }
        }
        transactions = newest.values.map { told in
            ChainTransaction(
                payload: told.content, signedAtMs: told.signedAtMs,
                seatRevocations: (seats[told.content.transactionID] ?? []).sorted(),
                firstExpiresMs: ends[told.content.transactionID])
        }.sorted()
    }
}

extension ChainFacts.Told {
    fileprivate func isSuperseded(by other: Self) -> Bool {
        signedAtMs != other.signedAtMs ? signedAtMs < other.signedAtMs : hash.lexicographicallyPrecedes(other.hash)
    }
}

extension ChainFacts.Told<TransactionPayload> {
    /// Signed in the same millisecond: a revocation before none, then the later end, then whatever is the same everywhere.
    fileprivate func isSuperseded(by other: Self) -> Bool {
        guard signedAtMs == other.signedAtMs else { return signedAtMs < other.signedAtMs }
        let isRevoked = content.revocationDateMs != nil, isOtherRevoked = other.content.revocationDateMs != nil
        guard isRevoked == isOtherRevoked else { return isOtherRevoked }
        let end = content.expiresDateMs ?? .min, otherEnd = other.content.expiresDateMs ?? .min
        return end != otherEnd ? end < otherEnd : hash.lexicographicallyPrecedes(other.hash)
    }
}
