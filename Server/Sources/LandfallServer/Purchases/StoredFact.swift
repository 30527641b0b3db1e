// SPDX-License-Identifier: Apache-2.0
package import LandfallPurchases
package import LandfallRules
package import LandfallStore

/// A fact with what proves it: the text that Apple signed, in the parts that the store keeps.
package struct StoredFact: Hashable, Sendable {
    let fact: PurchaseFact
    /// Nil for a notice, which is the words of a notification: its body is far larger, and says nothing else that lasts.
    private let jws: VerifiedJWS?

    /// The transaction of a phone.
    package init(_ signed: SignedTransaction) { self.init(fact: PurchaseFact(signed), jws: signed.jws) }

    /// The renewal beside a transaction.
    init(_ signed: SignedRenewal) { self.init(fact: PurchaseFact(signed), jws: signed.jws) }

    private init(fact: PurchaseFact, jws: VerifiedJWS?) { (self.fact, self.jws) = (fact, jws) }

    /// All facts of a notification; empty if it is about no transaction.
    static func facts(of signed: SignedNotification) -> [StoredFact] {
        PurchaseFact.facts(of: signed).map { fact in
            switch fact.content {
            case .transaction: StoredFact(fact: fact, jws: signed.transaction?.jws)
            case .renewal: StoredFact(fact: fact, jws: signed.renewal?.jws)
            case .notice: StoredFact(fact: fact, jws: nil)
            }
        }
    }

    /// All facts of a chain.
    static let question = """
        SELECT kind, fact_id, jws_hash, signed_at_ms, payload FROM purchase_fact WHERE app_id = $1 AND chain_id = $2
        """

    package func insertion(into app: AppID, receivedAtMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO purchase_fact (
              app_id, chain_id, kind, fact_id, jws_hash, signed_at_ms, received_at_ms, header_hash, payload, signature
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(fact.chain.description), .text(fact.kind.rawValue), .text(fact.subject), .blob(fact.hash),
                .integer(fact.signedAtMs), .integer(receivedAtMs), jws.map { .blob($0.headerHash) } ?? .null,
                .blob(jws?.payloadBytes ?? fact.noticeWords), jws.map { .blob($0.signatureBytes) } ?? .null,
            ])
    }
}

extension PurchaseFact {
    fileprivate enum Kind: String { case transaction, renewal, notice }

    fileprivate var kind: Kind {
        switch content {
        case .transaction: .transaction
        case .renewal: .renewal
        case .notice: .notice
        }
    }

    /// What the fact is about.
    fileprivate var subject: String {
        switch content {
        case .transaction(let transaction): transaction.transactionID
        case .renewal(let renewal): renewal.originalTransactionID
        case .notice(let notice): notice.transactionID
        }
    }

    fileprivate var noticeWords: [UInt8] {
        guard case .notice(let notice) = content else { return [] }
        return Array(notice.saysGrace ? Self.grace : Self.noGrace)
    }

    private static let grace = #"{"grace":true}"#.utf8
    private static let noGrace = #"{"grace":false}"#.utf8

    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` for a row that the server has not written.
    init(_ row: Row, of chain: ChainID) throws {
        let payload = try row.blob("payload"), subject = try row.text("fact_id")
        let content: Content?
        switch Kind(rawValue: try row.text("kind")) {
        case .transaction: content = TransactionPayload(payload: payload).map { .transaction($0) }
        case .renewal: content = RenewalPayload(payload: payload).map { .renewal($0) }
        case .notice: content = .notice(RenewalNotice(transactionID: subject, saysGrace: payload.elementsEqual(Self.grace)))
        case nil: content = nil
        }
        guard let content else { throw DatabaseError.unexpectedValue(column: "payload") }
        self.init(chain: chain, content: content, signedAtMs: try row.integer("signed_at_ms"), hash: try row.blob("jws_hash"))
    }
}
