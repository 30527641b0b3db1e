// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The form of a paywall", .timeLimit(.minutes(1)))
struct PaywallChangeTests {
    private static let yaml = ConfigurationConsole.yaml

    private static func sent(_ page: String) throws -> String { ConfigurationChangeTests.sent(try ConfigurationChangeTests.draft(page)) }

    @Test("Products and the values of a locale change alone; a missing value is added, and keeps its kind")
    func paywall() async throws {
        try await ConfigurationConsole.run { _, browser in
            // English and German: title, lines[0], lines[1], button, days.
            let german = try await browser.post(
                "/console/paywalls/default",
                [
                    "base": "1", "change": "values", "locale": "de", "products": "yearly\r\nmonthly\r\n weekly ", "value.0.0": "Unlock",
                    "value.0.1": "Los!", "value.4.1": "14", "value.3.1": "Weiter",
                ])
            let kind = try await browser.post(
                "/console/paywalls/default", ["base": "1", "change": "values", "locale": "de", "value.4.1": "many"])

            #expect(
                try ConfigurationChangeTests.draft(german.page)
                    == Self.yaml.replacing("products: [yearly, monthly]\n    default", with: "products: [yearly, monthly, weekly]\n    default")
                    .replacing("de: { title: Los, days: 7 }", with: "de: { title: Los!, days: 14, button: Weiter }"))
            #expect(kind.status == .unprocessableContent && kind.page.contains("id=\"value.4.1-problem\""))
            #expect(kind.page.contains("value=\"many\""))
        }
    }

    @Test("A locale that lacks a list gets its first elements, in their order and no others")
    func missingList() async throws {
        try await ConfigurationConsole.run { _, browser in
            func send(_ fields: [String: String]) async throws -> TestResponse {
                try await browser.post("/console/paywalls/default", fields.merging(["base": "1", "change": "values", "locale": "en"]) { $1 })
            }
            let both = try await send(["value.1.1": "Eins", "value.2.1": "Zwei"]), gap = try await send(["value.1.1": "", "value.2.1": "Zwei"])

            #expect(
                try ConfigurationChangeTests.draft(both.page)
                    == Self.yaml.replacing("de: { title: Los, days: 7 }", with: "de: { title: Los, days: 7, lines: [Eins, Zwei] }"))
            #expect(gap.status == .unprocessableContent && gap.page.contains("id=\"value.2.1-problem\""))
        }
    }

    @Test("Values are asked for by their kind: a wrong colour, address or number is told at its field, and what was typed stays")
    func kinds() async throws {
        let yaml = Self.yaml.replacing(
            "spare: { products: [weekly] }",
            with: "spare: { remoteConfig: { en: { tint: \"#0b6b5b\", image: \"https://example.com/a.png\", isNew: true } } }")
        try await ConfigurationConsole.run(yaml) { _, browser in
            func send(_ fields: [String: String]) async throws -> TestResponse {
                try await browser.post("/console/paywalls/spare", fields.merging(["base": "1", "change": "values", "locale": "en"]) { $1 })
            }
            let page = try await browser.get("/console/paywalls/spare").page
            let right = try await send(["value.0.0": "#fff", "value.1.0": "https://example.com/b.png", "value.2.0": "false"])

            #expect(page.contains("fill=\"#0b6b5b\"") && page.contains("type=\"color\" value=\"#0b6b5b\""))
            #expect(page.contains("inputmode=\"url\""))
            #expect(page.contains("<option value=\"true\" selected>Yes</option><option value=\"false\">No</option>"))
            #expect(
                try ConfigurationChangeTests.draft(right.page)
                    == yaml.replacing("#0b6b5b", with: "#fff").replacing("a.png", with: "b.png").replacing("isNew: true", with: "isNew: false"))
            let wrongs = [("value.0.0", "green"), ("value.1.0", "http://example.com"), ("value.1.0", "javascript:a"), ("value.2.0", "maybe")]
            for (field, wrong) in wrongs {
                let answer = try await send([field: wrong])
                #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"\(field)-problem\""), "\(wrong)")
                #expect(field == "value.2.0" || answer.page.contains("value=\"\(wrong)\""))
            }
        }
    }

    @Test("A short text of several lines has a field of several lines, and stays as it is, however the file breaks them")
    func breaks() async throws {
        let yaml = Self.yaml.replacing("spare: { products: [weekly] }", with: #"spare: { remoteConfig: { en: { text: "One\r\nTwo" } } }"#)
        try await ConfigurationConsole.run(yaml) { _, browser in
            func send(_ text: String) async throws -> String {
                try await browser.post("/console/paywalls/spare", ["base": "1", "change": "values", "locale": "en", "value.0.0": text]).page
            }
            let page = try await browser.get("/console/paywalls/spare").page, same = try await send("One\r\nTwo"), other = try await send("One\r\n2")

            #expect(page.contains("<textarea id=\"value.0.0\""))
            #expect(!same.contains("/console/versions/draft/check") && other.contains("/console/versions/draft/check"))
        }
    }

    @Test("Two locales change in one draft: the button of the other one takes over what was typed")
    func locales() async throws {
        try await ConfigurationConsole.run { _, browser in
            func send(_ fields: [String: String]) async throws -> TestResponse {
                try await browser.post("/console/paywalls/default", fields.merging(["base": "1"]) { $1 })
            }
            let first = try await send(["change": "values", "locale": "de", "value.0.1": "Los!"])
            let second = try await send(
                ["change": "open.en", "locale": "de", "text": Self.sent(first.page), "value.0.1": "Los jetzt"])
            let third = try await send(
                ["change": "values", "locale": "en", "text": Self.sent(second.page), "value.0.0": "Begin"])

            #expect(first.page.contains("name=\"change\" value=\"open.en\"") && !first.page.contains("?locale=en"))
            #expect(first.page.contains("data-draft") && second.page.contains("name=\"locale\" value=\"en\""))
            #expect(
                try ConfigurationChangeTests.draft(third.page)
                    == Self.yaml.replacing("{ title: Unlock,", with: "{ title: Begin,").replacing("de: { title: Los,", with: "de: { title: Los jetzt,"))
        }
    }
}
