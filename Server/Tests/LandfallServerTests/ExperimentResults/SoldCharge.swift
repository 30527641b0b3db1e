// SPDX-License-Identifier: Apache-2.0
@testable import LandfallRules
@testable import LandfallStore

/// A charge of a chain that an install brought, as its rows.
struct SoldCharge {
    var install: String
    /// Of the chain and of its only transaction.
    var transaction: String
    var environment = "Production"
    var kind = "purchase"
    /// Of several refunds of seats.
    var number: Int64 = 0
    var product = "com.example.yearly"
    /// Of the purchase, for its refunds too.
    var purchasedAtMs: Int64
    /// Nil: with the purchase.
    var bookedAtMs: Int64?
    var currency = "USD"
    var milliunits: Int64
    var part: (over: Int64, under: Int64) = (1, 1)

    var chain: String { "\(environment):\(transaction)" }

    func insert(into app: AppID, _ connection: any WriteConnection) throws {
        let bookedAtMs = bookedAtMs ?? purchasedAtMs
        try connection.run(
            """
            INSERT INTO purchase_chain (
              app_id, chain_id, version, facts, first_seen_at_ms, changed_at_ms, users, moves, brought_by_install, brought_at_ms
            )
            VALUES ($1, $2, 1, 1, $3, $3, '[]', '[]', $4, $3)
            ON CONFLICT (app_id, chain_id) DO NOTHING
            """, [.text(app.rawValue), .text(chain), .integer(bookedAtMs), .text(install)])
        try connection.run(
            """
            INSERT INTO charge (
              app_id, booking_day, chain_id, transaction_id, kind, number, product_id, booked_at_ms, purchase_day, purchased_at_ms, currency,
              milliunits, part_numerator, part_denominator, quantity, paid_before_ms, is_paid_before_estimated, follows_trial
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, 0, 0, 0)
            """,
            [
                .text(app.rawValue), .integer(bookedAtMs / Retention.dayMs), .text(chain), .text(transaction), .text(kind), .integer(number),
                .text(product), .integer(bookedAtMs), .integer(purchasedAtMs / Retention.dayMs), .integer(purchasedAtMs), .text(currency),
                .integer(milliunits), .integer(part.over), .integer(part.under),
            ])
    }
}
