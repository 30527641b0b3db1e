// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// Adds facts to their chain inside a transaction, and writes what all facts of the chain then add up to.
struct ChainUnit: Sendable {
    private let facts: [StoredFact]
    private let chain: ChainID
    private let rules: PurchaseRules
    private let app: AppID
    private let nowMs: Int64

    /// - Parameter facts: at least one, all of one chain.
    init(_ facts: [StoredFact], rules: PurchaseRules, app: AppID, nowMs: Int64) {
        precondition(Set(facts.map(\.fact.chain)).count == 1, "Facts of a unit belong to one chain.")
        (self.facts, self.rules, self.app, self.nowMs) = (facts, rules, app, nowMs)
        chain = facts[0].fact.chain
    }

    /// Held by every unit that adds facts to the chain.
    var lock: RowLock { RowLock("purchase_chain", ["app_id": .text(app.rawValue), "chain_id": .text(chain.description)]) }

    private var key: [SQLValue] { [.text(app.rawValue), .text(chain.description)] }

    /// Writes nothing if all of them are known.
    func add(receivedAtMs: Int64, to connection: any WriteConnection) throws {
        let added = try connection.batch(facts.map { $0.insertion(into: app, receivedAtMs: receivedAtMs) }).reduce(0, +)
        guard added > 0 else { return }
        let answers = try connection.rows([Statement(StoredFact.question, key), Statement(ChargeRow.question, key)])
        let all = try answers[0].map { try PurchaseFact($0, of: chain) }
        let state = ChainState.fold(all, of: chain, rules: rules)
        let changes = ChargeRow.changes(from: answers[1].map { ChargeRow($0) }, to: state.charges.map { ChargeRow($0, of: chain) }, of: app)
        try connection.batch(
            changes + [
                Statement(
                    """
                    INSERT INTO purchase_chain (app_id, chain_id, version, facts, first_seen_at_ms, changed_at_ms)
                    VALUES ($1, $2, 1, $3, $4, $4)
                    ON CONFLICT (app_id, chain_id) DO UPDATE SET
                      version = purchase_chain.version + 1, facts = excluded.facts, changed_at_ms = excluded.changed_at_ms
                    """, key + [.integer(Int64(all.count)), .integer(nowMs)])
            ])
    }
}
