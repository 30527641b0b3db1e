// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The price lines of one product, in the paywall's words.
struct PaywallPrices {
    let product: StoreProduct
    let words: PaywallWords

    var hasTrial: Bool { product.offer?.payment == .freeTrial }

    /// `$59.99 per year`; only the price for what is bought once.
    var price: String { product.period.flatMap { price(product.displayPrice, each: $0) } ?? product.displayPrice }

    /// `$5.00 per month`, for a period of more than a month. Rounded up, so that nobody pays more than it says. nil for a free product.
    var monthlyPrice: String? {
        guard product.price > 0, let months = product.period?.months, months > 1 else { return nil }
        let style = Decimal.FormatStyle.Currency(code: product.currencyCode, locale: product.priceLocale ?? Locale(identifier: words.locale))
        return price((product.price / Decimal(months)).formatted(style.rounded(rule: .up)), each: .init(1, .month))
    }

    /// `1 week free, then $59.99 per year`. nil if this person gets no offer, or one that this version cannot say.
    var offer: String? {
        guard let offer = product.offer, let word = PaywallWord.offer(offer.payment), let time = time(offer.wholePeriod) else { return nil }
        let first = offer.payment == .payAsYouGo ? price(offer.displayPrice, each: offer.period) : offer.displayPrice
        guard let first else { return nil }
        return words[word, values: ["period": time, "offer": first, "price": price]]
    }

    private func price(_ amount: String, each period: StoreProduct.Period) -> String? {
        PaywallWord.price(each: period).map { words[$0, count: period.count, values: ["price": amount]] }
    }

    private func time(_ period: StoreProduct.Period) -> String? {
        PaywallWord.time(period).map { words[$0, count: period.count] }
    }
}

extension StoreProduct.Period {
    /// nil for days and weeks, of which a month has no whole number.
    fileprivate var months: Int? {
        switch unit {
        case .month: count
        case .year: count.multipliedReportingOverflow(by: 12).overflow ? nil : count * 12
        default: nil
        }
    }
}

extension StoreProduct.Offer {
    /// All its periods together.
    fileprivate var wholePeriod: StoreProduct.Period {
        let (count, isTooMuch) = period.count.multipliedReportingOverflow(by: periodCount)
        return isTooMuch ? period : .init(count, period.unit)
    }
}
