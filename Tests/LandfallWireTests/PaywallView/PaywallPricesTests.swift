// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallWire

@Suite("Price lines of the ready paywall", .timeLimit(.minutes(1)))
struct PaywallPricesTests {
    typealias Period = StoreProduct.Period
    typealias Offer = StoreProduct.Offer

    private func prices(_ product: StoreProduct, _ locale: String = "en", _ config: JSONValue? = nil) -> PaywallPrices {
        PaywallPrices(product: product, words: PaywallContent.read(config, locale: locale).words)
    }

    @Test(
        "The price is the store's, with the time that it pays",
        arguments: [
            (Period(1, .day), "$60.00 per day"), (Period(3, .day), "$60.00 every 3 days"), (Period(1, .week), "$60.00 per week"),
            (Period(2, .week), "$60.00 every 2 weeks"), (Period(1, .month), "$60.00 per month"), (Period(6, .month), "$60.00 every 6 months"),
            (Period(1, .year), "$60.00 per year"), (Period(2, .year), "$60.00 every 2 years"), (nil, "$60.00"),
            (Period(1, .init(rawValue: "quarter")), "$60.00"),
        ])
    func price(period: Period?, line: String) {
        #expect(prices(.yearly(period: period)).price == line)
    }

    @Test(
        "A price for more than a month is also said for one month, rounded up",
        arguments: [
            (60, Period(1, .year), "$5.00 per month"), (Decimal(string: "59.99")!, Period(1, .year), "$5.00 per month"),
            (Decimal(string: "49.99")!, Period(1, .year), "$4.17 per month"), (Decimal(string: "0.01")!, Period(1, .year), "$0.01 per month"),
            (30, Period(6, .month), "$5.00 per month"), (20, Period(2, .month), "$10.00 per month"), (240, Period(2, .year), "$10.00 per month"),
        ] as [(Decimal, Period, String)])
    func monthly(price: Decimal, period: Period, line: String) {
        #expect(prices(.yearly(price: price, period: period)).monthlyPrice == line)
    }

    @Test("A price for a month or less, for ever, for an unknown time or of nothing has none for a month")
    func noMonthly() {
        let without = [
            StoreProduct.monthly, .yearly(period: nil), .yearly(period: .init(52, .week)), .yearly(period: .init(365, .day)), .yearly(price: 0),
            .yearly(period: .init(.max, .year)), .yearly(period: .init(0, .year)), .yearly(period: .init(4, .init(rawValue: "quarter"))),
        ]

        #expect(without.map { prices($0).monthlyPrice } == without.map { _ in nil })
    }

    @Test("A price for a month is written as the store writes prices, else as the paywall's language does")
    func currencies() {
        func line(_ code: String, _ store: String?, _ locale: String) -> String? {
            let product = StoreProduct(
                id: "yearly", displayName: "", price: 60, currencyCode: code, displayPrice: "", period: .init(1, .year),
                priceLocale: store.map(Locale.init(identifier:)))
            return prices(product, locale).monthlyPrice?.replacing("\u{A0}", with: " ")
        }

        #expect(line("EUR", "de_DE", "en") == "5,00 € per month")
        #expect(line("EUR", nil, "en") == "€5.00 per month")
        #expect(line("JPY", "ja_JP", "ja") == "¥5/月")
    }

    @Test(
        "An introductory offer says what it costs, for how long, and what follows",
        arguments: [
            (Offer.freeWeek, "1 week free, then $60.00 per year"),
            (Offer(.freeTrial, price: 0, displayPrice: "", period: .init(3, .day)), "3 days free, then $60.00 per year"),
            (Offer(.payUpFront, price: 19.99, displayPrice: "$19.99", period: .init(6, .month)), "$19.99 for 6 months, then $60.00 per year"),
            (
                Offer(.payAsYouGo, price: 0.99, displayPrice: "$0.99", period: .init(1, .month), periodCount: 3),
                "$0.99 per month for 3 months, then $60.00 per year"
            ),
            (
                Offer(.payAsYouGo, price: 0.99, displayPrice: "$0.99", period: .init(2, .week)),
                "$0.99 every 2 weeks for 2 weeks, then $60.00 per year"
            ),
        ])
    func offer(offer: Offer, line: String) {
        #expect(prices(.yearly(offer: offer)).offer == line)
        #expect(prices(.yearly(offer: offer)).hasTrial == (offer.payment == .freeTrial))
    }

    @Test("An offer that this person does not get is not said, nor one of a kind that comes later")
    func notSaid() {
        let (later, quarter) = (Offer.Payment(rawValue: "later"), Period(1, .init(rawValue: "quarter")))

        #expect(prices(.yearly(offer: .freeWeek, isEligible: false)).offer == nil)
        #expect(!prices(.yearly(offer: .freeWeek, isEligible: false)).hasTrial)
        #expect(prices(.yearly(offer: Offer(later, price: 1, displayPrice: "$1", period: .init(1, .week)))).offer == nil)
        #expect(prices(.yearly(offer: Offer(.payUpFront, price: 1, displayPrice: "$1", period: quarter))).offer == nil)
    }

    @Test(
        "The words are those of the paywall's language",
        arguments: [
            ("ja", "1週間無料、その後$60.00/年"), ("zh-Hans", "免费 1 周，之后每年 $60.00"), ("zh-CN", "免费 1 周，之后每年 $60.00"), ("ja-JP", "1週間無料、その後$60.00/年"),
            ("en-AU", "1 week free, then $60.00 per year"), ("de", "1 week free, then $60.00 per year"), ("zh-TW", "1 week free, then $60.00 per year"),
        ])
    func languages(locale: String, line: String) {
        #expect(prices(.yearly(offer: .freeWeek), locale).offer == line)
    }

    @Test("A language without built-in words says so, until remote config has all of them")
    func otherLanguage() {
        var own: [String: [String: JSONValue]] = [:]
        for word in PaywallWord.allCases { own[word.group, default: [:]][word.rawValue] = .string(word.placeholders.map { "{\($0)}" }.joined() + "x") }
        let half = PaywallContent.read(["words": ["month": "1 Monat"]], locale: "de")
        let whole = PaywallContent.read(.object(own.mapValues { .object($0) }), locale: "de")

        #expect(half.paths == ["words"])
        #expect(half.problems.first?.description.contains("words.perMonth") == true && half.problems.first?.description.contains("words.month,") == false)
        #expect(whole.problems.isEmpty)
        #expect(PaywallContent.read(nil, locale: "de-AT").paths == ["words"] && PaywallContent.read(nil, locale: "ja").paths == [])
    }

    @Test("Remote config has other words, and for languages with several plurals one for a count")
    func ownWords() {
        let config: JSONValue = [
            "words": [
                "perMonth": "{price} im Monat", "months": ["2": "zwei Monate", "other": "{count} Monate"], "perMonths": "{price} alle {count} Monate",
            ]
        ]
        func price(_ count: Int) -> String { prices(.yearly(period: .init(count, .month)), "de", config).price }
        func trial(_ count: Int) -> String? {
            prices(.yearly(offer: Offer(.freeTrial, price: 0, displayPrice: "", period: .init(count, .month))), "de", config).offer
        }

        #expect(price(1) == "$60.00 im Monat" && price(3) == "$60.00 alle 3 Monate")
        #expect(trial(2)?.hasPrefix("zwei Monate free") == true && trial(3)?.hasPrefix("3 Monate free") == true)
    }

    @Test("Every built-in language has every word, with all its placeholders", arguments: PaywallWords.builtIn.keys)
    func complete(language: String) throws {
        let words = try #require(PaywallWords.builtIn[language])

        for word in PaywallWord.allCases {
            let text = try #require(words[word], "\(word)")
            #expect(!text.isEmpty && word.placeholders.allSatisfy { text.contains("{\($0)}") }, "\(word)")
        }
    }

    // MARK: Right to left

    @Test("A price in a text that is written from right to left keeps its own order")
    func isolated() {
        let config: JSONValue = ["words": ["perYear": "{price} לשנה", "week": "שבוע", "freeTrial": "{period} חינם, ואז {price}"]]

        #expect(prices(.yearly(), "he", config).price == "\u{2068}$60.00\u{2069} לשנה")
        #expect(prices(.yearly(offer: .freeWeek), "he", config).offer == "\u{2068}שבוע\u{2069} חינם, ואז \u{2068}\u{2068}$60.00\u{2069} לשנה\u{2069}")
    }

    @Test("A price with letters from right to left keeps its order in English too")
    func isolatedPrice() {
        let product = StoreProduct(
            id: "yearly", displayName: "", price: 60, currencyCode: "ILS", displayPrice: "60 ₪\u{200F}", period: .init(1, .year))

        #expect(prices(product).price == "\u{2068}60 ₪\u{200F}\u{2069} per year")
    }

    // MARK: Placeholders

    @Test(
        "Only known placeholders are filled; what is filled in is not read again",
        arguments: [
            ("{price}", "{name}"), ("a {name} b", "a {price} b"), ("{", "{"), ("{price", "{price"), ("{}", "{}"), ("{other} {price}", "{other} {name}"),
            ("{{price}}", "{{name}}"), ("", ""), ("price}", "price}"),
        ])
    func placeholders(text: String, filled: String) {
        #expect(PaywallWords.fill(text, with: ["price": "{name}", "name": "{price}"]) == filled)
    }

    @Test("A text of braces takes the time of its length")
    func linear() {
        let text = String(repeating: "{", count: 200_000)

        #expect(PaywallWords.fill(text, with: ["price": "x"]).utf8.count == 200_000)
    }
}
