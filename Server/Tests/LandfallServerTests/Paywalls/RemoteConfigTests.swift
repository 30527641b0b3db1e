// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Remote config", .timeLimit(.minutes(1)))
struct RemoteConfigTests {
    private func value(_ yaml: String) throws -> JSONValue? {
        let yaml = Sample.base.replacing("{ products: [monthly] }", with: "{ remoteConfig: { en: \(yaml) } }")
        return try Configuration(yaml: yaml).paywalls[1].rendered(for: nil).remoteConfig?.value
    }

    @Test(
        "keeps JSON's types",
        arguments: [
            ("1", .integer(1)), ("-7", .integer(-7)), ("+7", .integer(7)), ("0x1F", .integer(31)), ("0o17", .integer(15)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("1.5", .number(1.5)), ("1e3", .number(1000)), (".5", .number(0.5)), ("1.10", .number(1.1)),
            ("true", .bool(true)), ("FALSE", .bool(false)), ("null", .null), ("~", .null),
            ("\"1\"", .string("1")), ("'true'", .string("true")), ("\"\"", .string("")), ("\"null\"", .string("null")),
            ("no", .string("no")), ("yes", .string("yes")), ("on", .string("on")), ("2026-11-21", .string("2026-11-21")),
            ("1.2.3", .string("1.2.3")), ("1_000", .string("1_000")), ("12:30", .string("12:30")), ("+", .string("+")),
            ("text with spaces", .string("text with spaces")), ("infinity", .string("infinity")), ("0x", .string("0x")),
            ("{ a: [1, { b: ~ }] }", .object(["a": .array([.integer(1), .object(["b": .null])])])), ("[]", .array([])),
            ("{}", .object([:])),
        ] as [(String, JSONValue)])
    func types(yaml: String, value: JSONValue) throws {
        #expect(try self.value(yaml) == value)
    }

    @Test("has no numbers that JSON cannot write", arguments: [".inf", "-.INF", ".nan", "1e999"])
    func notFinite(yaml: String) {
        #expect(throws: ConfigurationError.self) { try value(yaml) }
    }

    @Test("in several locales needs a default one")
    func defaultLocale() {
        let problems = Sample.problems(
            Sample.base.replacing("{ products: [monthly] }", with: "{ remoteConfig: { en: {}, de: {} } }"))

        #expect(
            problems == [
                "8:30: A remote config in several locales needs a default one. Add 'defaultLocale: en' beside 'remoteConfig'."
            ])
    }

    @Test(
        "has each locale once, and a default that is one of its locales",
        arguments: [
            (
                "{ remoteConfig: { en-US: {}, EN_us: {} } }",
                "8:41: The locale 'en-US' is here a second time; the first is in line 8. Keep one of them."
            ),
            (
                "{ defaultLocale: fr, remoteConfig: { en: {} } }",
                "8:29: 'defaultLocale' is not one of the locales in 'remoteConfig'. Known: 'en'."
            ),
            ("{ remoteConfig: { title: Hello } }", nil),
            (
                "{ remoteConfig: { \"en us\": {} } }",
                "8:30: 'en us' is not a locale. Write each remote config below its locale, such as en or pt-BR."
            ),
        ] as [(String, String?)])
    func locales(paywall: String, problem: String?) {
        let problems = Sample.problems(Sample.base.replacing("{ products: [monthly] }", with: paywall))

        #expect(problems == (problem.map { [$0] } ?? []))
    }

    @Test("must fit into one line of the first-open stream")
    func tooLarge() {
        let text = String(repeating: "x", count: 241 * 1024)
        let problems = Sample.problems(
            Sample.base.replacing("{ products: [monthly] }", with: "{ remoteConfig: { en: { t: \(text) } } }"))

        #expect(
            problems.first?.hasPrefix("8:30: The paywall 'special' has 241 KiB in this locale; at most 240 KiB fit.") == true)
    }
}
