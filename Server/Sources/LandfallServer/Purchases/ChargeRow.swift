// SPDX-License-Identifier: Apache-2.0
package import LandfallPurchases
package import LandfallRules
package import LandfallStore

/// A charge as its row, without the app.
package struct ChargeRow: Hashable, Sendable {
    /// In the order of ``question``.
    private let values: [SQLValue]

    /// What is read and written, in this order; the first five are the rest of the key.
    private static let names = """
        booking_day, chain_id, transaction_id, kind, number, product_id, type, booked_at_ms, purchase_day, purchased_at_ms, currency,
        milliunits, part_numerator, part_denominator, quantity, storefront, offer_type, offer_discount, offer_id, reason, billing_plan,
        group_id, period_ends_at_ms, service_ends_at_ms, credit_numerator, credit_denominator, paid_before_ms, is_paid_before_estimated,
        follows_trial
        """
    static let columns = Columns(names.split { $0 == "," || $0.isWhitespace }.map(String.init))

    /// What distinguishes it within its chain, whatever its amount and its days.
    var name: [SQLValue] { Array(values[2..<5]) }

    static let question = "SELECT \(names) FROM charge WHERE app_id = $1 AND chain_id = $2"
    /// Of all chains after one, up to another.
    static let rangeQuestion = "SELECT \(names) FROM charge WHERE app_id = $1 AND chain_id > $2 AND chain_id <= $3"

    /// As a database gives it.
    var row: Row { Row(Self.columns, values) }

    init(_ row: Row) { values = row.values }

    package init(_ charge: Charge, of chain: ChainID) {
        values = [
            .integer(ReportZone.utc.day(ofMs: charge.bookedAtMs)), .text(chain.description), .text(charge.transactionID), .text(charge.kind.rawValue),
            .integer(charge.number), .text(charge.productID), .text(charge.type?.rawValue), .integer(charge.bookedAtMs),
            .integer(ReportZone.utc.day(ofMs: charge.purchasedAtMs)), .integer(charge.purchasedAtMs), .text(charge.currency), .integer(charge.milliunits),
            .integer(charge.part.numerator), .integer(charge.part.denominator), .integer(charge.quantity), .text(charge.storefront),
            .integer(charge.offerType?.rawValue), .text(charge.offerDiscount?.rawValue), .text(charge.offerID), .text(charge.reason?.rawValue),
            .text(charge.billingPlan), .text(charge.groupID), .integer(charge.periodEndsAtMs), .integer(charge.serviceEndsAtMs),
            .integer(charge.upgradeCredit?.numerator), .integer(charge.upgradeCredit?.denominator), .integer(charge.paidBeforeMs),
            .flag(charge.isPaidBeforeEstimated), .flag(charge.followsTrial),
        ]
    }

    /// Most facts change one charge of many.
    static func changes(from old: [ChargeRow], to new: [ChargeRow]) -> (deleted: [ChargeRow], inserted: [ChargeRow]) {
        let kept = Set(old).intersection(new)
        return (old.filter { !kept.contains($0) }, new.filter { !kept.contains($0) })
    }

    /// On which it counts: of its purchase and of its booking.
    var days: [Int64] { ["booking_day", "purchase_day"].compactMap { row.optionalInteger($0) } }

    func deletion(from app: AppID) -> Statement {
        Statement(
            """
            DELETE FROM charge
            WHERE app_id = $1 AND booking_day = $2 AND chain_id = $3 AND transaction_id = $4 AND kind = $5 AND number = $6
            """, [.text(app.rawValue)] + values.prefix(5))
    }

    package func insertion(into app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO charge (app_id, \(Self.names))
            VALUES (
              $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28,
              $29, $30
            )
            """, [.text(app.rawValue)] + values)
    }
}
