// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("The configuration that the docs show can be served", .timeLimit(.minutes(1)))
struct DocumentedConfigurationTests {
    /// What an example leaves out is added, so that it is read as a part of a whole file.
    private static let rest = [
        "app": "app: { id: example, bundleId: com.example.app }",
        "keys": "keys: [{ sdk: pk_demo }]",
        "audiences": "audiences: { apple-ads-users: { attribution.source: { is: apple_search_ads } } }",
        "events": "events: { trial_started: {} }",
        "attributes": "attributes: { plan: string, sessions: number }",
        "paywalls": "paywalls: { default: {}, spring: {}, welcome: {}, calm: {} }",
        "placements": "placements: { home: [{ audience: everyone, paywall: default }] }",
    ]

    private static let environment = [
        "LANDFALL_IDENTITY_SECRET": "an-example-secret-of-32-bytes-ok",
        "LANDFALL_SERVER_KEY": "sk_0123456789abcdef0123456789abcdef",
        "LANDFALL_WEBHOOK_SECRET": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "LANDFALL_OLD_WEBHOOK_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "LANDFALL_MAIL_PASSWORD": "an-example-password", "LANDFALL_CHAT_URL": "https://hooks.example.com/services/T/B",
        "LANDFALL_OPENID_SECRET": "an-example-secret",
        "LANDFALL_REPORTS_KEY": "sk_fedcba9876543210fedcba9876543210",
    ]

    private static func examples(in path: String) throws -> [String] {
        let parts = try Sample.file(path).split(separator: "```", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("yaml\n") }
            .map { String($0.element.dropFirst("yaml\n".count)) }
    }

    @Test("Each example is right", arguments: [("docs/configuration.md", 28), ("docs/operating/alerts.md", 1), ("docs/features/webhooks.md", 1), ("docs/features/targeting.md", 3), ("docs/features/link-targets.md", 1), ("docs/features/paywall-view.md", 1)])
    func examples(path: String, count: Int) throws {
        let examples = try Self.examples(in: path)

        #expect(examples.count == count)
        for example in examples {
            let missing = Self.rest.filter { key, _ in !"\n\(example)".contains("\n\(key):") }.values.sorted()
            let yaml = example + missing.map { $0 + "\n" }.joined()
            #expect(Sample.problems(yaml, environment: Self.environment) == [], "\(yaml)")
        }
    }

    @Test("Every attribute and operator of an audience is documented")
    func vocabulary() throws {
        let page = try Sample.file("docs/features/targeting.md")
        let names = AudienceAttribute.allCases.map(\.rawValue)

        for name in names {
            let short = name.replacing("attribution.", with: ".").replacing("link.", with: ".")
            #expect(page.contains("`\(name)`") || page.contains("`\(short)`"), "\(name)")
        }
        for symbol in ConditionOperator.allCases.map(\.rawValue) {
            #expect(
                page.contains("`\(symbol)`") || page.contains("`\(symbol): ") || page.contains("`\"\(symbol)\"`"), "\(symbol)")
        }
    }

    @Test("Every key of the file is documented")
    func keys() throws {
        let page = try Sample.file("docs/configuration.md")

        let keys = [
            "app", "keys", "identity", "domains", "attributes", "paywalls", "links", "linkTemplates", "linkPages", "deferredLinks", "attribution", "appleAds",
            "accessLevels", "products", "purchases", "events", "metrics", "testDevices", "layers, holdouts and experiments", "webhooks", "exports", "alerts", "retention", "reporting", "signIn",
        ]
        for key in keys {
            #expect(page.contains("\n## \(key)\n"), "\(key)")
        }
    }
}
