// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Webhooks in the configuration", .timeLimit(.minutes(1)))
struct WebhookReadingTests {
    private static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let environment = ["LANDFALL_HOOK": secret, "LANDFALL_OLD": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "LANDFALL_BAD": "secret"]

    @Test("are read with types and secrets")
    func read() throws {
        let configuration = try Sample.configuration(
            """
            webhooks:
              - { url: https://hooks.example.com/a, secretFrom: LANDFALL_HOOK, types: [first_open, link.clicked] }
              - { url: "http://127.0.0.1:9000/b", secretFrom: LANDFALL_HOOK, previousSecretFrom: LANDFALL_OLD, types: [profile.erased] }

            """, environment: Self.environment)

        let webhooks = configuration.webhooks
        #expect(webhooks.map(\.url) == ["https://hooks.example.com/a", "http://127.0.0.1:9000/b"])
        #expect(webhooks.map(\.secrets.count) == [1, 2])
        #expect(webhooks[0].types == WebhookTypes([.firstOpen, .linkClicked]))
        #expect(webhooks[1].types == WebhookTypes([.profileErased]))
    }

    @Test("Every type can be named")
    func all() throws {
        let types = WebhookType.allCases.map(\.rawValue).joined(separator: ", ")

        let configuration = try Sample.configuration(
            "webhooks: [{ url: https://a.example, secretFrom: LANDFALL_HOOK, types: [\(types)] }]\n", environment: Self.environment)

        #expect(configuration.webhooks.first?.types == WebhookTypes(WebhookType.allCases))
    }

    @Test(
        "A mistake has a sentence",
        arguments: [
            ("url: http://hooks.example.com, secretFrom: LANDFALL_HOOK, types: [first_open]", "Write the https address of your endpoint."),
            ("url: https://u:p@a.example, secretFrom: LANDFALL_HOOK, types: [first_open]", "Write the https address of your endpoint."),
            ("url: https://a.example, secretFrom: PATH, types: [first_open]", "Only variables of capitals"),
            ("url: https://a.example, secretFrom: LANDFALL_NONE, types: [first_open]", "is not set"),
            ("url: https://a.example, secretFrom: LANDFALL_BAD, types: [first_open]", "is not 'whsec_' and base64 of 24 to 64 bytes"),
            ("url: https://a.example, secretFrom: LANDFALL_HOOK, previousSecretFrom: LANDFALL_BAD, types: [first_open]", "LANDFALL_BAD"),
            ("url: https://a.example, secretFrom: LANDFALL_HOOK, types: [first_opens]", "Did you mean 'first_open'?"),
            ("url: https://a.example, secretFrom: LANDFALL_HOOK, types: []", "'types' is empty."),
            ("url: https://a.example, secretFrom: LANDFALL_HOOK, types: [first_open, first_open]", "is here a second time"),
            ("url: https://a.example, secretFrom: LANDFALL_HOOK", "A webhook needs 'types'. Add it."),
            ("url: https://a.example, types: [first_open]", "A webhook needs 'secretFrom'. Add it."),
        ])
    func mistakes(fields: String, sentence: String) throws {
        let problems = Sample.problems(adding: "webhooks: [{ \(fields) }]\n", environment: Self.environment)

        #expect(problems.count == 1, "\(problems)")
        #expect(try #require(problems.first).contains(sentence), "\(problems)")
        #expect(!problems.joined().contains(Self.secret))
    }

    @Test("One address is named once")
    func twice() {
        let one = "{ url: https://a.example, secretFrom: LANDFALL_HOOK, types: [first_open] }"

        let problems = Sample.problems(adding: "webhooks: [\(one), \(one)]\n", environment: Self.environment)

        #expect(problems.count == 1 && problems[0].contains("has the same name"), "\(problems)")
    }

    @Test("A program that does not serve needs no secrets")
    func standIn() throws {
        let yaml = Sample.base + "webhooks: [{ url: https://a.example, secretFrom: LANDFALL_NOT_SET_HERE, types: [first_open] }]\n"

        let read = ReadConfiguration(yaml: yaml, secrets: .withoutSecrets)

        #expect(try read.requireConfiguration().webhooks.count == 1)
        #expect(read.warnings.count == 1)
    }

    @Test("A changed endpoint is said by its address")
    func difference() {
        func node(_ types: String) -> ConfigurationNode? {
            ReadConfiguration(
                yaml: Sample.base + "webhooks: [{ url: https://a.example, secretFrom: LANDFALL_HOOK, types: [\(types)] }]\n",
                secrets: .withoutSecrets
            ).root
        }

        let changes = ConfigurationChanges(from: node("first_open"), to: node("first_open, link.clicked"))

        #expect(changes.sections == ["webhooks"])
        #expect(changes.listed.count == 1 && changes.listed[0].sentence.contains("https://a.example"), "\(changes.listed.map(\.sentence))")
    }
}
