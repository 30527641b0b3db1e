// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The form of an audience's rule", .timeLimit(.minutes(1)))
struct AudienceChangeTests {
    private static let yaml = ConfigurationConsole.yaml
    /// The whole rule of the audience `spring`.
    private static let spring = [
        "base": "1", "change": "rows", "group": "all", "attribute.0": "segment", "value.0": "german", "attribute.1": "app.version",
        "operation.1": ">=", "value.1": "2.1",
    ]
    /// The whole rule of the audience `plus`.
    private static let plus = [
        "base": "1", "change": "rows", "group": "all", "attribute.0": "attributes.plan", "operation.0": "in",
        "value.0": "plus, \"<img src=x>\"", "group.1": "any", "attribute.1.0": "language", "operation.1.0": "is", "value.1.0": "ja",
        "group.1.1": "neither", "attribute.1.1.0": "country", "operation.1.1.0": "exists",
    ]

    private static func draft(_ page: String) throws -> String { try ConfigurationConsole.draft(page) }

    private static func hasDraft(_ page: String) -> Bool { page.contains("/console/versions/draft/check") }

    @Test("The page shows the rule of the file in its fields, and sent as it is they change nothing")
    func unchanged() async throws {
        try await ConfigurationConsole.run { _, browser in
            let page = try await browser.get("/console/audiences/plus").page
            let plus = try await browser.post("/console/audiences/plus", Self.plus)
            let spring = try await browser.post("/console/audiences/spring", Self.spring)

            #expect(page.contains("<option value=\"attributes.plan\" selected>plan – attributes.plan</option>"))
            #expect(page.contains("name=\"group.1\"") && page.contains("<option value=\"neither\" selected>None of these:</option>"))
            #expect(page.contains("<option value=\"is\" selected>is</option>") && !page.contains("<option value=\"within\" selected>"))
            for answer in [plus, spring] { #expect(answer.status == .ok && !Self.hasDraft(answer.page)) }
        }
    }

    @Test("Conditions change, come and go; segments, groups and all other lines stay as they are")
    func conditions() async throws {
        try await ConfigurationConsole.run { _, browser in
            let spring = try await browser.post(
                "/console/audiences/spring",
                Self.spring.merging(["value.1": "2.10", "attribute.2": "country", "operation.2": "in", "value.2": "DE, AT"]) { $1 })
            let plus = try await browser.post("/console/audiences/plus", Self.plus.merging(["attribute.0": ""]) { $1 })
            let inner = try await browser.post("/console/audiences/plus", Self.plus.merging(["value.1.0": "ko"]) { $1 })

            #expect(
                try Self.draft(spring.page)
                    == Self.yaml.replacing(
                        "    app.version: { \">=\": 2.1 } # since the new screen\n",
                        with: "    app.version: { \">=\": 2.10 } # since the new screen\n    country:\n      in:\n        - DE\n        - AT\n"))
            #expect(
                try Self.draft(plus.page)
                    == Self.yaml.replacing("    attributes.plan: { in: [plus, \"<img src=x>\"] }\n", with: ""))
            #expect(try Self.draft(inner.page) == Self.yaml.replacing("{ is: ja }", with: "{ is: ko }"))
        }
    }

    @Test("A group and a share are made by hand; a number of a share is a percentage")
    func groups() async throws {
        try await ConfigurationConsole.run { _, browser in
            let answer = try await browser.post(
                "/console/audiences/unused",
                [
                    "base": "1", "change": "rows", "group": "any", "attribute.0": "share", "value.0": "half", "from.0": "10", "to.0": "50%",
                    "group.1": "notAll", "attribute.1.0": "country", "operation.1.0": "is", "value.1.0": "DE", "attribute.1.1": "language",
                    "operation.1.1": "missing",
                ])

            let rule = "any: [{ share: { of: half, from: 10%, to: 50% } }, { not: { country: { is: DE }, language: { exists: false } } }]"
            let draft = try Self.draft(answer.page)
            #expect(draft.contains(rule) && !draft.contains("{ share: { of: half, to: 50% }"))
        }
    }

    @Test("While somebody edits, a condition that is not whole is left out, the rest is the draft, and its matches are counted")
    func editing() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: server.services.database)
            func show(_ fields: [String: String], _ change: String = "show") async throws -> TestResponse {
                try await browser.post("/console/audiences/spring", Self.spring.merging(fields) { $1 }.merging(["change": change]) { $1 })
            }

            let open = try await show(["value.1": "4.0", "attribute.2": "country"])
            let done = try await show(["value.1": "4.0", "attribute.2": "country"], "rows")
            let matching = try await show(["value.1": "3.0"])
            let none = try await browser.post("/console/audiences/spring", ["base": "1", "change": "show", "group": "all", "attribute.0": ""])

            #expect(open.status == .ok && open.page.contains("A condition without a value is left out."))
            #expect(open.page.contains("<dd class=\"value\">fewer than 10</dd>") && open.page.contains("App version is at least 4.0"))
            #expect(try Self.draft(open.page) == Self.yaml.replacing("\">=\": 2.1 }", with: "\">=\": 4.0 }"))
            #expect(done.status == .unprocessableContent && done.page.contains("id=\"operation.2-problem\""))
            #expect(matching.page.contains("<dd class=\"value\">about 20</dd>") && matching.page.contains("All stored installs were looked at"))
            #expect(none.status == .ok && none.page.contains("An audience needs a condition.") && !Self.hasDraft(none.page))
            #expect(server.services.matches.known(1, nowMs: server.services.time.nowMs()) == nil)
        }
    }

    @Test("The installs of a sample serve every edit of two minutes")
    func sample() async throws {
        try await ConfigurationConsole.run { server, browser in
            let database = server.services.database
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: database)
            func shows() async throws -> String {
                try await browser.post("/console/audiences/spring", Self.spring.merging(["change": "show"]) { $1 }).page
            }

            let first = try await shows()
            _ = try await database.write(.bulk, locking: [RowLock("install", [:])]) { try $0.run("DELETE FROM install", []) }
            server.clock.advance(by: .seconds(120))
            let kept = try await shows()
            server.clock.advance(by: .seconds(1))
            let drawn = try await shows()

            #expect(first.contains("about 20</dd>") && kept.contains("about 20</dd>"))
            #expect(drawn.contains("There are no installs yet."))
        }
    }

    @Test("Buttons add, nest, move and remove by one line, also without script, and the focus goes along")
    func orders() async throws {
        try await ConfigurationConsole.run { _, browser in
            func press(_ order: String) async throws -> String {
                try await browser.post("/console/audiences/spring", Self.spring.merging(["change": order]) { $1 }).page
            }
            let added = try await press("add"), nested = try await press("nest"), up = try await press("up.1"), removed = try await press("remove.1")

            #expect(added.contains("<select id=\"attribute.2\" name=\"attribute.2\" autofocus>"))
            #expect(nested.contains("<select id=\"group.2\" name=\"group.2\" autofocus>") && nested.contains("name=\"attribute.2.0\""))
            #expect(up.contains("id=\"up.0\" name=\"change\" value=\"up.0\" autofocus") && up.contains("<option value=\"app.version\" selected>"))
            #expect(try Self.draft(removed) == Self.yaml.replacing("    app.version: { \">=\": 2.1 } # since the new screen\n", with: ""))
            for page in [added, nested, up] { #expect(!Self.hasDraft(page)) }
        }
    }

    @Test("Another attribute has other operators; one that does not go with it is refused when the change is taken over")
    func operators() async throws {
        try await ConfigurationConsole.run { _, browser in
            let fields = Self.spring.merging(["attribute.1": "install.date", "operation.1": "startsWith", "value.1": "7d"]) { $1 }
            let shown = try await browser.post("/console/audiences/spring", fields.merging(["change": "show"]) { $1 }).page
            let taken = try await browser.post("/console/audiences/spring", fields)

            #expect(shown.contains("<option value=\"within\">is within the last</option>") && shown.contains("<option value=\"&lt;\" selected>is before</option>"))
            #expect(taken.status == .unprocessableContent && taken.page.contains("id=\"operation.1-problem\""))
        }
    }

    @Test("A wrong condition is told at its field, and what was typed stays", arguments: ["rows", "show"])
    func wrong(change: String) async throws {
        try await ConfigurationConsole.run { _, browser in
            let form = Self.plus.merging(["change": change, "attribute.1.0": "country", "value.1.0": "Germany<i>"]) { $1 }

            let answer = try await browser.post("/console/audiences/plus", form)

            #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"value.1.0-problem\""))
            #expect(answer.page.contains("value=\"Germany&lt;i&gt;\"") && !answer.page.contains("Germany<i>"))
            #expect(answer.page.contains("href=\"#value.1.0\"") && !Self.hasDraft(answer.page))
        }
    }

    @Test("A rule that no form shows is changed as YAML, and the page says so")
    func noForm() async throws {
        let deep = (0..<8).reduce("{ country: { is: DE } }") { rule, _ in "{ any: [\(rule), { language: { is: ja } }] }" }
        try await ConfigurationConsole.run(Self.yaml.replacing("  unused: {", with: "  deep: \(deep)\n  unused: {")) { _, browser in
            let page = try await browser.get("/console/audiences/deep").page
            let rows = try await browser.post("/console/audiences/deep", Self.spring)
            let written = try await browser.post(
                "/console/audiences/deep", ["base": "1", "change": "yaml", "yaml": "deep: { country: { is: AT } }"])

            #expect(page.contains("too long or too deep for a form") && page.contains("<details open>") && !page.contains("name=\"attribute.0\""))
            #expect(rows.status == .unprocessableContent)
            #expect(try Self.draft(written.page).contains("  deep: { country: { is: AT } }\n") && written.page.contains("name=\"attribute.0\""))
        }
    }

    @Test("A value has suggestions: what installs have, what the server knows, and what the file's audiences use; few are not told")
    func suggestions() async throws {
        let yaml = Self.yaml.replacing(
            "  unused: {", with: "  phones: { platform: { is: ios }, country: { is: FR } }\n  swiss: { country: { is: CH } }\n  unused: {")
        try await ConfigurationConsole.run(yaml) { server, browser in
            let installs = (0..<39).map { (locale: $0 < 30 ? "de-DE" : "fr-BE", version: "3.0") }
            try await ConfigurationConsole.store(installs, in: server.services.database)
            let fields = [
                "base": "1", "change": "show", "attribute.0": "platform", "operation.0": "is", "value.0": "ios", "attribute.1": "country",
                "operation.1": "is", "value.1": "FR",
            ]

            let before = try await browser.get("/console/audiences/phones").page
            let page = try await browser.post("/console/audiences/phones", fields).page

            #expect(before.contains("list=\"values.platform\"") && before.contains("list=\"values.country\""))
            #expect(before.contains("<datalist id=\"values.platform\"><option value=\"ios\"></option><option value=\"macos\">"))
            #expect(before.contains("<datalist id=\"values.country\"><option value=\"FR\"></option><option value=\"CH\"></option></datalist>"))
            #expect(page.contains("<option value=\"DE\">about 77 % of installs</option><option value=\"FR\"></option>") && !page.contains("value=\"BE\""))
        }
    }

    @Test("The state of an access level has suggestions, and so have products")
    func purchaseSuggestions() async throws {
        let payers = "payers: { access.premium.state: { is: active }, purchases.products: { anyOf: [monthly] } }"
        let yaml = Self.yaml.replacing("  unused: {", with: "  \(payers)\n  unused: {")
            + "\naccessLevels: [premium]\nproducts: { yearly: { access: [premium] } }\n"
        try await ConfigurationConsole.run(yaml) { _, browser in
            let page = try await browser.get("/console/audiences/payers").page

            #expect(page.contains("<datalist id=\"values.access.premium.state\"><option value=\"active\"></option><option value=\"grace\"></option>"))
            #expect(page.contains("<datalist id=\"values.purchases.products\"><option value=\"yearly\"></option></datalist>"))
            #expect(page.contains("State of premium – access.premium.state") && page.contains("Bought products has any of monthly"))
        }
    }

    @Test("A new audience is edited in the same way: what it would match is counted before it has a name")
    func new() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: server.services.database)
            let fields = ["base": "1", "group": "all", "attribute.0": "country", "operation.0": "is", "value.0": "DE"]
            func send(_ more: [String: String]) async throws -> TestResponse {
                try await browser.post("/console/new/audience", fields.merging(more) { $1 })
            }
            let page = try await browser.get("/console/new/audience").page

            let shown = try await send(["change": "show"]), nested = try await send(["change": "nest", "name": "ours"])
            let wrong = try await send(["change": "show", "value.0": "Germany"])
            let made = try await send(["change": "create", "name": "ours"])

            // The cursor is in the first field until somebody has typed.
            for (answer, isFirst) in [(page, true), (shown.page, false), (nested.page, false), (wrong.page, false)] {
                #expect(answer.contains(/<input id="name"[^>]* autofocus>/) == isFirst)
            }
            #expect(page.contains("<option value=\"\" selected>Choose what to look at</option>") && page.contains("<optgroup label=\"The phone\">"))
            #expect(shown.status == .ok && shown.page.contains("Country is DE") && shown.page.contains("about 20</dd>") && !Self.hasDraft(shown.page))
            #expect(nested.page.contains("name=\"attribute.1.0\"") && nested.page.contains("name=\"name\" type=\"text\" value=\"ours\""))
            #expect(wrong.status == .unprocessableContent && wrong.page.contains("id=\"value.0-problem\""))
            #expect(try Self.draft(made.page).contains("\n  ours:\n    country:\n      is: DE\n"))
            #expect(made.page.contains("action=\"/console/audiences/ours\""))
        }
    }
}
