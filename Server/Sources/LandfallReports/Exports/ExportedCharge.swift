// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallStore
import LandfallWire

/// A charge as two tables show it: what was bought, and when money moved.
struct ExportedCharge: Sendable {
    let row: Row
    /// Nil if the chain went away meanwhile.
    let chain: RevenueOrigins.Chain?
    /// Who brought the chain, and what sold it.
    let origin: RevenueOrigin

    private var isTrial: Bool { row.optionalText("kind") == Charge.Kind.trial.rawValue }

    /// What moved: the price, times the part that it is about.
    private var amount: Int64? {
        guard !isTrial, let milliunits = row.optionalInteger("milliunits") else { return nil }
        var amount = ExactAmount(milliunits)
        amount.multiply(by: row.optionalInteger("part_numerator") ?? 1, over: row.optionalInteger("part_denominator") ?? 1)
        return amount.rounded
    }

    /// The App Store's original transaction: a chain is the environment and this.
    private var original: String? { row.optionalText("chain_id").map { String($0.drop { $0 != ":" }.dropFirst()) } }

    /// How the table shows a field.
    typealias Shown = (field: ExportField, value: @Sendable (ExportedCharge) -> SQLValue)

    private static func stored(_ field: ExportField, _ column: String) -> Shown { (field, { $0.row[column] }) }

    private static func origin(_ name: String, _ dimension: RevenueDimension) -> Shown {
        (.text(name), { .text($0.origin.text(dimension).map { String(decoding: $0, as: UTF8.self) }) })
    }

    private static let whose: [Shown] = [
        (.text("originalTransactionId"), { .text($0.original) }),
        stored(.text("transactionId"), "transaction_id"),
        stored(.text("kind"), "kind"),
        (.text("profileId"), { .text($0.chain?.owner) }),
        (.text("installId"), { .text($0.chain?.broughtBy?.rawValue) }),
        stored(.text("productId"), "product_id"),
        stored(.text("productType"), "type"),
    ]

    private static let money: [Shown] = [
        (.text("currency"), { $0.isTrial ? .null : $0.row["currency"] }),
        (.integer("amountMilliunits"), { .integer($0.amount) }),
        stored(.integer("quantity"), "quantity"),
        stored(.text("storefront"), "storefront"),
    ]

    static let purchases: [Shown] =
        whose + [stored(.integer("purchasedAtMilliseconds"), "purchased_at_ms")] + money + [
            stored(.integer("offerType"), "offer_type"),
            stored(.text("offerDiscount"), "offer_discount"),
            stored(.text("offerId"), "offer_id"),
            stored(.text("reason"), "reason"),
            stored(.text("groupId"), "group_id"),
            stored(.integer("periodEndsAtMilliseconds"), "period_ends_at_ms"),
            stored(.integer("serviceEndsAtMilliseconds"), "service_ends_at_ms"),
            stored(.boolean("followsTrial"), "follows_trial"),
            origin("source", .source), origin("channel", .channel), origin("campaign", .campaign), origin("adGroup", .adGroup),
            origin("keyword", .keyword), origin("link", .link), origin("placement", .placement), origin("paywall", .paywall),
            origin("variation", .variation),
        ]

    static let charges: [Shown] =
        whose + [
            stored(.integer("number"), "number"),
            stored(.integer("bookedAtMilliseconds"), "booked_at_ms"),
            stored(.integer("purchasedAtMilliseconds"), "purchased_at_ms"),
        ] + money
}
