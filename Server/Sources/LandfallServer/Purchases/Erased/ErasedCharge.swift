// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// A charge of an erased person, as `erased_revenue` counts it: without an id, and with no time but its days. Equal ones share a row.
struct ErasedCharge: Sendable {
    /// By which none is counted twice.
    let hash: [UInt8]
    /// What describes and prices it, in the order of ``countingText``.
    private let cell: [SQLValue]

    init(_ charge: Charge, of chain: String, _ hashes: PurchaseHashes) {
        let terms = Pricing.Terms(charge)
        hash = hashes.hash(ofCharge: charge.transactionID, charge.kind.rawValue, charge.number, in: chain)
        cell = [
            .integer(Int64(terms.purchaseDay)), .integer(ReportZone.utc.day(ofMs: charge.bookedAtMs)), .text(terms.kind.rawValue),
            .text(charge.productID), .text(terms.storefront ?? ""), .text(terms.currency), .integer(terms.milliunits),
            .integer(terms.part.numerator), .integer(terms.part.denominator), .integer(terms.upgradeCredit?.numerator ?? 0),
            .integer(terms.upgradeCredit?.denominator ?? 1), .flag(terms.isAfterYear), .flag(charge.followsTrial),
        ]
    }

    /// - Parameter row: of the answer to ``ChargeRow/question``.
    init(_ row: Row, of chain: String, _ hashes: PurchaseHashes) throws {
        let kind = try row.text("kind")
        hash = hashes.hash(ofCharge: try row.text("transaction_id"), kind, try row.integer("number"), in: chain)
        let isAfterYear = Pricing.Terms.isAfterYear(
            paidBeforeMs: try row.integer("paid_before_ms"), periodEndsAtMs: row.optionalInteger("period_ends_at_ms"))
        cell = [
            .integer(try row.integer("purchase_day")), .integer(try row.integer("booking_day")), .text(kind),
            .text(try row.text("product_id")), .text(row.optionalText("storefront") ?? ""), .text(try row.text("currency")),
            .integer(try row.integer("milliunits")), .integer(try row.integer("part_numerator")),
            .integer(try row.integer("part_denominator")), .integer(row.optionalInteger("credit_numerator") ?? 0),
            .integer(row.optionalInteger("credit_denominator") ?? 1), .flag(isAfterYear), .flag(try row.flag("follows_trial")),
        ]
    }

    /// Counts those that were not counted before.
    /// - Returns: how many rows it has changed.
    static func count(
        _ charges: [ErasedCharge], for source: String, in app: AppID, _ connection: any WriteConnection
    ) throws -> Int {
        guard !charges.isEmpty else { return 0 }
        // It comes after every other lock. Without it, two units with the same rows in two orders would wait in a circle.
        try connection.lock([RowLock("erased_revenue", ["app_id": .text(app.rawValue)])])
        let isNew = try connection.batch(charges.map { Statement(markText, [.text(app.rawValue), .blob($0.hash)]) })
        let new = zip(charges, isNew).filter { $0.1 > 0 }.map { Statement(countingText, [.text(app.rawValue), .text(source)] + $0.0.cell) }
        return try isNew.reduce(0, +) + connection.batch(new).reduce(0, +)
    }

    private static let markText = "INSERT INTO erased_charge (app_id, charge_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    private static let countingText = """
        INSERT INTO erased_revenue (
          app_id, source, purchase_day, booking_day, kind, product_id, storefront, currency, milliunits, part_numerator, part_denominator,
          credit_numerator, credit_denominator, is_after_year, follows_trial, charges
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 1)
        ON CONFLICT (
          app_id, purchase_day, booking_day, kind, product_id, source, storefront, currency, milliunits, part_numerator, part_denominator,
          credit_numerator, credit_denominator, is_after_year, follows_trial
        ) DO UPDATE SET charges = erased_revenue.charges + 1
        """
}
