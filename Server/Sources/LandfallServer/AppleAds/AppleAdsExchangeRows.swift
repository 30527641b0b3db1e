// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension AppleAdsExchange {
    /// - Parameter place: of `token_hash, state, reason, due_at_ms, received_at_ms`.
    /// - Returns: nil where they are NULL: the install has never sent a token.
    init?(_ row: Row, from place: Int) throws {
        guard let hash = row.optionalText(place) else { return nil }
        tokenHash = TokenHash(rawValue: hash)
        receivedAtMs = try row.integer(place + 4)
        state =
            switch try row.text(place + 1) {
            case "waiting": .waiting(dueAtMs: try row.integer(place + 3))
            case "attributed": .attributed
            case "organic": .organic
            default: .unavailable(row.optionalText(place + 2).map { UnavailableReason($0) } ?? .noToken)
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
