// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// A purchase, a refund or a free trial of one person, in the currency of the payment: nothing is converted. Sandboxes have none.
package struct ProfileCharge: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable { case purchase, refund, trial }

    package let kind: Kind
    package let chain: String
    package let transaction: String
    /// Of several refunds of one transaction.
    package let number: Int64
    package let product: String
    /// Unix milliseconds: when the money moved, or the trial began.
    package let bookedAtMs: Int64
    /// Of ISO 4217; nil for a trial.
    package let currency: String?
    /// Nil for a trial, and for more than a number of 64 bits.
    package let milliunits: Int64?
    /// The install that brought it; nil if that is not known any more.
    package let install: String?
    /// Of a purchase: some of it was paid back since.
    package let isPaidBack: Bool
    /// Of a trial: a purchase came after it.
    package let isPaidAfter: Bool

    /// The chains of one profile whose charges are read; those with the highest ids, which are mostly the newest.
    package static let mostChains = 2_000
    /// As many chains as a statement asks for.
    private static let part = 100

    /// The newest charges of the chains that a profile owns.
    /// - Parameters:
    ///   - last: in Unix milliseconds, included.
    ///   - most: so many at most.
    package static func read(
        of profile: ProfileID, _ app: AppID, upTo last: Int64, most: Int, _ connection: any ReadConnection
    ) throws -> [ProfileCharge] {
        let key: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let chains = try connection.rows(chainsText, key + [.integer(Int64(mostChains))]).map { try $0.text("chain_id") }
        var charges: [ProfileCharge] = []
        for start in stride(from: 0, to: chains.count, by: part) {
            let ids = chains[start..<min(start + part, chains.count)]
            let padded = ids + Array(repeating: ids[start], count: part - ids.count)
            let values = key + [.integer(last), .integer(Int64(most))] + padded.map { .text($0) }
            charges += try connection.rows(text, values).compactMap { try ProfileCharge($0) }
        }
        return Array(charges.sorted { ($1.bookedAtMs, $1.place) < ($0.bookedAtMs, $0.place) }.prefix(most))
    }

    /// Tells apart what was booked in one millisecond.
    package var place: String { "\(kind.rawValue):\(chain):\(transaction):\(number)" }

    /// Nil for a kind that a later release writes.
    private init?(_ row: Row) throws {
        guard let stored = Charge.Kind(rawValue: try row.text("kind")) else { return nil }
        let kind: Kind =
            switch stored {
            case .purchase: .purchase
            case .refund, .seatRefund: .refund
            case .trial: .trial
            }
        var amount = ExactAmount(try row.integer("milliunits"))
        amount.multiply(by: try row.integer("part_numerator"), over: max(1, try row.integer("part_denominator")))
        self.kind = kind
        chain = try row.text("chain_id")
        transaction = try row.text("transaction_id")
        number = try row.integer("number")
        product = try row.text("product_id")
        bookedAtMs = try row.integer("booked_at_ms")
        currency = kind == .trial ? nil : try row.text("currency")
        milliunits = kind == .trial ? nil : amount.rounded
        install = row.optionalText("brought_by_install")
        isPaidBack = try kind == .purchase && row.integer("refunds") > 0
        isPaidAfter = try kind == .trial && row.integer("payments") > 0
    }

    package static let chainsText = """
        SELECT chain_id FROM profile_chain WHERE app_id = $1 AND profile_id = $2 ORDER BY chain_id DESC LIMIT $3
        """
    package static let text = """
        SELECT c.chain_id, c.transaction_id, c.kind, c.number, c.product_id, c.booked_at_ms, c.currency, c.milliunits, c.part_numerator,
          c.part_denominator, h.brought_by_install,
          (
            SELECT COUNT(r.milliunits) FROM charge r
            WHERE r.app_id = $1 AND r.chain_id = c.chain_id AND r.transaction_id = c.transaction_id AND r.kind IN ('refund', 'seatRefund')
          ) AS refunds,
          (SELECT COUNT(*) FROM charge n WHERE n.app_id = $1 AND n.chain_id = c.chain_id AND n.follows_trial = 1) AS payments
        FROM purchase_chain h JOIN charge c ON c.app_id = h.app_id AND c.chain_id = h.chain_id
        WHERE h.app_id = $1 AND h.owner_profile = $2 AND c.booked_at_ms + 0 <= $3 AND h.chain_id IN (\(Statement.places(5..<5 + part)))
        ORDER BY c.booked_at_ms + 0 DESC, c.kind DESC, c.chain_id DESC, c.transaction_id DESC, c.number DESC LIMIT $4
        """
}
