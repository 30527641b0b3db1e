// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallRules

/// The verdicts of both over whole files: `script/check schema`.
@Suite("The JSON Schema of landfall.yaml", .timeLimit(.minutes(1)))
struct ConfigurationSchemaTests {
    /// A mapping of the file: where the schema describes it, and a file with a key in it that nobody knows.
    struct Mapping: Sendable, CustomTestStringConvertible {
        let pointer: String
        let file: String

        init(_ pointer: String, adding section: String) {
            self.pointer = pointer
            file = Sample.base + section
        }

        init(_ pointer: String, replacing section: String, with other: String) {
            self.pointer = pointer
            file = Sample.base.replacing(section, with: other)
        }

        var testDescription: String { pointer }
    }

    private static let mappings = [
        Mapping("", adding: "unheardof: 1"),
        Mapping("/properties/app", replacing: "  id: sample", with: "  id: sample\n  unheardof: 1"),
        Mapping("/properties/app/properties/android", replacing: "  id: sample", with: "  id: sample\n  android: { unheardof: 1 }"),
        Mapping("/properties/app/properties/association", replacing: "  id: sample", with: "  id: sample\n  association: { unheardof: 1 }"),
        Mapping("/$defs/sdkKey", replacing: "sdk: pk_sample", with: "{ sdk: pk_sample, unheardof: 1 }"),
        Mapping("/$defs/serverKey", replacing: "  - sdk: pk_sample", with: "  - sdk: pk_sample\n  - { serverFrom: LANDFALL_K, unheardof: 1 }"),
        Mapping("/properties/identity", adding: "identity: { unheardof: 1 }"),
        Mapping("/$defs/identityKey", adding: "identity: { keys: [{ unheardof: 1 }] }"),
        Mapping("/properties/domains", adding: "domains: { unheardof: 1 }"),
        Mapping("/$defs/brandDomain", adding: "domains: { brand: [{ unheardof: 1 }] }"),
        Mapping("/$defs/brandPage", adding: "domains: { brand: [{ host: go.example, page: { unheardof: 1 } }] }"),
        Mapping("/$defs/oldDomain", adding: "domains: { old: [{ unheardof: 1 }] }"),
        Mapping("/$defs/paywall", replacing: "{ products: [yearly] }", with: "{ unheardof: 1 }"),
        Mapping(
            "/properties/placements/additionalProperties/items", replacing: "{ audience: everyone, paywall: default }",
            with: "{ unheardof: 1 }"),
        Mapping("/$defs/link", adding: "links: [{ unheardof: 1 }]"),
        Mapping("/$defs/linkTemplate", adding: "linkTemplates: { mail: { unheardof: 1 } }"),
        Mapping("/$defs/route", adding: "links: [{ when: [{ unheardof: 1 }] }]"),
        Mapping("/$defs/linkPreview", adding: "links: [{ preview: { unheardof: 1 } }]"),
        Mapping("/$defs/preview", adding: "linkPages: { preview: { unheardof: 1 } }"),
        Mapping("/$defs/previewWords", adding: "links: [{ preview: { locales: { ja: { unheardof: 1 } } } }]"),
        Mapping("/properties/linkPages", adding: "linkPages: { unheardof: 1 }"),
        Mapping("/$defs/pageTexts", adding: "linkPages: { texts: { ja: { unheardof: 1 } } }"),
        Mapping("/properties/deferredLinks", adding: "deferredLinks: { unheardof: 1 }"),
        Mapping("/properties/attribution", adding: "attribution: { unheardof: 1 }"),
        Mapping("/properties/appleAds", adding: "appleAds: { unheardof: 1 }"),
        Mapping("/properties/signIn", adding: "signIn: { unheardof: 1 }"),
        Mapping("/$defs/openId", adding: "signIn: { openId: { unheardof: 1 } }"),
        Mapping("/$defs/webhook", adding: "webhooks: [{ unheardof: 1 }]"),
        Mapping("/properties/alerts", adding: "alerts: { unheardof: 1 }"),
        Mapping("/properties/alerts/properties/rules", adding: "alerts: { rules: { unheardof: false } }"),
        Mapping("/$defs/alertSetting", adding: "alerts: { rules: { disk: { unheardof: 1 } } }"),
        Mapping("/$defs/alertDestination", adding: "alerts: { destinations: { a: { unheardof: 1 } } }"),
        Mapping("/$defs/alertEmail", adding: "alerts: { destinations: { a: { email: { unheardof: 1 } } } }"),
        Mapping("/$defs/alertSlack", adding: "alerts: { destinations: { a: { slack: { unheardof: 1 } } } }"),
        Mapping("/$defs/alertWebhook", adding: "alerts: { destinations: { a: { webhook: { unheardof: 1 } } } }"),
        Mapping("/properties/exports", adding: "exports: { unheardof: 1 }"),
        Mapping("/properties/retention", adding: "retention: { unheardof: 1 }"),
        Mapping("/properties/reporting", adding: "reporting: { unheardof: 1 }"),
        Mapping("/$defs/product", adding: "products: { yearly: { unheardof: 1 } }"),
        Mapping("/properties/purchases", adding: "purchases: { unheardof: 1 }"),
        Mapping("/$defs/appStoreKey", adding: "purchases: { api: { unheardof: 1 } }"),
        Mapping("/$defs/receiver", adding: "purchases: { notify: { unheardof: 1 } }"),
        Mapping("/$defs/commission", adding: "purchases: { commission: [{ unheardof: 1 }] }"),
        Mapping("/$defs/event", adding: "events: { done: { unheardof: 1 } }"),
        Mapping("/$defs/metric", adding: "metrics: { done: { unheardof: 1 } }"),
        Mapping("/$defs/layer", adding: "layers: { main: { unheardof: 1 } }"),
        Mapping("/$defs/holdout", adding: "holdouts: { all: { unheardof: 1 } }"),
        Mapping("/$defs/experiment", adding: "experiments: { one: { unheardof: 1 } }"),
        Mapping("/$defs/experimentLayer", adding: "experiments: { one: { layer: { unheardof: 1 } } }"),
        Mapping("/$defs/variation", adding: "experiments: { one: { variations: { A: { unheardof: 1 } } } }"),
        Mapping("/$defs/guardrail", adding: "experiments: { one: { guardrails: [{ unheardof: 1 }] } }"),
        Mapping("/$defs/share", adding: "audiences: { some: { share: { unheardof: 1 } } }"),
        Mapping("/$defs/testDevice", adding: "testDevices: { one: { unheardof: 1 } }"),
    ]

    /// Read once: each of the cases below asks for a place in it.
    private static let read = Result {
        try WireCoding.decode(JSONValue.self, from: Data(contentsOf: Sample.root.appending(path: "docs/landfall.schema.json")))
    }

    private static func schema() throws -> JSONValue { try read.get() }

    @Test("has the keys of the reader, and no others", arguments: mappings)
    func keys(mapping: Mapping) throws {
        let problems = Sample.problems(mapping.file, environment: ["LANDFALL_K": "sk_" + String(repeating: "0", count: 48)])
        let problem = try #require(problems.first { $0.contains("has no 'unheardof'") }, "\(problems)")
        // ` Known: 'one', 'two'.`
        let known = try #require(problem.split(separator: " Known: ").last).split(separator: "'").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }
        let described = try #require(try Self.schema().at(mapping.pointer)?["properties"]?.object)

        #expect(described.keys.sorted() == known.sorted())
        #expect(!problem.contains("and others"), "The reader names 30 keys at most: look at the rest in another way.")
    }

    @Test("describes only mappings that this test compares")
    func complete() throws {
        let closed = try Self.schema().closedMappings("")

        let conditions = closed.filter { $0.hasSuffix("Test") } + ["/$defs/condition"]

        #expect(closed.sorted() == (Self.mappings.map(\.pointer) + conditions + ["/$defs/remoteConfigSchema/anyOf/1"]).sorted())
    }

    @Test("has the attributes that the reader knows, and no others")
    func vocabulary() throws {
        let described = try Self.schema().at("/$defs/condition")?["properties"]?.object
        let words = ["all", "any", "not", "segment", "share"]

        #expect(described?.keys.sorted() == (AudienceAttribute.allCases.map(\.rawValue) + words).sorted())
    }

    @Test("has the operators of each attribute, and no others", arguments: AudienceAttribute.allCases)
    func operators(attribute: AudienceAttribute) throws {
        let properties = try Self.schema().at("/$defs/condition")?["properties"]
        let name = try #require(properties?[attribute.rawValue]?["$ref"]?.string?.split(separator: "/").last)
        let described = try Self.schema().at("/$defs/\(name)")?["properties"]?.object

        #expect(described?.keys.sorted() == ConditionOperator.all(for: .known(attribute)).map(\.rawValue).sorted())
    }

    @Test("has the operators of each type of a custom attribute, and no others", arguments: AttributeType.allCases)
    func operators(type: AttributeType) throws {
        let tests = try #require(try Self.schema().at("/$defs/condition")?["patternProperties"]?[#"^attributes\.[A-Za-z0-9._-]{1,30}$"#]?["anyOf"]?.array)
        let described = try tests.compactMap { test in
            try Self.schema().at("/$defs/\(test["$ref"]?.string?.split(separator: "/").last ?? "")")?["properties"]?.object?.keys.sorted()
        }

        #expect(described.contains(ConditionOperator.all(for: .custom("plan", type)).map(\.rawValue).sorted()))
        #expect(described.count == AttributeType.allCases.count)
    }

    @Test("has the operators of what an access level says, and no others", arguments: AccessField.allCases)
    func operators(field: AccessField) throws {
        let tests = try #require(try Self.schema().at("/$defs/condition")?["patternProperties"]?[#"^access\.[A-Za-z0-9._-]{1,75}$"#]?["anyOf"]?.array)
        let described = try tests.compactMap { test in
            try Self.schema().at("/$defs/\(test["$ref"]?.string?.split(separator: "/").last ?? "")")?["properties"]?.object?.keys.sorted()
        }

        let subject = ConditionSubject.access(AccessLevel(rawValue: "premium"), field)
        #expect(described.contains(ConditionOperator.all(for: subject).map(\.rawValue).sorted()))
    }

    @Test("has the keywords that a paywall's schema may use")
    func keywords() throws {
        let described = try Self.schema().at("/$defs/remoteConfigSchema/anyOf/1")?["properties"]?.object

        #expect(described?.keys.sorted() == RemoteConfigSchema.keywords.sorted())
    }

    @Test("is named by the example, so that editors find it")
    func named() throws {
        let text = try String(contentsOf: Sample.root.appending(path: "Examples/SelfHost/landfall.yaml"), encoding: .utf8)

        #expect(text.hasPrefix("# yaml-language-server: $schema=../../docs/landfall.schema.json\n"))
    }
}

extension JSONValue {
    fileprivate func at(_ pointer: String) -> JSONValue? {
        pointer.split(separator: "/").reduce(self) { value, step in value.flatMap { $0[String(step)] ?? Int(step).flatMap { index in value?[index] } } }
    }

    /// The pointers to everything that allows no further keys.
    fileprivate func closedMappings(_ pointer: String) -> [String] {
        switch self {
        case .object(let members):
            let own = members["additionalProperties"] == false && members["properties"] != nil ? [pointer] : []
            return own + members.flatMap { $0.value.closedMappings(pointer + "/" + $0.key) }
        case .array(let elements): return elements.enumerated().flatMap { $0.element.closedMappings(pointer + "/\($0.offset)") }
        default: return []
        }
    }
}
