// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("The differences of two versions of the configuration", .timeLimit(.minutes(1)))
struct ConfigurationChangesTests {
    static let base = """
        app: { id: sample, bundleId: com.example.sample }
        keys: [{ sdk: pk_one }]
        domains: { brand: [go.example.com] }
        attributes: { plan: string }
        paywalls:
          default:
            products: [yearly, monthly]
            defaultLocale: en
            remoteConfig: { en: { title: Unlock, days: 7 }, de: { title: Los } }
          special: { products: [weekly] }
        audiences:
          spring: { app.version: { ">=": "2.1" } }
          paid: { any: [{ country: { is: DE } }, { country: { is: AT } }] }
        placements:
          onboarding: [{ audience: spring, paywall: special }, { audience: paid, paywall: special }, { audience: everyone, paywall: default }]
        links: [{ url: https://go.example.com/a, to: https://example.com/a }]

        """

    static func changes(_ before: String?, _ after: String?) -> ConfigurationChanges {
        func root(_ text: String?) -> ConfigurationNode? {
            text.flatMap {
                var source = ConfigurationText()
                return source.parse($0)
            }
        }
        return ConfigurationChanges(from: root(before), to: root(after))
    }

    /// The old text, the new text, and the sentences about the change.
    static let cases: [(old: String, new: String, sentences: [String])] = [
        ("{ app.version: { \">=\": \"2.1\" } }", "{ app.version: { \">=\": \"2.1\" }, country: { is: DE } }", ["audience spring now also needs country DE"]),
        ("{ app.version: { \">=\": \"2.1\" } }", "{ country: { in: [DE, AT] } }", ["audience spring no longer needs app.version at least 2.1", "audience spring now also needs country one of DE, AT"]),
        ("\">=\": \"2.1\"", "\">=\": \"2.10\"", ["audience spring now needs app.version at least 2.10 instead of app.version at least 2.1"]),
        ("{ any: [{ country: { is: DE } }, { country: { is: AT } }] }", "{ any: [{ country: { is: AT } }, { country: { is: CH }, os.version: { \"<\": 17 } }] }", ["audience paid now also matches country CH and os.version below 17", "audience paid no longer matches country DE"]),
        ("spring: { app.version", "spring: { not: { country: { is: FR } }, app.version", ["audience spring now also needs none of (country FR)"]),
        ("title: Unlock,", "title: Open,", ["paywall default: remote config en.title changes from \"Unlock\" to \"Open\""]),
        ("days: 7", "days: \"7\"", ["paywall default: remote config en.days changes from 7 to \"7\""]),
        (", days: 7", "", ["paywall default: remote config en.days is removed; it was 7"]),
        ("de: { title: Los }", "ja: { title: 解除 }", ["paywall default: remote config de is removed; it was {\"title\":\"Los\"}", "paywall default: remote config ja is added: {\"title\":\"解除\"}"]),
        ("[yearly, monthly]", "[yearly, monthly, weekly]", ["paywall default: products: weekly is added"]),
        ("[yearly, monthly]", "[monthly, yearly]", ["paywall default: products: the order is now monthly, yearly; it was yearly, monthly"]),
        ("[yearly, monthly]", "[yearly, lifetime]", ["paywall default: products: lifetime is added; monthly is removed"]),
        ("special: { products: [weekly] }", "special: { products: [weekly] }\n  spring: { products: [daily] }", ["paywall spring is added: products daily"]),
        ("plan: string", "plan: number", ["attribute plan changes from \"string\" to \"number\""]),
        ("plan: string", "plan: string, seats: number", ["attribute seats is added: number"]),
        ("{ audience: paid, paywall: special }, ", "", ["placement onboarding: audience paid is no longer asked; it saw paywall special"]),
        ("{ audience: everyone, paywall: default }", "{ audience: everyone, paywall: special }", ["placement onboarding: everyone now sees paywall special instead of paywall default"]),
        ("[{ audience: spring, paywall: special }, { audience: paid, paywall: special },", "[{ audience: paid, paywall: special }, { audience: spring, paywall: default },", [
            "placement onboarding: audiences are now asked in the order paid, spring, everyone; it was spring, paid, everyone",
            "placement onboarding: audience spring now sees paywall default instead of paywall special",
        ]),
        ("{ audience: spring, paywall: special }", "{ audience: spring, experiment: price }", ["placement onboarding: audience spring now sees experiment price instead of paywall special"]),
        ("placements:", "placements:\n  home: [{ audience: everyone, paywall: default }]", ["placement home is added: everyone sees paywall default"]),
        ("to: https://example.com/a }", "to: https://example.com/b, campaign: spring }", ["link https://go.example.com/a: to changes from \"https://example.com/a\" to \"https://example.com/b\"", "link https://go.example.com/a: campaign is added: \"spring\""]),
        ("keys: [{ sdk: pk_one }]", "keys: [{ sdk: pk_one, expires: 2027-01-31 }, { serverFrom: LANDFALL_KEY }]", ["key pk_one: expires is added: \"2027-01-31\"", "key LANDFALL_KEY is added"]),
        ("brand: [go.example.com]", "brand: [{ host: go.example.com }, { host: on.example.com }]", ["domains: brand[\"on.example.com\"] is added: {\"host\":\"on.example.com\"}"]),
        (
            "links: [", "testDevices: { maya: { install: a, audience: ads, paywalls: { home: special } }, omar: { install: b } }\nlinks: [",
            ["test device maya is added: it counts as audience ads, it sees paywall special in placement home", "test device omar is added"]
        ),
        ("links: [", "linkPages: { texts: { ja: { web: A } } }\nlinks: [", ["linkPages: texts is added: {\"ja\":{\"web\":\"A\"}}"]),
        ("brand: [go.example.com]", "brand: [go.example.com], old: [{ host: a.go.link, until: 2027-06-30 }]", ["domains: old is added: [{\"host\":\"a.go.link\",\"until\":\"2027-06-30\"}]"]),
        ("links: [", "retention: { clickDays: 30 }\nlinks: [", ["retention: clickDays is added: 30"]),
        ("bundleId: com.example.sample", "bundleId: com.example.other", ["app: bundleId changes from \"com.example.sample\" to \"com.example.other\""]),
    ]

    @Test("Each difference has its sentence", arguments: cases)
    func told(old: String, new: String, sentences: [String]) {
        let after = Self.base.replacing(old, with: new)

        #expect(after != Self.base)
        #expect(Self.changes(Self.base, after).listed.map(\.sentence) == sentences)
    }

    @Test(
        "Two texts with the same meaning have no difference",
        arguments: [
            ("app: { id: sample,", "# a comment\napp: { id: 'sample',"), ("{ id: sample, bundleId: com.example.sample }", "\n  bundleId: com.example.sample\n  id: sample"),
            ("days: 7", "days: 0x7"), ("{ title: Unlock, days: 7 }", "{ days: 7, title: \"Unlock\" }"),
            ("de: { title: Los } }", "de: &los { title: Los } }"), ("attributes: {", "deferredLinks: ~\nattributes: {"),
        ])
    func same(old: String, new: String) {
        let after = Self.base.replacing(old, with: new)

        #expect(after != Self.base)
        #expect(Self.changes(Self.base, after).listed.map(\.sentence) == [])
    }

    /// Texts that differ only where two elements of a list have one name, or in the order of a protected list.
    static let seconds: [(old: String, new: String, sentences: [String])] = [
        (
            "keys: [{ serverFrom: LANDFALL_A }]", "keys: [{ serverFrom: LANDFALL_A }, { serverFrom: LANDFALL_A, may: [reports, erase] }]",
            ["key LANDFALL_A (2) is added"]
        ),
        (
            "keys: [{ serverFrom: LANDFALL_A }, { serverFrom: LANDFALL_A, may: [reports] }]", "keys: [{ serverFrom: LANDFALL_A }]",
            ["key LANDFALL_A (2) is removed"]
        ),
        (
            "keys: [{ serverFrom: LANDFALL_A }, { serverFrom: LANDFALL_A, may: [reports] }]",
            "keys: [{ serverFrom: LANDFALL_A }, { serverFrom: LANDFALL_A, may: [erase] }]",
            ["key LANDFALL_A (2): may: erase is added; reports is removed"]
        ),
        (
            "identity: { keys: [{ id: backend, algorithm: HS256, secretFrom: LANDFALL_A }] }",
            "identity: { keys: [{ id: backend, algorithm: HS256, secretFrom: LANDFALL_A }, { id: backend, algorithm: ES256, publicKey: P }] }",
            ["identity: keys[\"backend (2)\"] is added: {\"algorithm\":\"ES256\",\"id\":\"backend\",\"publicKey\":\"P\"}"]
        ),
        (
            "identity: { keys: [{ id: LANDFALL_A, algorithm: ES256, publicKey: P }] }",
            "identity: { keys: [{ id: LANDFALL_A, algorithm: ES256, publicKey: P }, { algorithm: HS256, secretFrom: LANDFALL_A }] }",
            ["identity: keys[\"LANDFALL_A (2)\"] is added: {\"algorithm\":\"HS256\",\"secretFrom\":\"LANDFALL_A\"}"]
        ),
        ("keys: [{ sdk: pk_a }, { sdk: pk_b }]", "keys: [{ sdk: pk_b }, { sdk: pk_a }]", ["keys: its entries or their order change"]),
        ("domains: { brand: [a.link, b.link] }", "domains: { brand: [{ host: b.link }, a.link] }", ["domains: its entries or their order change"]),
        ("domains: { brand: [a.link, b.link] }", "domains: { brand: [{ host: a.link }, b.link] }", []),
    ]

    @Test("A second entry of one name is a change of its own, and a protected section changes in no unseen way", arguments: seconds)
    func second(old: String, new: String, sentences: [String]) {
        let changes = Self.changes(old, new)

        #expect(changes.listed.map(\.sentence) == sentences)
        #expect(changes.sections.isSubset(of: Configuration.protectedSections) && changes.sections.isEmpty == sentences.isEmpty)
    }

    @Test("In a first version everything is added, and in the opposite direction everything is removed")
    func first() {
        let added = Self.changes(nil, Self.base), removed = Self.changes(Self.base, nil)

        #expect(added.listed.allSatisfy { $0.kind == .added && $0.before == nil && $0.after != nil })
        #expect(removed.listed.allSatisfy { $0.kind == .removed && $0.before != nil && $0.after == nil })
        #expect(added.listed.map(\.path).sorted() == removed.listed.map(\.path).sorted())
        #expect(added.listed.contains { $0.sentence == "audience spring is added: app.version at least 2.1" })
    }

    @Test("A change has the path, the kind and both values")
    func form() throws {
        let change = try #require(
            Self.changes(Self.base, Self.base.replacing("title: Unlock,", with: "title: Open,")).listed.first)

        #expect(change.path == "paywalls.default.remoteConfig.en.title")
        #expect(change.kind == .changed)
        #expect(change.before == "Unlock")
        #expect(change.after == "Open")
        #expect(change.section == "paywalls")
    }

    @Test("Differences above the limit are only counted, and a long value is cut")
    func bounds() {
        let many = "attributes:\n" + (0..<3_000).map { "  a\($0): string\n" }.joined()
        let changes = Self.changes(nil, many)
        let long = Self.changes("paywalls: { a: { products: [a] } }", "paywalls: { a: { products: [\(String(repeating: "é", count: 50_000))] } }")

        #expect(changes.listed.count == ConfigurationChanges.mostListed)
        #expect(changes.unlisted == 2_000)
        #expect(long.listed.allSatisfy { ConfigurationSentence.text(of: $0.after ?? .null).utf8.count < 9_000 && $0.sentence.utf8.count < 300 })
    }

    @Test("Sections are known even if their changes are not listed")
    func sections() {
        let many = "attributes:\n" + (0..<3_000).map { "  a\($0): string\n" }.joined() + "retention: { clickDays: 30 }\n"

        #expect(Self.changes(nil, many).sections == ["attributes", "retention"])
    }
}
