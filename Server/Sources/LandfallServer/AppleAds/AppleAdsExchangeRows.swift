// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension AppleAdsExchange {
    /// The columns `token_hash, state, reason, due_at_ms, received_at_ms`. Nil where they are NULL: the install has never sent a
    /// token.
    init?(_ row: Row) throws {
        guard let hash = row.optionalText("token_hash") else { return nil }
        tokenHash = TokenHash(rawValue: hash)
        receivedAtMs = try row.integer("received_at_ms")
        state =
            switch try row.text("state") {
            case "waiting": .waiting(dueAtMs: try row.integer("due_at_ms"))
            case "attributed": .attributed
            case "organic": .organic
            default: .unavailable(row.optionalText("reason").map { UnavailableReason($0) } ?? .noToken)
            }
    }
}

extension QueuedToken {
    func insertion(of unit: InstallUnit) -> Statement {
        Statement(
            """
            INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, token, state, reason, attempts, not_found_count,
              is_retry, due_at_ms, lease_until_ms, received_at_ms, finished_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, $7, $7, $7, $8)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(unit.app.rawValue), .text(unit.id.rawValue), .text(exchange.tokenHash.rawValue),
                .text(isOwn ? text : nil), .text(isOwn ? "waiting" : "unavailable"),
                .text(isOwn ? nil : UnavailableReason.tokenReused.rawValue), .integer(exchange.receivedAtMs),
                .integer(isOwn ? nil : exchange.receivedAtMs),
            ])
    }
}
