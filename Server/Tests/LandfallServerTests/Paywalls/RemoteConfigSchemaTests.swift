// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

/// The same verdicts as another validator's, over drawn schemas and values: `script/check schema`.
@Suite("The schema of a paywall", .timeLimit(.minutes(1)))
struct RemoteConfigSchemaTests {
    /// The problems of one paywall whose schema stands in line 8 and whose English remote config stands in line 9.
    private static func problems(_ schema: String, _ config: String = "{}") -> [String] {
        Sample.problems(
            Sample.base.replacing(
                "default: { products: [yearly] }",
                with: "default:\n      schema: \(schema)\n      remoteConfig: { en: \(config) }"))
    }

    @Test(
        "accepts what it describes",
        arguments: [
            ("true", "[1, two]"), ("{}", "text"), ("{ type: object }", "{}"), ("{ type: [string, 'null'] }", "null"),
            ("{ type: integer }", "7.0"), ("{ type: number }", "7"), ("{ type: integer, minimum: 7, maximum: 7 }", "7"),
            ("{ type: string, minLength: 2, maxLength: 2 }", "日本"), ("{ maxLength: 1 }", "🎉"), ("{ maxLength: 1 }", "12345"),
            ("{ minItems: 1, maxItems: 2, items: { type: boolean } }", "[true, false]"), ("{ enum: [1, a, [x], null] }", "[x]"),
            ("{ enum: [1, a, [x], null] }", "1.0"), ("{ const: { a: 1, b: 2 } }", "{ b: 2, a: 1 }"), ("{ const: null }", "null"),
            ("{ properties: { a: { type: string } } }", "{ b: 1 }"), ("{ required: [a], additionalProperties: true }", "{ a: null }"),
            ("{ format: email, title: T, description: D, default: 1, examples: [x], $comment: c }", "anything"),
            ("{ $ref: '#/$defs/offer', $defs: { offer: { type: object } } }", "{}"),
            (
                "{ type: object, properties: { next: { $ref: '#' } }, additionalProperties: false }",
                "{ next: { next: { next: {} } } }"
            ),
            ("{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: object }", "{}"),
        ])
    func accepts(schema: String, config: String) {
        #expect(Self.problems(schema, config) == [])
    }

    @Test(
        "reports values that do not fit, with line and column",
        arguments: [
            ("{ type: object }", "[]", "9:27: The remote config of 'en' must be object, and is array, by the paywall's schema. Correct it, or the schema."),
            (
                "{ properties: { days: { type: integer } } }", "{ days: '7' }",
                "9:35: 'days' of 'en' must be integer, and is string, by the paywall's schema. Correct it, or the schema."
            ),
            (
                "{ properties: { days: { type: integer } } }", "{ days: 7.5 }",
                "9:35: 'days' of 'en' must be integer, and is number, by the paywall's schema. Correct it, or the schema."
            ),
            (
                "{ required: [title, days] }", "{ titel: x, days: 1 }",
                "9:27: The remote config of 'en' needs 'title' by the paywall's schema. Add it."
            ),
            (
                "{ properties: { title: {} }, additionalProperties: false }", "{ titl: x }",
                "9:29: 'titl' of 'en' is not allowed by the paywall's schema. Remove it. Did you mean 'title'?"
            ),
            (
                "{ properties: { offers: { items: { properties: { price: { minimum: 0.5 } } } } } }", "{ offers: [{ price: 1 }, { price: 0 }] }",
                "9:61: 'offers[1].price' of 'en' must be at least 0.5, by the paywall's schema. Write a larger number."
            ),
            ("{ maximum: 7 }", "8", "9:27: The remote config of 'en' must be at most 7, by the paywall's schema. Write a smaller number."),
            (
                "{ enum: [small, large] }", "medium",
                "9:27: The remote config of 'en' must be one of the listed values: small, large, by the paywall's schema. Write one of them, or add it to the schema."
            ),
            (
                "{ minLength: 2, maxLength: 3 }", "a",
                "9:27: The remote config of 'en' must have 2 to 3 characters, and has 1, by the paywall's schema. Change it."
            ),
            (
                "{ minItems: 1 }", "[]",
                "9:27: The remote config of 'en' must have 1 or more elements, and has 0, by the paywall's schema. Add or remove some."
            ),
            ("false", "1", "9:27: The remote config of 'en' is not allowed by the paywall's schema. Remove it."),
            (
                "{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: string } } }", "1",
                "9:27: The remote config of 'en' must be string, and is integer, by the paywall's schema. Correct it, or the schema."
            ),
        ])
    func refuses(schema: String, config: String, problem: String) {
        #expect(Self.problems(schema, config) == [problem])
    }

    @Test("is checked for every locale")
    func locales() {
        let problems = Sample.problems(
            Sample.base.replacing(
                "default: { products: [yearly] }",
                with: """
                    default:
                          schema: { properties: { days: { type: integer } } }
                          defaultLocale: en
                          remoteConfig:
                            en: { days: 7 }
                            zh-Hant: { days: seven }
                            ja: { days: [7] }
                    """))

        #expect(problems.map { $0.prefix { $0 != "m" } } == ["12:26: 'days' of 'zh-Hant' ", "13:21: 'days' of 'ja' "])
    }

    @Test(
        "is refused as a whole if it has an unsupported keyword",
        arguments: [
            ("{ pattern: a }", "8:17: 'pattern' of JSON Schema is not supported here. Remove it."),
            ("{ anyOf: [{}] }", "8:17: 'anyOf' of JSON Schema is not supported here. Remove it."),
            ("{ properties: { a: { oneOf: [] } } }", "8:36: 'oneOf' of JSON Schema is not supported here. Remove it."),
            ("{ requierd: [a] }", "8:17: 'requierd' of JSON Schema is not supported here. Remove it. Did you mean 'required'?"),
            ("{ type: text }", "8:23: A type cannot be 'text'."), ("{ type: [] }", "8:23: 'type' is empty"),
            ("[]", "8:15: A schema is not a mapping."), ("{ enum: [] }", "8:23: 'enum' is empty"),
            ("{ minimum: '1' }", "8:26: 'minimum' is not a number."), ("{ minLength: 1.5 }", "8:28: 'minLength' is not a whole number"),
            ("{ minItems: 3, maxItems: 2 }", "8:30: No value fits between 3 and 2."),
            ("{ $ref: '#/$defs/offer' }", "8:23: '$ref' cannot be '#/$defs/offer'."),
            ("{ $ref: 'https://example.com/x.json' }", "8:23: '$ref' cannot be 'https://example.com/x.json'."),
            ("{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }", "8:37: This '$ref' leads to another one, more than 8 times."),
            ("{ $ref: '#' }", "8:23: This '$ref' leads to another one, more than 8 times."),
            ("{ properties: { a: { $defs: {} } } }", "8:36: '$defs' is allowed only at the top of a schema."),
            ("{ $schema: http://json-schema.org/draft-07/schema# }", "8:26: '$schema' cannot be 'http://json-schema.org/draft-07/schema#'."),
        ])
    func unread(schema: String, problem: String) {
        let problems = Self.problems(schema)

        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test("stops checking a remote config with a thousand mistakes once enough are noted")
    func bounded() {
        let config = "[" + (0..<10_000).map { "'\($0)'" }.joined(separator: ", ") + "]"

        #expect(Self.problems("{ items: { type: integer } }", config).count == ConfigurationReader.mostProblems)
    }
}
