// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases
@testable import struct LandfallSimulator.SeededNumbers

@Suite("The price of a charge", .timeLimit(.minutes(1)))
struct PricingTests {
    private static func money(_ change: (inout MoneyRules) -> Void = { _ in }) -> MoneyRules {
        var rules = MoneyRules()
        rules.currency = "EUR"
        change(&rules)
        return rules
    }

    private static func terms(
        _ milliunits: Int64, _ currency: String = "EUR", _ kind: Charge.Kind = .purchase, part: (Int64, Int64) = (1, 1),
        credit: (Int64, Int64)? = nil, in storefront: String? = nil, day: Int = 100, isAfterYear: Bool = false
    ) -> Pricing.Terms {
        Pricing.Terms(
            kind: kind, currency: currency, milliunits: milliunits, part: Charge.Fraction(numerator: part.0, denominator: part.1),
            upgradeCredit: credit.map { Charge.Fraction(numerator: $0.0, denominator: $0.1) }, storefront: storefront, purchaseDay: day,
            isAfterYear: isAfterYear)
    }

    private static func decimal(_ text: String) -> ExactDecimal { ExactDecimal(text)! }

    // MARK: - Rates

    private static let rated = money {
        $0.rates = [
            RateDay(day: 10, rates: ["USD": decimal("0.9")]), RateDay(day: 12, rates: ["GBP": decimal("1.2")]),
            RateDay(day: 20, rates: ["USD": decimal("0.8")]),
        ]
    }

    @Test(
        "has the rate of its day or the latest before, and none without one",
        arguments: [
            ("USD", 9, nil), ("USD", 10, 9_000), ("USD", 11, 9_000), ("USD", 19, 9_000), ("USD", 20, 8_000), ("USD", 40_000, 8_000),
            ("GBP", 11, nil), ("GBP", 12, 12_000), ("GBP", 20, 12_000), ("JPY", 20, nil), ("EUR", 0, 10_000), ("", 20, nil),
        ] as [(String, Int, Int64?)])
    func rates(_ currency: String, _ day: Int, _ gross: Int64?) {
        let price = Pricing(Self.rated).price(Self.terms(10_000, currency, day: day))

        #expect(price?.gross == gross)
    }

    @Test("needs a currency of figures: the configured one, or else the one that the reader names")
    func currency() {
        let terms = [Self.terms(10_000, "EUR"), Self.terms(10_000, "USD")]

        #expect(terms.map { Pricing(MoneyRules()).price($0)?.gross } == [nil, nil])
        #expect(terms.map { Pricing(MoneyRules(), currency: "USD").price($0)?.gross } == [nil, 10_000])
        #expect(terms.map { Pricing(Self.money(), currency: "USD").price($0)?.gross } == [10_000, nil])
    }

    // MARK: - Proceeds

    @Test(
        "leaves proceeds after the storefront's tax and the usual commission of 30 %, 15 % after a year",
        arguments: [
            ("DEU", false, 7_000), ("DEU", true, 8_500), ("FRA", false, 8_330), ("FRA", true, 10_115), (nil, false, 8_330),
        ] as [(String?, Bool, Int64)])
    func proceeds(_ storefront: String?, _ isAfterYear: Bool, _ expected: Int64) {
        let pricing = Pricing(Self.money { $0.tax = ["DEU": Self.decimal("0.19")] })

        let price = pricing.price(Self.terms(11_900, in: storefront, isAfterYear: isAfterYear))

        #expect(price == Pricing.Price(gross: 11_900, proceeds: expected))
    }

    private static let dated = money {
        $0.commission = [
            // Not in the order of time.
            CommissionRule(fromDay: 300, usual: decimal("0.15")),
            CommissionRule(fromDay: 200, storefronts: ["DEU", "FRA"], usual: decimal("0.26")),
            CommissionRule(fromDay: 400, storefronts: ["FRA"], usual: decimal("0.20"), afterYear: decimal("0.10")),
            CommissionRule(fromDay: 100, usual: decimal("0.32"), afterYear: decimal("0.12")),
        ]
    }

    @Test(
        "has the commission that had begun on its day: the storefront's own before the one of all, and of these the latest",
        arguments: [
            ("DEU", 99, false, 7_000), ("DEU", 99, true, 8_500),
            ("DEU", 100, false, 6_800), ("DEU", 199, true, 8_800),
            ("DEU", 200, false, 7_400), ("DEU", 200, true, 7_400),
            ("DEU", 300, false, 7_400), ("USA", 200, false, 6_800), ("USA", 299, true, 8_800),
            ("USA", 300, false, 8_500), ("USA", 300, true, 8_500), (nil, 299, false, 6_800), (nil, 300, false, 8_500),
            ("FRA", 399, false, 7_400), ("FRA", 400, false, 8_000), ("FRA", 400, true, 9_000),
        ] as [(String?, Int, Bool, Int64)])
    func commission(_ storefront: String?, _ day: Int, _ isAfterYear: Bool, _ expected: Int64) {
        let price = Pricing(Self.dated).price(Self.terms(10_000, in: storefront, day: day, isAfterYear: isAfterYear))

        #expect(price?.proceeds == expected)
    }

    @Test("is rounded once: not after the rate, nor after the tax")
    func rounding() {
        let pricing = Pricing(
            Self.money {
                $0.rates = [RateDay(day: 0, rates: ["USD": Self.decimal("0.5")])]
                $0.tax = ["DEU": Self.decimal("0.19")]
            })

        // 9990 ÷ 1.19 = 8394.96, of which 70 % are 5876.47; of 8395 they would be 5876.5, and so 5877.
        #expect(pricing.price(Self.terms(9_990, in: "DEU")) == Pricing.Price(gross: 9_990, proceeds: 5_876))
        // 2.5 goes away from zero, and 70 % of it are 1.75.
        #expect(pricing.price(Self.terms(5, "USD")) == Pricing.Price(gross: 3, proceeds: 2))
        // 0.5 is 1, but 70 % of it are 0.35: of 1 they would be 1.
        #expect(pricing.price(Self.terms(1, "USD")) == Pricing.Price(gross: 1, proceeds: 0))
    }

    // MARK: - Refunds, credits and trials

    @Test(
        "of a refund is what came back, and what the proceeds lose",
        arguments: [
            (.refund, (1, 1), 9_990, -6_993),
            // 9990 × 0.67932 = 6786.41, of which 70 % are 4750.48.
            (.refund, (67_932, 100_000), 6_786, -4_750),
            // 4995 and 3496.5: half a milliunit goes away from zero.
            (.refund, (1, 2), 4_995, -3_497),
            (.seatRefund, (1, 1), 9_990, -6_993),
        ] as [(Charge.Kind, (Int64, Int64), Int64, Int64)])
    func refund(_ kind: Charge.Kind, _ part: (Int64, Int64), _ refunds: Int64, _ proceeds: Int64) {
        let price = Pricing(Self.money()).price(Self.terms(9_990, "EUR", kind, part: part))

        #expect(price == Pricing.Price(refunds: refunds, proceeds: proceeds))
    }

    @Test("estimates what an upgrade pays back, without taking it away from anything")
    func credit() {
        let price = Pricing(Self.money()).price(Self.terms(9_990, credit: (270, 360)))

        // 7492.5
        #expect(price == Pricing.Price(gross: 9_990, proceeds: 6_993, upgradeCredit: 7_493))
    }

    @Test("of a trial is nothing, in whatever currency")
    func trial() {
        for currency in ["", "EUR", "JPY"] {
            #expect(Pricing(Self.money()).price(Self.terms(0, currency, .trial)) == Pricing.Price())
        }
        #expect(Pricing(MoneyRules()).price(Self.terms(0, "", .trial)) == Pricing.Price())
    }

    @Test("that is too large is none, and nothing traps")
    func tooLarge() {
        let pricing = Pricing(Self.money { $0.rates = [RateDay(day: 0, rates: ["KWD": Self.decimal("999999999.999999999")])] })

        #expect(pricing.price(Self.terms(.max))?.gross == .max)
        #expect(pricing.price(Self.terms(.max, "KWD")) == nil)
        #expect(pricing.price(Self.terms(.max, "KWD", .refund, part: (99_999, 100_000))) == nil)
        #expect(pricing.price(Self.terms(9_990, credit: (1, 0))) == nil)
    }

    // MARK: - Equal charges

    @Test("is the same for charges that differ in nothing that prices them: counting them is adding them up")
    func equal() throws {
        let charges = (0..<40).flatMap { number in
            state(
                .transaction("\(number)", from: noon + Int64(number) * 1_000, to: noon + 40 * day + Int64(number)) {
                    $0.storefront = "DEU"
                    $0.offerID = "offer \(number)"
                }
            ).charges
        }
        let pricing = Pricing(Self.money { $0.tax = ["DEU": Self.decimal("0.19")] })

        let terms = Set(charges.map(Pricing.Terms.init))
        let price = try #require(terms.first.flatMap(pricing.price))
        let sum = charges.compactMap { pricing.price(Pricing.Terms($0)) }.map(\.proceeds).reduce(0, +)

        #expect(charges.count == 40 && terms.count == 1)
        #expect(price.proceeds == 5_876)
        #expect(sum == 40 * 5_876)
    }

    @Test("is nothing together with its refund in full, whatever it was", arguments: 0..<10 as Range<UInt64>)
    func refunded(_ seed: UInt64) throws {
        var draw = SeededNumbers(seed), moved: Int64 = 0
        for _ in 0..<200 {
            let pricing = Pricing(
                Self.money { rules in
                    rules.rates = (0..<5).map { day in
                        RateDay(day: day * 50, rates: ["USD": Self.decimal("\(Int.random(in: 1...99, using: &draw)).\(Int.random(in: 1...999_999_999, using: &draw))")])
                    }
                    rules.tax = ["DEU": Self.decimal("0.\(Int.random(in: 1...999, using: &draw))")]
                    rules.commission = [CommissionRule(fromDay: 100, usual: Self.decimal("0.\(Int.random(in: 1...999, using: &draw))"))]
                })
            let bought = Self.terms(
                Int64.random(in: 1...10_000_000, using: &draw), ["EUR", "USD"].randomElement(using: &draw)!,
                in: ["DEU", "USA", nil].randomElement(using: &draw)!, day: Int.random(in: 0...300, using: &draw),
                isAfterYear: Bool.random(using: &draw))
            var back = bought
            back.kind = .refund

            let purchase = try #require(pricing.price(bought)), refund = try #require(pricing.price(back))

            #expect(purchase.gross - refund.refunds == 0, "\(bought)")
            #expect(purchase.proceeds + refund.proceeds == 0, "\(bought)")
            moved += purchase.proceeds
        }
        #expect(moved > 0)
    }

    // MARK: - Terms

    @Test("counts a year of paid service from its last day on, and for subscriptions only")
    func year() {
        func years(_ lengths: [Int64]) -> [Bool] {
            var start = noon, facts: [PurchaseFact] = []
            for (number, days) in lengths.enumerated() {
                facts.append(.transaction("\(number)", "year", from: start, to: start + days * day))
                start += days * day
            }
            return ChainState.fold(facts, of: production, rules: rules).charges.map { Pricing.Terms($0).isAfterYear }
        }

        #expect(years([365, 365]) == [false, true])
        #expect(years([364, 365]) == [false, false])
        #expect(years([182, 182, 30, 30]) == [false, false, false, true])
        #expect(!Pricing.Terms.isAfterYear(paidBeforeMs: 1_000 * day, periodEndsAtMs: nil))
    }

    @Test("belongs to the day of the purchase in UTC, also that of a refund")
    func utc() {
        // 1 November 2026.
        let today = Int(noon / day)
        func days(_ purchasedAtMs: Int64) -> [Int] {
            state(.transaction("1", from: purchasedAtMs) { $0.revocationDateMs = purchasedAtMs + 3 * day }).charges
                .map { Pricing.Terms($0).purchaseDay }
        }

        #expect(days(noon) == [today, today])
        #expect(days(Int64(today + 1) * day - 1) == [today, today])
        #expect(days(Int64(today + 1) * day) == [today + 1, today + 1])
        #expect([-1, 0].map(ReportZone.utc.day(ofMs:)) == [-1, 0])
        #expect(ReportZone.utc.day(ofMs: -day) == -1 && ReportZone.utc.day(ofMs: -day - 1) == -2)
    }
}
