// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A new experiment in the console", .timeLimit(.minutes(1)))
struct NewExperimentTests {
    private static let place = "/console/new/experiment"
    private static let yaml = ConfigurationConsole.yaml
        + "events: { trial_started: {} }\nmetrics: { trial: { event: trial_started, windowDays: 14 } }\n"
        + "experiments:\n  idle: { state: draft, variations: { A: { weight: 1, paywall: default } } }\n"
    private static let whole = [
        "base": "1", "question": "Do more people start at half the price?", "paywall.0": "default", "paywall.1": "spare", "placement": "home",
        "audience": "everyone", "primary": "trial", "effect": "20", "rate": "3 %", "perDay": "960", "state": "live",
    ]

    /// What the page's script gets.
    private static func sentences(_ form: [String: String], _ browser: ConsoleBrowser) async throws -> [String] {
        try await browser.post(place, form, csrf: nil, [.secFetchSite: "same-origin", .accept: "application/json"]).decoded()
    }

    /// The file that the page would send on.
    private static func draft(_ page: String) throws -> String {
        let start = try #require(page.firstRange(of: "name=\"text\" value=\"")).upperBound
        let end = try #require(page[start...].firstIndex(of: "\""))
        return String(page[start..<end]).replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    @Test("The form leads to one draft: the experiment with its size, its place, and the question as the reason")
    func makes() async throws {
        try await ConfigurationConsole.run(Self.yaml) { server, browser in
            let form = try await browser.get(Self.place).page
            let made = try await browser.post(Self.place, Self.whole.merging(["change": "create"]) { $1 })

            #expect(form.contains(/<input id="question"[^>]* autofocus>/) && !made.page.contains(" autofocus"))
            #expect(form.contains("name=\"question\"") && form.contains("<option value=\"home\" selected>") && form.contains("id=\"plan\""))
            #expect(made.status == .ok && made.page.contains("action=\"/console/versions/draft/check\""))
            #expect(made.page.contains("value=\"Do more people start at half the price?\""))
            let text = try Self.draft(made.page), name = "do-more-people-start-at-half-the-price"
            #expect(
                text.contains(
                    """
                      \(name):
                        state: live
                        variations:
                          A:
                            weight: 50
                            paywall: default
                          B:
                            weight: 50
                            paywall: spare
                        primary: trial
                        plannedUnits: 53276

                    """))
            let entries = try #require(ConfigurationDocument(number: 2, text: text)?.entry("placements", "home")).items
            #expect(entries.map { $0.text("audience") } == ["spring", "plus", "everyone"])
            #expect(entries[2].text("experiment") == name && !entries[2].has("paywall") && entries[1].text("paywall") == "default")
            #expect(try await ConfigurationStore(server.services.database).newestNumber() == 1, "Nothing is published.")
        }
    }

    @Test("An audience that the placement lacks is added above everyone; without a placement, a metric and numbers there is a draft")
    func places() async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let unused = Self.whole.merging(["name": "half", "audience": "unused", "weight.0": "90", "weight.1": "10"]) { $1 }
            let added = try await browser.post(Self.place, unused)
            let small = try await browser.post(Self.place, ["base": "1", "name": "texts", "paywall.0": "default", "paywall.2": "spare"])

            let text = try Self.draft(added.page)
            let entries = try #require(ConfigurationDocument(number: 2, text: text)?.entry("placements", "home")).items
            #expect(entries.map { $0.text("audience") } == ["spring", "plus", "unused", "everyone"] && entries[2].text("experiment") == "half")
            #expect(text.contains("# until May") && text.contains("weight: 90"))
            #expect(
                try Self.draft(small.page).contains(
                    "\n  texts:\n    state: draft\n    variations:\n      A:\n        weight: 50\n        paywall: default\n"
                        + "      C:\n        weight: 50\n        paywall: spare\n"))
        }
    }

    @Test("Compute says how long it takes and keeps what was typed; a program gets the sentences alone, also those about a wrong number")
    func computes() async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let asked = Self.whole.merging(["change": "compute"]) { $1 }

            let page = try await browser.post(Self.place, asked)
            let sentences = try await Self.sentences(asked, browser)
            let wrong = try await Self.sentences(asked.merging(["rate": "0"]) { $1 }, browser)

            #expect(page.status == .ok && page.page.contains("26,638 units in each variation, 53,276 in all"))
            #expect(page.page.contains("over on day 70.") && !page.page.contains("/draft/check"))
            #expect(page.page.contains("value=\"960\"") && page.page.contains("<option value=\"spare\" selected>"))
            #expect(sentences.count == 2 && sentences.allSatisfy { page.page.contains($0) })
            #expect(wrong == ["Write a share above 0 % and below 100 %."])
        }
    }

    @Test("Rate and units a day are those that the reports counted for this audience at this placement")
    func counted() async throws {
        try await ConfigurationConsole.run(Self.yaml) { server, browser in
            let asked = Self.whole.merging(["change": "compute", "rate": "", "perDay": ""]) { $1 }
            let phones = ExperimentServer(server: server)
            let before = try await Self.sentences(asked, browser)
            for number in 1...35 {
                let phone = Phone(number, secret: UInt8(number)), dayMs: Int64 = 86_400_000
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                var shown = phones.event(.paywallShown, of: nil, id: 10 * number, ageMs: 20 * dayMs)
                (shown.paywall, shown.audience) = (PaywallID("default"), AudienceID(number <= 30 ? "everyone" : "plus"))
                var trial = phones.event(Event.Kind("trial_started"), of: nil, id: 10 * number + 1, ageMs: 19 * dayMs)
                trial.placement = nil
                try await phones.send(number % 3 == 0 ? [shown, trial] : [shown], from: phone)
            }
            while try await server.services.rollups.step() {}

            let after = try await Self.sentences(asked, browser)
            let other = try await Self.sentences(asked.merging(["placement": "settings"]) { $1 }, browser)
            let begun = try await browser.get(Self.place).page

            let words = Words(.english).experiments
            #expect(before == [words.nothingCounted] && other == before)
            #expect(after.count == 3 && after[0].contains("from 33.33 % to 40.00 % (+20.0 %)") && after[1].contains("At 5.0 units a day"))
            #expect(after[2].hasPrefix("Counted at home, Everyone from ") && after[2].hasSuffix(": 30 units, 10 of them with trial."))
            #expect(begun.contains(after[2]))
        }
    }

    @Test(
        "What is wrong is told at its field, and what was typed stays",
        arguments: [
            (["question": ""], "question"), (["question": String(repeating: "x", count: 1_001)], "question"), (["name": "idle"], "name"),
            (["name": "a b<i>"], "name"), (["paywall.0": ""], "paywall.0"), (["paywall.1": ""], "paywall.1"), (["paywall.1": "nobody"], "paywall.1"),
            (["variation.1": "A"], "variation.1"), (["variation.1": "a b"], "variation.1"), (["weight.0": "1", "weight.1": "many"], "weight.1"),
            (["weight.0": "1"], "weight.1"), (["weight.0": "-1", "weight.1": "1"], "weight.0"), (["placement": ""], "placement"),
            (["placement": "nowhere"], "placement"), (["audience": "nobody"], "audience"), (["primary": ""], "primary"),
            (["primary": "revenue"], "primary"),
            (["rate": "0"], "rate"), (["perDay": "-3"], "perDay"), (["effect": "0"], "effect"), (["effect": "0.0001"], "effect"),
        ] as [([String: String], String)])
    func wrong(form: [String: String], field: String) async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let answer = try await browser.post(Self.place, Self.whole.merging(form) { $1 })

            #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"\(field)-problem\""))
            #expect(!answer.page.contains("/console/versions/draft/check") && !answer.page.contains("<i>"))
            if field != "perDay" { #expect(answer.page.contains("value=\"960\"")) }
        }
    }

    @Test("A draft of other entries goes on: a new paywall can be tried at once")
    func goesOn() async throws {
        try await ConfigurationConsole.run(Self.yaml) { _, browser in
            let first = try await browser.post("/console/new/paywall", ["base": "1", "name": "fresh", "products": "weekly"])
            let text = try Self.draft(first.page)

            let form = try await browser.post(Self.place, ["base": "1", "text": text, "change": "open"])
            let made = try await browser.post(Self.place, Self.whole.merging(["text": text, "paywall.1": "fresh"]) { $1 })

            #expect(form.status == .ok && form.page.contains("<option value=\"fresh\">") && !form.page.contains("-problem\""))
            let draft = try Self.draft(made.page)
            #expect(draft.contains("\n  fresh:\n") && draft.contains("        paywall: fresh\n") && draft.contains("plannedUnits: 53276"))
        }
    }

    @Test("A file without metrics has a form for a draft, which says where a metric is added")
    func withoutMetrics() async throws {
        try await ConfigurationConsole.run { _, browser in
            let page = try await browser.get(Self.place).page

            #expect(page.contains(Words(.english).experiments.noMetrics.escapedForHTML) && !page.contains("name=\"primary\""))
            #expect(page.contains("value=\"draft\" checked") && !page.contains("value=\"live\""))
        }
    }
}
