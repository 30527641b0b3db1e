// SPDX-License-Identifier: Apache-2.0

/// How prices become proceeds. They apply when a figure is read: stored charges know nothing of them.
package struct MoneyRules: Hashable, Sendable {
    /// The currency of figures, in three capitals. Nil: each currency by itself.
    package var currency: String?
    /// Ascending by day.
    package var rates: [RateDay] = []
    /// The tax on top of a storefront's price without tax, by ISO 3166 code of three capitals: `DEU: 0.19`. A storefront that is
    /// missing has none.
    package var tax: [String: ExactDecimal] = [:]
    /// In the order of the file.
    package var commission: [CommissionRule] = []

    package init() {}
}

/// What a unit of each currency was worth from this day until the next one that names it.
package struct RateDay: Hashable, Sendable {
    /// Since 1970, UTC.
    package let day: Int
    /// Units of the figures' currency for one of that currency.
    package let rates: [String: ExactDecimal]

    package init(day: Int, rates: [String: ExactDecimal]) {
        self.day = day
        self.rates = rates
    }
}

/// The store's part of a price without tax.
package struct CommissionRule: Hashable, Sendable {
    /// Since 1970, UTC.
    package let fromDay: Int
    /// Codes of three capitals; empty: all of them.
    package let storefronts: [String]
    package let usual: ExactDecimal
    /// For a subscription after a year of paid service; nil: as usual.
    package let afterYear: ExactDecimal?

    package init(fromDay: Int, storefronts: [String] = [], usual: ExactDecimal, afterYear: ExactDecimal? = nil) {
        self.fromDay = fromDay
        self.storefronts = storefronts
        self.usual = usual
        self.afterYear = afterYear
    }
}
