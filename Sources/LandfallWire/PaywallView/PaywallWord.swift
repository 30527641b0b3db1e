// SPDX-License-Identifier: Apache-2.0

/// A text of the ready paywall that has a default. Its raw value is its key in remote config.
enum PaywallWord: String, CaseIterable, Sendable {
    // In `buttons`.
    case buy, trial, restore, close, retry, done
    // In `words`: links, states and what became of a purchase.
    case terms, privacy, loading, loadingFailed, noProducts, buying, restoring, pending, purchased, purchaseFailed, restored,
        nothingRestored, restoreFailed, renews
    // In `words`: times and prices.
    case day, week, month, year, days, weeks, months, years
    case perDay, perWeek, perMonth, perYear, perDays, perWeeks, perMonths, perYears
    case freeTrial, payUpFront, payAsYouGo

    /// The object of remote config that it stands in.
    var group: String {
        switch self {
        case .buy, .trial, .restore, .close, .retry, .done: "buttons"
        default: "words"
        }
    }

    /// What its text must contain, because it would hide a price or a time without it.
    var placeholders: [String] {
        switch self {
        case .days, .weeks, .months, .years: ["count"]
        case .perDay, .perWeek, .perMonth, .perYear: ["price"]
        case .perDays, .perWeeks, .perMonths, .perYears: ["price", "count"]
        case .freeTrial: ["period", "price"]
        case .payUpFront, .payAsYouGo: ["offer", "period", "price"]
        default: []
        }
    }

    /// May have a text of its own for some counts, for languages with more than one plural.
    var isCounted: Bool { placeholders.contains("count") }

    /// nil for a unit of time that this version does not know.
    static func time(_ period: StoreProduct.Period) -> PaywallWord? {
        switch period.unit {
        case .day: period.count == 1 ? .day : .days
        case .week: period.count == 1 ? .week : .weeks
        case .month: period.count == 1 ? .month : .months
        case .year: period.count == 1 ? .year : .years
        default: nil
        }
    }

    static func price(each period: StoreProduct.Period) -> PaywallWord? {
        switch period.unit {
        case .day: period.count == 1 ? .perDay : .perDays
        case .week: period.count == 1 ? .perWeek : .perWeeks
        case .month: period.count == 1 ? .perMonth : .perMonths
        case .year: period.count == 1 ? .perYear : .perYears
        default: nil
        }
    }

    static func offer(_ payment: StoreProduct.Offer.Payment) -> PaywallWord? {
        switch payment {
        case .freeTrial: .freeTrial
        case .payUpFront: .payUpFront
        case .payAsYouGo: .payAsYouGo
        default: nil
        }
    }
}
