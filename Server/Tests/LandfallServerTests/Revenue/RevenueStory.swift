// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallWire

@testable import LandfallRules
@testable import LandfallServer

/// Who paid what in September 2026. The tests have counted it by hand.
enum RevenueStory {
    static let (maya, omar, noor, ada) = (RevenueStore.phone(1), RevenueStore.phone(2), RevenueStore.phone(3), RevenueStore.phone(4))
    /// Of the paywall that sold Omar's year.
    static let exposure = "0199b0a1-0000-7000-8000-000000000005"

    static let rules = rules()

    static func rules(euro: String = "1.10", pound: String? = nil) -> MoneyRules {
        func day(_ day: Int64) -> Int { Int(RevenueStore.august + day) }
        func decimal(_ text: String) -> ExactDecimal { ExactDecimal(text)! }
        var rules = MoneyRules()
        rules.currency = "USD"
        var rates = ["EUR": decimal(euro), "JPY": decimal("0.0066")]
        rates["GBP"] = pound.map(decimal)
        rules.rates = [RateDay(day: day(1), rates: rates), RateDay(day: day(11), rates: ["EUR": decimal("1.20")])]
        rules.tax = ["DEU": decimal("0.19")]
        rules.commission = [
            CommissionRule(fromDay: day(-200), usual: decimal("0.30"), afterYear: decimal("0.15")),
            CommissionRule(fromDay: day(11), storefronts: ["DEU"], usual: decimal("0.26"), afterYear: decimal("0.15")),
        ]
        return rules
    }

    static func written(isEmbedded: Bool = TestEngine.isEmbedded) async throws -> RevenueStore {
        let store = try await RevenueStore(isEmbedded: isEmbedded)
        try await installs(store)
        // Apple Ads brought Maya: a free week, two weeks of which one came back, and twelve times coins.
        try await store.chain("1", by: maya) { $0.soldBy = SoldBy(placement: "onboarding", paywall: "special", variation: "B") }
        try await store.charge("10", of: "1", .trial, on: 2, 0, "")
        try await store.charge("11", of: "1", on: 9, 9_990, followsTrial: true)
        try await store.charge("12", of: "1", on: 16, 9_990)
        try await store.charge("12", of: "1", .refund, on: 16, booked: 20, 9_990)
        for number in 20..<32 {
            try await store.chain("\(number)", by: maya)
            try await store.charge("\(number)", of: "\(number)", on: 9, 1_990, "USD", "coins")
        }
        // A price in pounds, for which there is no rate, and half of it back.
        try await store.chain("32", by: maya)
        try await store.charge("32", of: "32", on: 8, 5_000, "GBP", storefront: "GBR")
        try await store.charge("32", of: "32", .refund, on: 8, booked: 18, 5_000, "GBP", storefront: "GBR", part: (1, 2))
        // A link brought Omar. The exposure that sold his year has not come yet.
        try await store.chain("5", by: omar) { $0.exposure = exposure }
        try await store.charge("50", of: "5", on: 10, 49_990, "EUR", "year", storefront: "DEU")
        try await store.chain("6", by: omar)
        try await store.charge("60", of: "6", on: 12, 9_990, "EUR", storefront: "DEU")
        try await store.charge("60", of: "6", .refund, on: 12, booked: 22, 9_990, "EUR", storefront: "DEU", part: (33_333, 100_000))
        // Noor came by herself. She went from a month to a year, ten days of thirty before its end.
        try await store.chain("7", by: noor)
        try await store.charge("70", of: "7", on: 13, 1_200_000, "JPY", storefront: "JPN")
        try await store.chain("8", by: noor)
        try await store.charge("80", of: "8", on: 14, 9_990, credit: (10, 30))
        try await store.charge("81", of: "8", on: 20, 59_990, "USD", "year")
        // Ada has subscribed since before her first open, for more than a year.
        try await store.chain("9", by: ada, began: -30)
        try await store.charge("90", of: "9", on: 5, 4_990, paidBeforeDays: 400)
        // Nobody has brought this one, and of that one the install is deleted.
        try await store.chain("100")
        try await store.charge("100", of: "100", on: 6, 2_990)
        try await store.chain("110") {
            var fact = AttributionFact(id: "f", source: "tenjin", status: .nonOrganic, saidAtMs: 0, recordedAtMs: 0)
            fact.campaign = "spring"
            $0.origin = ChainOrigin(fact, firstOpenedAtMs: RevenueStore.ms(1))
        }
        try await store.charge("110", of: "110", on: 7, 7_990)
        // Not the App Store's production.
        for environment in [AppStoreEnvironment.sandbox, .xcode, .localTesting] {
            try await store.chain("1", by: maya, in: environment)
            try await store.charge("11", of: "1", on: 9, 99_990, in: environment)
        }
        try await store.erased(2, from: "tenjin", on: 9, 1_990, "coins")
        try await store.erased(1, .trial, from: "tenjin", on: 3, 0, "week")
        return store
    }

    private static func installs(_ store: RevenueStore) async throws {
        for (day, phone) in [maya, omar, noor, ada].enumerated() {
            try await store.store.open(phone, nowMs: RevenueStore.ms(Int64(day) + 2))
        }
        var answer = AppleAdsAnswer(attribution: true)
        (answer.campaignId, answer.adGroupId, answer.keywordId) = (542_370_539, 7, 8)
        try await store.fact(maya, AttributionSource.appleAds.rawValue, appleAds: answer, on: 2)
        try await store.fact(omar, AttributionSource.link.rawValue, campaign: "summer", link: "go.example/beach", on: 3)
        try await store.fact(noor, "tenjin", "organic", on: 4)
        try await store.fact(ada, "tenjin", campaign: "autumn", on: 5)
    }
}
