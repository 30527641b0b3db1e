// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The forms that add entries to the configuration", .timeLimit(.minutes(1)))
struct NewEntryTests {
    private static let experiments = """
        experiments:
          price: { state: draft, variations: { A: { weight: 1, paywall: default } } }
          idle: { state: draft, variations: { A: { weight: 1, paywall: default } } }

        """
    private static let yaml = ConfigurationConsole.yaml.replacing(
        "audience: plus\n      paywall: default", with: "audience: plus\n      experiment: price") + experiments

    private static func draft(_ page: String) throws -> String { try ConfigurationConsole.draft(page) }

    @Test("Each kind of entry is added behind the others, and nothing is published")
    func kinds() async throws {
        try await ConfigurationConsole.run(Self.yaml) { server, browser in
            let paywall = try await browser.post(
                "/console/new/paywall",
                ["base": "1", "name": " fresh ", "products": "weekly\r\n yearly ", "locale": "en", "config": "title: New\r\ndays: 3"])
            let audience = try await browser.post(
                "/console/new/audience",
                [
                    "base": "1", "name": "japanese", "attribute.0": "language", "operation.0": "is", "value.0": "ja",
                    "attribute.1": "country", "operation.1": "is", "value.1": "JP",
                ])
            let placement = try await browser.post(
                "/console/new/placement", ["base": "1", "name": "offer", "shows": "paywall:spare"])
            let experiment = try await browser.post(
                "/console/new/experiment",
                [
                    "base": "1", "name": "texts", "variation.0": "A", "weight.0": "50", "paywall.0": "default",
                    "variation.1": "B", "weight.1": "30", "paywall.1": "special",
                ])

            for answer in [paywall, audience, placement, experiment] {
                #expect(answer.status == .ok)
                #expect(answer.page.contains("action=\"/console/versions/draft/check\"") && answer.page.contains("name=\"base\" value=\"1\""))
            }
            #expect(
                try Self.draft(paywall.page).contains(
                    """
                      spare: { products: [weekly] }
                      fresh:
                        products:
                          - weekly
                          - yearly
                        defaultLocale: en
                        remoteConfig:
                          en:
                            title: New
                            days: 3
                    segments:
                    """))
            #expect(try Self.draft(audience.page).contains("\n  japanese:\n    language:\n      is: ja\n    country:\n      is: JP\n"))
            #expect(try Self.draft(placement.page).contains("\n  offer:\n    - audience: everyone\n      paywall: spare\n"))
            #expect(
                try Self.draft(experiment.page).contains(
                    "\n  texts:\n    state: draft\n    variations:\n      A:\n        weight: 50\n        paywall: default\n"
                        + "      B:\n        weight: 30\n        paywall: special\n"))
            #expect(try await ConfigurationStore(server.services.database).newestNumber() == 1)
        }
    }

    @Test("A section that the file lacks is added with its first entry")
    func section() async throws {
        try await ConfigurationConsole.run { _, browser in
            let answer = try await browser.post(
                "/console/new/experiment",
                ["base": "1", "name": "texts", "paywall.0": "default", "paywall.1": "spare"])

            #expect(try Self.draft(answer.page).contains("\nexperiments:\n  texts:\n    state: draft\n"))
        }
    }

    @Test(
        "What is wrong is told at its field, and what was typed stays",
        arguments: [
            ("paywall", [:], "name"), ("paywall", ["name": "spare"], "name"), ("paywall", ["name": "a b<i>"], "name"),
            ("paywall", ["name": "fresh", "products": "a\na"], "products"), ("paywall", ["name": "fresh", "config": "a: 1"], "locale"),
            ("paywall", ["name": "fresh", "locale": "en", "config": "text"], "config"),
            ("audience", ["name": "fresh"], "attribute.0"), ("audience", ["name": "fresh", "attribute.0": "country"], "operation.0"),
            ("audience", ["name": "fresh", "attribute.0": "country", "operation.0": "is", "value.0": "Germany"], "value.0"),
            ("placement", ["name": "fresh"], "shows"), ("placement", ["name": "fresh", "shows": "paywall:nobody"], "shows"),
        ] as [(String, [String: String], String)])
    func wrong(kind: String, form: [String: String], field: String) async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let answer = try await browser.post("/console/new/" + kind, form)

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.contains("id=\"\(field)-problem\""))
            #expect(!answer.page.contains("/console/versions/draft/check") && !answer.page.contains("<i>"))
            if let name = form["name"], name != "a b<i>" { #expect(answer.page.contains("value=\"\(name)\"")) }
        }
    }

    @Test("A draft takes one entry after the other, and a later one may use an earlier one")
    func several() async throws {
        try await ConfigurationConsole.run { _, browser in
            let first = try await browser.post("/console/new/paywall", ["base": "1", "name": "fresh", "products": "weekly"])
            let text = try Self.draft(first.page).replacing("\n", with: "\r\n")
            let form = try await browser.post("/console/new/placement", ["base": "1", "text": text, "change": "open"])
            let second = try await browser.post(
                "/console/new/placement", ["base": "1", "text": text, "name": "offer", "shows": "paywall:fresh"])

            #expect(form.status == .ok && form.page.contains("value=\"paywall:fresh\"") && !form.page.contains("-problem\""))
            #expect(try Self.draft(form.page) == Self.draft(first.page))
            let draft = try Self.draft(second.page)
            #expect(draft.contains("\n  fresh:\n") && draft.contains("\n  offer:\n    - audience: everyone\n      paywall: fresh\n"))
        }
    }

    @Test("The reason that is written for a draft goes along with it")
    func reason() async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let first = try await browser.post("/console/new/paywall", ["base": "1", "name": "fresh", "products": "weekly"])
            let draft = ["base": "1", "text": try Self.draft(first.page), "message": "For spring"]
            func post(_ place: String, _ form: [String: String]) async throws -> String {
                try await browser.post(place, draft.merging(form) { $1 }).page
            }

            for kind in NewEntryPage.Kind.allCases {
                // Hidden in the form, and shown below it.
                let page = try await post("/console/new/" + kind.rawValue, ["change": "open"])
                #expect(page.ranges(of: "value=\"For spring\"").count == 2, "\(kind)")
            }
            let made = try await post("/console/new/placement", ["name": "offer", "shows": "paywall:fresh"])
            let refused = try await post("/console/new/placement", ["name": ""])
            let moved = try await post("/console/placements/home", ["change": "up.1"])
            let tried = try await post("/console/new/experiment", ["question": "Why?", "name": "texts", "paywall.0": "default", "paywall.1": "fresh"])
            for page in [made, refused, moved, tried] { #expect(page.contains("value=\"For spring\"")) }
        }
    }

    @Test("A new locale begins as a copy of the default one; an existing locale and an invalid one are refused")
    func locale() async throws {
        try await ConfigurationConsole.run { _, browser in
            func add(_ locale: String) async throws -> TestResponse {
                try await browser.post("/console/paywalls/default", ["base": "1", "change": "locale", "locale": "de", "newLocale": locale])
            }
            let added = try await add("ja"), again = try await add("de"), wrong = try await add("no locale"), empty = try await add("")

            #expect(added.status == .ok)
            #expect(try Self.draft(added.page).contains("\n      de: { title: Los, days: 7 }\n      ja:\n        title: Unlock\n"))
            for answer in [again, wrong, empty] {
                #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"newLocale-problem\""))
            }
        }
    }

    @Test("A placement and an experiment that are used stay, and their users are named; others are deleted")
    func delete() async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let home = try await browser.post("/console/placements/home", ["base": "1", "change": "delete"])
            let settings = try await browser.post("/console/placements/settings", ["base": "1", "change": "delete"])
            let price = try await browser.post("/console/experiments/price/delete")
            let idle = try await browser.post("/console/experiments/idle/delete")

            #expect(home.status == .conflict && home.page.contains("home is used by: Test device mayas-phone."))
            #expect(try !Self.draft(settings.page).contains("settings:"))
            #expect(price.status == .conflict && price.page.contains("price is used by: Placement home."))
            #expect(try !Self.draft(idle.page).contains("idle:"))
        }
    }

    @Test("Where a file has the last word, the page shows the new entry to be copied")
    func ownedByFile() async throws {
        try await ConfigurationConsole.run(owner: .file) { _, browser in
            let answer = try await browser.post("/console/new/placement", ["base": "1", "name": "offer", "shows": "paywall:spare"])

            #expect(answer.page.contains("--config-owner file") && !answer.page.contains("/console/versions/draft/check"))
            #expect(answer.page.contains("offer:\n  - audience: everyone\n    paywall: spare"))
        }
    }

    @Test("An empty list asks those who may publish for the first entry, and names the file only where it owns the configuration")
    func firstOne() async throws {
        let yaml = "app: { id: sample, bundleId: com.example.sample }\nkeys: [{ sdk: pk_test }]\npaywalls: { default: { products: [yearly] } }\nplacements: { home: [{ audience: everyone, paywall: default }] }\n"
        for (role, owner) in [(Role.editor, ConfigurationOwner.store), (.viewer, .store), (.editor, .file)] {
            try await ConfigurationConsole.run(yaml, as: role, owner: owner) { _, browser in
                for section in ["audiences", "experiments"] {
                    let page = try await browser.get("/console/" + section).page
                    #expect(page.contains("Make the first one") == (role == .editor && owner == .store))
                    if owner == .file { #expect(page.contains("landfall.yaml")) }
                }
            }
        }
    }

    @Test("Lists lead members who may publish to the forms, and nobody else")
    func links() async throws {
        for role in [Role.editor, .viewer] {
            try await ConfigurationConsole.run(as: role) { _, browser in
                for kind in NewEntryPage.Kind.allCases {
                    let list = try await browser.get("/console/" + kind.section).page
                    let form = try await browser.get("/console/new/" + kind.rawValue)

                    #expect(list.contains("href=\"/console/new/\(kind.rawValue)\"") == (role == .editor))
                    #expect(form.status == (role == .editor ? .ok : .forbidden))
                }
            }
        }
    }
}
