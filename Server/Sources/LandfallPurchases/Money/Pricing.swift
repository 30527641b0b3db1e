// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// Charges in the currency of figures, by the rules of now. Each amount is an exact fraction, rounded once, half away from zero
/// (rules M1 to M7 of purchases).
package struct Pricing: Sendable {
    /// What prices a charge: charges that are equal in it have equal prices.
    package struct Terms: Hashable, Sendable {
        package var kind: Charge.Kind
        package var currency: String
        package var milliunits: Int64
        package var part: Charge.Fraction
        package var upgradeCredit: Charge.Fraction?
        package var storefront: String?
        /// Since 1970, UTC: of the purchase, for a refund too. It says which rate, tax and commission apply.
        package var purchaseDay: Int
        /// A subscription after a year of paid service.
        package var isAfterYear: Bool

        package init(
            kind: Charge.Kind, currency: String, milliunits: Int64, part: Charge.Fraction, upgradeCredit: Charge.Fraction?,
            storefront: String?, purchaseDay: Int, isAfterYear: Bool
        ) {
            self.kind = kind
            self.currency = currency
            self.milliunits = milliunits
            self.part = part
            self.upgradeCredit = upgradeCredit
            self.storefront = storefront
            self.purchaseDay = purchaseDay
            self.isAfterYear = isAfterYear
        }
    }

    /// All zero for a trial.
    package struct Price: Hashable, Sendable {
        /// Of a purchase; 0 for refunds.
        package var gross: Int64 = 0
        package var refunds: Int64 = 0
        /// Estimated: negative for a refund.
        package var proceeds: Int64 = 0
        /// Estimated.
        package var upgradeCredit: Int64 = 0
    }

    /// Where the configuration names none: the App Store's usual commission (rule M6).
    private static let usual = ExactDecimal("0.30")!, afterYear = ExactDecimal("0.15")!

    private let rules: MoneyRules
    private let currency: String?
    private let rates: [String: [(day: Int, rate: ExactDecimal)]]
    /// Ascending: on each another rate or commission begins.
    private let begins: [Int]

    /// - Parameter currency: of the figures, if the rules name none.
    package init(_ rules: MoneyRules, currency: String? = nil) {
        self.rules = rules
        self.currency = rules.currency ?? currency
        rates = rules.rates.reduce(into: [:]) { rates, day in
            for (code, rate) in day.rates { rates[code, default: []].append((day.day, rate)) }
        }
        begins = Set(rules.rates.map(\.day) + rules.commission.map(\.fromDay)).sorted()
    }

    /// A day on which the same rates, taxes and commissions apply; the same for all such days.
    package func firstDay(with day: Int) -> Int {
        let later = begins.partitioningIndex { $0 > day }
        return later == 0 ? .min : begins[later - 1]
    }

    /// Nil if there is no rate for that day, or an amount is too large. Nothing has a rate without a currency of figures.
    package func price(_ terms: Terms) -> Price? {
        // It may have no currency.
        if terms.kind == .trial { return Price() }
        guard let rate = rate(terms.currency, terms.purchaseDay) else { return nil }
        var amount = ExactAmount(terms.milliunits)
        amount.multiply(by: rate)
        var moved = amount
        moved.multiply(by: terms.part.numerator, over: terms.part.denominator)
        guard let whole = moved.rounded, let proceeds = proceeds(moved, terms).rounded else { return nil }
        guard terms.kind == .purchase else { return Price(refunds: whole, proceeds: -proceeds) }
        var credit: Int64 = 0
        if let unused = terms.upgradeCredit {
            amount.multiply(by: unused.numerator, over: unused.denominator)
            guard let rounded = amount.rounded else { return nil }
            credit = rounded
        }
        return Price(gross: whole, proceeds: proceeds, upgradeCredit: credit)
    }

    /// What was paid, divided by the months of its period: rounded once. Nil as in ``price(_:)``.
    package func monthly(_ terms: Terms, months: Charge.Fraction) -> Int64? {
        guard let rate = rate(terms.currency, terms.purchaseDay) else { return nil }
        var amount = ExactAmount(terms.milliunits)
        amount.multiply(by: rate)
        amount.multiply(by: terms.part.numerator, over: terms.part.denominator)
        amount.multiply(by: months.denominator, over: months.numerator)
        return amount.rounded
    }

    private func proceeds(_ amount: ExactAmount, _ terms: Terms) -> ExactAmount {
        var amount = amount
        if let tax = terms.storefront.flatMap({ rules.tax[$0] }) { amount.multiply(by: tax.divisor, over: tax.divisor + tax.digits) }
        let commission = commission(terms)
        amount.multiply(by: commission.divisor - commission.digits, over: commission.divisor)
        return amount
    }

    /// Of that day, or the latest before it.
    private func rate(_ currency: String, _ day: Int) -> ExactDecimal? {
        if currency == self.currency { return .one }
        guard let rates = rates[currency] else { return nil }
        let later = rates.partitioningIndex { $0.day > day }
        return later == 0 ? nil : rates[later - 1].rate
    }

    /// Of entries that name the storefront before those for all; of these the latest that had begun.
    private func commission(_ terms: Terms) -> ExactDecimal {
        let begun = rules.commission.filter { $0.fromDay <= terms.purchaseDay }
        let named = begun.filter { rule in terms.storefront.map { rule.storefronts.contains($0) } ?? false }
        let rule = (named.isEmpty ? begun.filter(\.storefronts.isEmpty) : named).max { $0.fromDay < $1.fromDay }
        guard let rule else { return terms.isAfterYear ? Self.afterYear : Self.usual }
        return terms.isAfterYear ? rule.afterYear ?? rule.usual : rule.usual
    }
}

extension Pricing.Terms {
    private static let yearMs: Int64 = 365 * Retention.dayMs

    package init(_ charge: Charge) {
        self.init(
            kind: charge.kind, currency: charge.currency, milliunits: charge.milliunits, part: charge.part,
            upgradeCredit: charge.upgradeCredit, storefront: charge.storefront,
            purchaseDay: Int(ReportZone.utc.day(ofMs: charge.purchasedAtMs)),
            isAfterYear: Self.isAfterYear(paidBeforeMs: charge.paidBeforeMs, periodEndsAtMs: charge.periodEndsAtMs))
    }

    /// The first renewal of a subscription of one year has exactly a year behind it, and is after it.
    /// - Parameter periodEndsAtMs: nil for what has no period, and so no year.
    package static func isAfterYear(paidBeforeMs: Int64, periodEndsAtMs: Int64?) -> Bool { periodEndsAtMs != nil && paidBeforeMs >= yearMs }
}

extension Array {
    /// The first place from which on the elements are like that, in a list whose other elements come before.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
