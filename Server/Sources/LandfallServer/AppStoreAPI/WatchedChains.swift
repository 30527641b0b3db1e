// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// Subscriptions about which the App Store may have more to say.
struct WatchedChains: Sendable {
    struct Chain: Hashable, Sendable {
        let id: ChainID
        /// In Unix milliseconds.
        let dueMs: Int64
        let revision: String?
    }

    let database: any Database
    let app: AppID

    /// Those of which news is due before an instant, the longest due first.
    func due(before limitMs: Int64, _ limit: Int) async throws -> [Chain] {
        try await chains(Self.dueText, [.text(app.rawValue), .integer(limitMs), .integer(Int64(limit))])
    }

    /// All of them, those after a place.
    func chains(after place: ReconcileState.Walk, _ limit: Int) async throws -> [Chain] {
        try await chains(Self.nextText, [.text(app.rawValue), .integer(place.dueMs), .text(place.chain), .integer(Int64(limit))])
    }

    private func chains(_ text: String, _ values: [SQLValue]) async throws -> [Chain] {
        try await database.rows([Statement(text, values)])[0].map { row in
            guard let id = ChainID(try row.text("chain_id")) else { throw DatabaseError.unexpectedValue(column: "chain_id") }
            return Chain(id: id, dueMs: try row.integer("news_due_at_ms"), revision: row.optionalText("history_revision"))
        }
    }

    private static let dueText = """
        SELECT chain_id, news_due_at_ms, history_revision
        FROM purchase_chain WHERE app_id = $1 AND news_due_at_ms < $2 ORDER BY news_due_at_ms, chain_id LIMIT $3
        """
    private static let nextText = """
        SELECT chain_id, news_due_at_ms, history_revision
        FROM purchase_chain WHERE app_id = $1 AND news_due_at_ms IS NOT NULL AND (news_due_at_ms, chain_id) > ($2, $3)
        ORDER BY news_due_at_ms, chain_id LIMIT $4
        """

    /// Apple was asked and had nothing new: it is not asked about this again.
    func isHeard(_ chain: Chain) -> Statement {
        Statement(
            "UPDATE purchase_chain SET news_due_at_ms = NULL WHERE app_id = $1 AND chain_id = $2 AND news_due_at_ms = $3",
            [.text(app.rawValue), .text(chain.id.description), .integer(chain.dueMs)])
    }

    /// The history up to there is in facts.
    func hasRead(_ chain: ChainID, upTo revision: String) -> Statement {
        Statement(
            "UPDATE purchase_chain SET history_revision = $3 WHERE app_id = $1 AND chain_id = $2",
            [.text(app.rawValue), .text(chain.description), .text(revision)])
    }
}
