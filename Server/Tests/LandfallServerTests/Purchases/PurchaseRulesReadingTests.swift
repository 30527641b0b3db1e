// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("The sections of the file about purchases", .timeLimit(.minutes(1)))
struct PurchaseRulesReadingTests {
    private static let levels = "accessLevels: [premium, teams]\n"
    private static let yearly = "products: { yearly: { access: [premium, teams] } }\n"
    private static let dayMs: Int64 = 86_400_000

    private static func rules(_ addition: String) throws -> PurchaseRules {
        try Configuration(yaml: Sample.base + addition, environment: { _ in nil }).purchases
    }

    @Test("say which levels a product opens, and how long a purchase without an end lasts")
    func products() throws {
        let rules = try Self.rules(
            Self.levels + "products: { yearly: { access: [teams, premium] }, season: { access: [premium], duration: 90d }, 'sim.*': { access: [] } }\n")

        #expect(rules.accessLevels.map(\.rawValue) == ["premium", "teams"])
        #expect(rules.rule(of: "yearly")?.access.map(\.rawValue) == ["teams", "premium"])
        #expect(rules.rule(of: "season")?.durationMs == 90 * Self.dayMs)
        #expect(rules.rule(of: "sim.trial=7d&fail=1")?.name == .prefix("sim."))
        #expect(rules.rule(of: "weekly") == nil)
    }

    @Test("are optional, and then grant sandbox purchases and transfer to a second profile")
    func absent() throws {
        let rules = try Self.rules("purchases: {}\n")

        #expect(rules == PurchaseRules())
        #expect(rules.sandbox == .grant && rules.owner == .transfer && rules.graceDays == 3)
        #expect(rules.money.currency == nil)
    }

    @Test("read numbers digit by digit, quoted or not, and days in their order")
    func money() throws {
        let rules = try Self.rules(
            """
            purchases:
              sandbox: testers
              owner: keep
              graceDays: 16
              currency: USD
              rates: { 2026-11-02: { EUR: 1.10 }, 2026-11-01: { EUR: "1.085000001", JPY: "0.0066" } }
              tax: { DEU: "0.19" }
              commission: [{ from: 2026-01-01, usual: "0.30", afterYear: "0.15" }, { from: 2026-10-01, storefronts: [DEU, FRA], usual: 0.26 }]

            """)

        let first = 20_758  // 2026-11-01
        #expect(rules.sandbox == .testers && rules.owner == .keep && rules.graceDays == 16)
        #expect(rules.money.rates.map(\.day) == [first, first + 1])
        #expect(rules.money.rates[0].rates["EUR"].map { [$0.digits, $0.divisor] } == [1_085_000_001, 1_000_000_000])
        #expect(rules.money.rates[1].rates["EUR"]?.description == "1.1")
        #expect(rules.money.tax["DEU"] == ExactDecimal("0.19"))
        #expect(rules.money.commission.map(\.fromDay) == [20_454, 20_727])
        #expect(rules.money.commission.map(\.storefronts) == [[], ["DEU", "FRA"]])
        #expect(rules.money.commission.map { $0.afterYear?.description } == ["0.15", nil])
    }

    private static let mistaken: [(String, String)] = [
        ("accessLevels: [premium, premium]\n", "'premium' is here a second time. Keep one of them."),
        (levels + "products: { yearly: { access: [premum] } }\n", "There is no access level 'premum'. Did you mean 'premium'?"),
        ("products: { yearly: { access: [premium] } }\n", "List the levels under 'accessLevels'."),
        ("products: { yearly: { acess: [] } }\n", "has no 'acess'. Did you mean 'access'?"),
        ("products: { 'year*': }\n", "only 'sim.*' may end with '*'."),
        ("products: { 'year=1': }\n", "Write its product id of the App Store"),
        ("products: { season: { duration: 0d } }\n", "Write a length of time, such as 30d or 52w."),
        ("purchases: { sandbox: grants }\n", "Did you mean 'grant'?"), ("purchases: { owner: take }\n", "'owner' cannot be 'take'."),
        ("purchases: { graceDays: 61 }\n", "Write a whole number from 1 to 60."),
        ("purchases: { rates: { 2026-11-01: { EUR: '1' } } }\n", "'rates' needs 'currency'"),
        ("purchases: { currency: USD, rates: { 2026-02-30: { EUR: '1' } } }\n", "Write a day, such as 2026-11-01."),
        ("purchases: { currency: USD, rates: { 2026-11-01: { EUR: '1,08' } } }\n", "A rate cannot be '1,08'. Write a number above 0"),
        ("purchases: { currency: USD, rates: { 2026-11-01: { EUR: '0.0' } } }\n", "Write a number above 0"),
        ("purchases: { currency: USD, rates: { 2026-11-01: { EUR: 1e1 } } }\n", "A rate cannot be '1e1'."),
        ("purchases: { tax: { DEU: '1.19' } }\n", "Write a number below 1, such as 0.19 for 19 %"),
        ("purchases: { tax: { DE: '0.19' } }\n", "Write three capitals"),
        ("purchases: { commission: [{ from: 2026-01-01 }] }\n", "needs 'usual'. Add it."),
        ("purchases: { commission: [{ from: 2026-01-01, storefronts: [], usual: '0.3' }] }\n", "List some, or remove it to mean all."),
        ("purchases: { notify: 'http://example.com' }\n", "Write the https address of your receiver."),
        ("purchases: { notify: 'http://10.0.0.7/hook' }\n", "Write the https address of your receiver."),
        ("purchases: { notify: 'https://user:word@example.com' }\n", "Write the https address of your receiver."),
        ("purchases: { notify: { url: 'https://example.com', address: relay } }\n", "in digits, such as 10.0.0.7."),
        ("purchases: { notify: { address: 10.0.0.7 } }\n", "needs 'url'. Add it."),
    ]

    @Test("name a mistake with its remedy", arguments: mistaken)
    func mistakes(addition: String, sentence: String) {
        let problems = Sample.problems(Sample.base + addition)

        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.contains(sentence) }, "\(problems)")
    }

    private static let doubtful: [(String, String?)] = [
        (levels + yearly, nil),
        (levels + "products: { yearly: { access: [premium] } }\n", "No product opens the access level 'teams'."),
        (levels + "products: { yearly: { access: [premium, teams] }, coins: }\n", "The product 'coins' opens no access level."),
        (levels + "products: { yearly: { access: [premium, teams] }, coins: { access: [] } }\n", nil),
        (levels + "products: { 'sim.*': { access: [premium, teams] } }\n", "--app-store-root"),
    ]

    @Test("warn of what is allowed but probably not meant", arguments: doubtful)
    func warnings(addition: String, part: String?) {
        let warnings = Sample.warnings(adding: addition).map(\.description)

        #expect(warnings.count == (part == nil ? 0 : 1))
        #expect(warnings.allSatisfy { $0.contains(part ?? "") }, "\(warnings)")
    }

    @Test("warn of rates from the 41st day after the newest one, where they stand", arguments: [(40, 0), (41, 1)])
    func age(days: Int64, count: Int) throws {
        let yaml = Sample.base + "purchases: { currency: USD, rates: { 2026-11-01: { EUR: '1' }, 2026-10-01: { EUR: '1' } } }\n"

        let check = ConfigurationCheck(yaml: yaml, file: "landfall.yaml", nowMs: (20_758 + days) * Self.dayMs)

        #expect(check.problems.isEmpty && check.warnings.count == count)
        #expect(check.warnings.allSatisfy { $0.path == "purchases.rates" && $0.message.contains("\(days) days old") })
    }

    @Test("differ in sentences")
    func sentences() throws {
        let before = ReadConfiguration(yaml: Sample.base + Self.levels + Self.yearly + "purchases: { owner: keep }\n")
        let after = ReadConfiguration(
            yaml: Sample.base + "accessLevels: [premium]\nproducts: { yearly: { access: [premium] } }\npurchases: { owner: share }\n")

        let sentences = ConfigurationChanges(from: before.root, to: after.root).listed.map(\.sentence)

        #expect(sentences.count == 3, "\(sentences)")
        #expect(sentences.contains { $0.contains("product yearly") && $0.contains("teams is removed") }, "\(sentences)")
    }
}
