// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Operators", .timeLimit(.minutes(1)))
struct OperatorTests {
    /// 2026-11-22T12:00:00Z
    private static let now: Int64 = 1_795_348_800_000
    private static let day: Int64 = 86_400_000

    private static let declared =
        "{ plan: string, sessions: number, invited: boolean, trialEnds: date, none: string, gone: number, never: date }"

    /// An iPhone in Taiwan that Apple Ads brought, first opened a week ago to the millisecond.
    private static func facts() -> AudienceFacts {
        var device = DeviceFacts()
        device.appVersion = "2.10.0-beta.2"
        device.osVersion = "18.1"
        device.platform = "iOS"
        device.model = "iPhone16,2"
        device.locale = "zh_TW"
        let install = InstallFacts(
            id: "0190a5c0-7e1b-7c3a-9f00-000000000001", installedAtMs: now - 7 * day, lastSeenAtMs: now + 1,
            sources: [.appleAds, .link], isTestDevice: true)
        let attributes: [String: AttributeValue] = [
            "plan": "pro-yearly", "sessions": 3, "invited": true, "trialEnds": "2026-11-22T13:00:00+01:00",
        ]
        return AudienceFacts(attribution: .appleSample, device: device, attributes: attributes, install: install, nowMs: now)
    }

    static let cases: [(condition: String, holds: Bool)] = [
        // Membership.
        ("country: { notIn: [US, CA], exists: true }", true), ("country: { notIn: [US, tw] }", false),
        ("attributes.sessions: { notIn: [1, 2] }", true), ("attributes.sessions: { notIn: [3.0] }", false),
        ("app.version: { notIn: [2.10] }", true), ("app.version: { notIn: [2.10-beta.2+7] }", false),
        ("attributes.none: { notIn: [a] }", false),
        ("attributes.plan: { in: [a, b, c, d, e, f, g, h, i, j, k, pro-yearly] }", true),
        ("attributes.plan: { in: [a, b, c, d, e, f, g, h, i, j, k, pro-monthly] }", false),
        // Existence.
        ("attributes.plan: { exists: true }", true), ("attributes.plan: { exists: false }", false),
        ("attributes.none: { exists: true }", false), ("attributes.none: { exists: false }", true),
        ("link.code: { exists: false }", true), ("attribution.campaign: { exists: true }", true),
        ("attributes.never: { exists: false }", true), ("attributes.trialEnds: { exists: true }", true),
        // Ranges with both ends.
        ("attributes.sessions: { between: [3, 5] }", true), ("attributes.sessions: { between: [1, 3] }", true),
        ("attributes.sessions: { between: [3, 3] }", true), ("attributes.sessions: { between: [3.0001, 5] }", false),
        ("attributes.sessions: { between: [1, 2.9999] }", false), ("attributes.gone: { between: [0, 9] }", false),
        ("attributes.sessions: { <: 3 }", false), ("attributes.sessions: { <=: 3 }", true),
        ("attributes.sessions: { \">\": 3 }", false), ("attributes.sessions: { \">=\": 3 }", true),
        ("app.version: { between: [2.10.0-beta.2, 2.10] }", true), ("app.version: { between: [2.10.0-beta.10, 2.10] }", false),
        ("app.version: { between: [1, 2.10.0-beta.2] }", true), ("app.version: { between: [1, 2.10.0-beta.1] }", false),
        ("app.version: { <: 2.10 }", true), ("app.version: { \">\": 2.10.0-alpha.9 }", true),
        ("app.version: { \">\": 2.10.0-beta }", true), ("app.version: { <: 2.10.0-beta.11 }", true),
        ("app.version: { <: 2.10.0-beta.word }", true), ("app.version: { \">=\": 2.10.0-beta.2 }", true),
        ("app.version: { \">\": 2.10.0-beta.2 }", false),
        // Parts of texts.
        ("attributes.plan: { startsWith: pro }", true), ("attributes.plan: { startsWith: [free, pro-yearly] }", true),
        ("attributes.plan: { startsWith: Pro }", false), ("attributes.plan: { startsWith: pro-yearly-x }", false),
        ("attributes.plan: { endsWith: [monthly, yearly] }", true), ("attributes.plan: { endsWith: pro }", false),
        ("attributes.plan: { contains: o-y }", true), ("attributes.plan: { contains: [x, y-o] }", false),
        ("attributes.none: { contains: a }", false), ("device.model: { startsWith: [iPhone16, iPhone17] }", true),
        ("attribution.source: { contains: SEARCH }", true),
        // Lists.
        ("attribution.sources: { anyOf: [adjust, link] }", true), ("attribution.sources: { anyOf: adjust }", false),
        ("attribution.sources: { allOf: [link, Apple_Search_Ads] }", true),
        ("attribution.sources: { allOf: [link, adjust] }", false), ("attribution.sources: { noneOf: [adjust] }", true),
        ("attribution.sources: { noneOf: [adjust, link] }", false), ("attribution.sources: { exists: true }", true),
        // Dates.
        ("install.date: { within: 7d }", false), ("install.date: { olderThan: 7d }", true),
        ("install.date: { within: 8d }", true), ("install.date: { olderThan: 169h }", false),
        ("install.date: { within: 1w }", false), ("install.date: { olderThan: 10080m }", true),
        ("install.lastSeen: { within: 7d }", false), ("install.lastSeen: { olderThan: 1s }", false),
        ("install.date: { \">\": 2026-11-15T11:59:59.999Z }", true), ("install.date: { \">\": 2026-11-15T12:00:00Z }", false),
        ("install.date: { \">=\": 2026-11-15T13:00:00+01:00 }", true), ("install.date: { <: 2026-11-15T12:00:00Z }", false),
        ("install.date: { <: 2026-11-15T12:00:00.001Z }", true), ("install.date: { <=: 2026-11-15T12:00:00Z }", true),
        ("install.date: { between: [2026-11-15T12:00:00Z, 2026-11-15T12:00:00Z] }", true),
        ("attributes.trialEnds: { <=: 2026-11-22T12:00:00Z, \">=\": 2026-11-22T12:00:00Z }", true),
        ("attributes.trialEnds: { within: 1s }", true), ("attributes.never: { olderThan: 1s }", false),
        ("link.date: { within: 7d }", false),
        // Shares, see the table of published draws: this install is in bucket 0..<1,000,000 of each.
        ("share: { of: anything, to: 100% }", true), ("share: { of: half, to: 76.6068% }", false),
        ("share: { of: half, from: 76.6068%, to: 76.6069% }", true), ("share: { of: half, to: 76.6069% }", true),
        ("share: { of: half, from: 76.6069%, to: 100% }", false),
        // Locales.
        ("locale: { is: zh-Hant }", true), ("locale: { is: zh-Hans }", false), ("locale: { is: zh }", true),
        ("locale: { is: zh-TW }", true), ("locale: { is: zh_hant_tw }", true), ("locale: { is: zh-HK }", false),
        ("locale: { in: [en, zh-Hant-HK] }", false), ("locale: { notIn: [en, zh-Hans] }", true),
        ("locale: { isNot: zh-Hant }", false), ("language: { is: zh }", true), ("country: { is: tw }", true),
        // Flags and devices.
        ("testDevice: { is: true }", true), ("testDevice: { isNot: true }", false), ("attribution.test: { is: false }", true),
        ("device.class: { is: Phone }", true), ("device.class: { in: [tablet, desktop] }", false),
        ("device.model: { is: \"iPhone16,2\" }", true), ("attributes.invited: { isNot: false }", true),
    ]

    @Test(
        "treat an empty list as a list, and an absent list as a missing value",
        arguments: [
            ("noneOf: [link]", true, false), ("anyOf: [link]", false, false), ("allOf: [link]", false, false), ("exists: true", true, false),
            ("exists: false", false, true),
        ])
    func emptyList(test: String, ofEmpty: Bool, ofNone: Bool) throws {
        let condition = try Sample.condition("{ attribution.sources: { \(test) } }")
        let install = InstallFacts(id: "0190a5c0-7e1b-7c3a-9f00-000000000001", installedAtMs: 0, lastSeenAtMs: 0)
        let empty = AudienceFacts(attribution: .notAttributed, device: DeviceFacts(), attributes: [:], install: install)
        let none = AudienceFacts(attribution: .notAttributed, device: DeviceFacts(), attributes: [:])

        #expect(condition.evaluate(empty) == Truth(ofEmpty))
        #expect(condition.evaluate(none) == Truth(ofNone))
    }

    @Test("hold or not, at their borders", arguments: cases)
    func borders(condition: String, holds: Bool) throws {
        let condition = try Sample.condition("{ \(condition) }", attributes: Self.declared)

        #expect(condition.evaluate(Self.facts()) == Truth(holds))
    }

    @Test(
        "A date needs its zone, a span its unit, a list its values",
        arguments: [
            ("install.date: { <: 2026-11-22 }", "'2026-11-22' is not a date with time and zone. Write 2026-11-22T09:30:00Z or 2026-11-22T10:30:00+01:00."),
            ("install.date: { within: 7 }", "'within' cannot be '7'. Write a number and s, m, h, d or w: 30m, 12h, 7d, 2w."),
            ("install.date: { is: 2026-11-22T12:00:00Z }", "'install.date' cannot be tested with 'is'. Known: '<', '<=', '>', '>=', 'between', 'exists', 'olderThan', 'within'."),
            ("attribution.keyword: { contains: [] }", "'contains' is empty. List at least one value."),
            ("attribution.sources: { anyOf: [] }", "'anyOf' is empty. List at least one value."),
            ("app.version: { between: [3] }", "'between' takes two values, the lower one first. Write [1, 5]."),
            ("app.version: { between: [3, 2] }", "No value is between these two. Write the lower one first."),
            ("any: []", "'any' is empty. List conditions below it, or remove it."),
            ("all: []", "'all' is empty. List conditions below it, or remove it."),
            ("locale: { is: chinese! }", "'chinese!' is not a locale. Write language, script and region as far as they matter: zh-Hant, pt-BR."),
            ("share: { of: a, to: 10 }", "'to' cannot be '10'. Write 0% to 100%, with at most four decimals, such as 12.5%."),
            ("share: { of: a, from: 10%, to: 10% }", "A share from 10% to 10% contains no install. Write a larger 'to'."),
            ("share: { to: 10% }", "'share' needs 'of'. Add it."),
            ("country: { contains: U }", "'country' cannot be tested with 'contains'. Known: 'exists', 'in', 'is', 'isNot', 'notIn'."),
            ("device.class: { is: phones }", "'device.class' is never 'phones'. Did you mean 'phone'?"),
        ])
    func refused(condition: String, message: String) {
        let problems = Sample.problems(adding: "audiences: { those: { \(condition) } }\n")

        #expect(problems.count == 1 && problems[0].hasSuffix(": " + message), "\(problems)")
    }

    @Test(
        "A negative comparison without `exists` is a warning, not a problem",
        arguments: [
            ("country: { isNot: US }", ["10:34"]), ("country: { isNot: US, exists: true }", []),
            ("country: { notIn: [US] }", ["10:34"]), ("attribution.sources: { noneOf: [link] }", ["10:46"]),
            ("any: [{ country: { exists: false } }, { country: { isNot: US } }]", []),
            ("not: { country: { is: US } }", []), ("country: { is: US }", []),
            ("language: { exists: true }, country: { isNot: US }", ["10:62"]),
        ])
    func warnings(condition: String, places: [String]) {
        let warnings = Sample.warnings(adding: "audiences: { those: { \(condition) } }\n")

        #expect(warnings.map(\.place.description) == places)
    }
}
