// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules

/// In which currency figures are: the configured one, or the only one in which something was paid. What is not in it is listed.
struct FigureCurrency: Sendable {
    private let rules: MoneyRules
    /// By the currency that was paid in; where one is configured, it has the only one.
    private var pricings: [String: Pricing] = [:]
    /// By currency, what no rate converts. Without a configured currency all that was paid.
    private var sums: [String: (gross: Int128, refunds: Int128)] = [:]

    init(_ rules: MoneyRules) { self.rules = rules }

    /// - Parameter price: nil if the pricing has no rate.
    mutating func priced<Price>(_ terms: Pricing.Terms, _ price: (Pricing) -> Price?) -> Price? {
        let found = price(pricing(of: terms.currency))
        if found == nil || rules.currency == nil { list(terms) }
        return found
    }

    /// Nil if something was paid in several currencies, and none is configured: then no figure means anything.
    var code: String? { rules.currency ?? (sums.count == 1 ? sums.keys.first : nil) }

    /// In the order of their codes.
    var unconverted: [RevenueDocument.Unconverted] {
        guard rules.currency != nil || sums.count > 1 else { return [] }
        return sums.sorted { $0.key < $1.key }.map {
            RevenueDocument.Unconverted(
                currency: $0.key, grossMilliunits: Int64(clamping: $0.value.gross), refundsMilliunits: Int64(clamping: $0.value.refunds))
        }
    }

    private mutating func pricing(of currency: String) -> Pricing {
        let code = rules.currency ?? currency
        if let known = pricings[code] { return known }
        let pricing = Pricing(rules, currency: code)
        pricings[code] = pricing
        return pricing
    }

    private mutating func list(_ terms: Pricing.Terms) {
        var moved = ExactAmount(terms.milliunits)
        moved.multiply(by: terms.part.numerator, over: terms.part.denominator)
        guard let amount = moved.rounded else { return }
        var sum = sums[terms.currency] ?? (0, 0)
        if terms.kind == .purchase { sum.gross += Int128(amount) } else { sum.refunds += Int128(amount) }
        sums[terms.currency] = sum
    }
}
