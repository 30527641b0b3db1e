// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The form of a placement", .timeLimit(.minutes(1)))
struct PlacementChangeTests {
    private static let yaml = ConfigurationConsole.yaml

    private static func sent(_ page: String) throws -> String { ConfigurationChangeTests.sent(try ConfigurationChangeTests.draft(page)) }

    @Test("An entry that moves up takes its lines with it, and all other lines stay; moves go on from the draft")
    func order() async throws {
        try await ConfigurationConsole.run { server, browser in
            let spring = "    # for spring\n    - { audience: spring, paywall: special } # until May\n"
            let plus = "    - audience: plus\n      paywall: default\n"
            let swapped = Self.yaml.replacing(spring + plus, with: plus + spring)

            let answer = try await browser.post("/console/placements/home", ["base": "1", "change": "up.1"])
            let draft = try ConfigurationChangeTests.draft(answer.page)
            let back = try await browser.post(
                "/console/placements/home", ["base": "1", "text": ConfigurationChangeTests.sent(draft), "change": "down.0"])

            let dragged = try await browser.post("/console/placements/home", ["base": "1", "change": "move.0.1"])

            #expect(answer.status == .ok)
            #expect(swapped != Self.yaml && draft == swapped)
            #expect(try ConfigurationChangeTests.draft(dragged.page) == swapped)
            #expect(answer.page.contains("action=\"/console/versions/draft/check\"") && answer.page.contains("name=\"base\" value=\"1\""))
            #expect(answer.page.contains("<ins>+     "))
            #expect(back.status == .ok && !back.page.contains("/console/versions/draft/check"))
            #expect(try await ConfigurationStore(server.services.database).newestNumber() == 1)
        }
    }

    @Test("Everyone stays last, and an entry that is not there is refused", arguments: ["up.2", "down.1", "down.2", "remove.2", "up.9", "up.x", "", "up.0", "move.0.2", "move.2.0", "move.0.0", "move.0", "move.0.9", "move.0.-1", "move.0.1.0", "up.1.0"])
    func everyone(change: String) async throws {
        try await ConfigurationConsole.run { _, browser in
            let answer = try await browser.post("/console/placements/home", ["base": "1", "change": change])

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.contains("role=\"alert\"") && !answer.page.contains("/console/versions/draft/check"))
        }
    }

    @Test("An entry is removed, and another one added above everyone")
    func entries() async throws {
        try await ConfigurationConsole.run { _, browser in
            let removed = try await browser.post("/console/placements/settings", ["base": "1", "change": "remove.0"])
            let added = try await browser.post(
                "/console/placements/home", ["base": "1", "change": "add", "audience": "unused", "shows": "paywall:spare"])
            let again = try await browser.post(
                "/console/placements/home", ["base": "1", "change": "add", "audience": "plus", "shows": "paywall:spare"])
            let wrong = try await browser.post(
                "/console/placements/home", ["base": "1", "change": "add", "audience": "unused", "shows": "experiment:<b>"])

            let line = "  settings: [{ audience: plus, paywall: special }, { audience: everyone, paywall: default }]"
            let short = "  settings: [{ audience: everyone, paywall: default }]"
            #expect(try ConfigurationChangeTests.draft(removed.page) == Self.yaml.replacing(line, with: short))
            let everyone = "    - { audience: everyone, paywall: default }\n"
            let new = "    - audience: unused\n      paywall: spare\n"
            #expect(try ConfigurationChangeTests.draft(added.page) == Self.yaml.replacing(everyone, with: new + everyone))
            #expect(again.status == .unprocessableContent && again.page.contains("id=\"audience-problem\""))
            #expect(wrong.status == .unprocessableContent && wrong.page.contains("id=\"shows-problem\""))
        }
    }

    @Test("An entry shows something else, also everyone's: a paywall instead of an experiment, and its comments stay")
    func showing() async throws {
        let yaml = Self.yaml.replacing("segments:\n", with: "experiments:\n  price: { state: draft, variations: { A: { weight: 1, paywall: spare } } }\nsegments:\n")
        try await ConfigurationConsole.run(yaml) { _, browser in
            func show(_ index: Int, _ value: String) async throws -> TestResponse {
                try await browser.post("/console/placements/home", ["base": "1", "change": "show.\(index)", "shows.\(index)": value])
            }
            let page = try await browser.get("/console/placements/home").page
            let everyone = try await show(2, "paywall:spare"), spring = try await show(0, "experiment:price"), plus = try await show(1, "experiment:price")
            let back = try await browser.post(
                "/console/placements/home",
                ["base": "1", "text": Self.sent(plus.page), "change": "show.1", "shows.1": "paywall:default"])
            let same = try await show(2, "paywall:default")

            #expect(page.contains("<option value=\"paywall:default\" selected>") && page.contains("value=\"show.2\""))
            #expect(
                try ConfigurationChangeTests.draft(everyone.page)
                    == yaml.replacing("    - { audience: everyone, paywall: default }\n", with: "    - { audience: everyone, paywall: spare }\n"))
            #expect(
                try ConfigurationChangeTests.draft(spring.page)
                    == yaml.replacing("{ audience: spring, paywall: special } # until May", with: "{ audience: spring, experiment: price } # until May"))
            #expect(
                try ConfigurationChangeTests.draft(plus.page)
                    == yaml.replacing("- audience: plus\n      paywall: default", with: "- audience: plus\n      experiment: price"))
            #expect(back.status == .ok && !back.page.contains("/console/versions/draft/check"))
            #expect(same.status == .ok && !same.page.contains("/console/versions/draft/check"))
            for value in ["", "paywall:", "paywall:<b>", "experiment:spare", "testDevice:mayas-phone"] {
                let wrong = try await show(2, value)
                #expect(wrong.status == .unprocessableContent && wrong.page.contains("id=\"shows.2-problem\""), "\(value)")
            }
        }
    }

    @Test("What the other entries choose comes along with the button of one, and a wrong choice is named at its own entry")
    func showingSeveral() async throws {
        try await ConfigurationConsole.run { _, browser in
            let form = ["base": "1", "change": "show.0", "shows.0": "paywall:spare", "shows.1": "paywall:spare", "shows.2": "paywall:default"]
            let page = try await browser.get("/console/placements/home").page

            let several = try await browser.post("/console/placements/home", form)
            let unsaid = try await browser.post("/console/placements/home", form.merging(["shows.1": ""]) { $1 })
            let wrong = try await browser.post("/console/placements/home", form.merging(["shows.1": "paywall:<b>"]) { $1 })
            let moved = try await browser.post("/console/placements/home", form.merging(["change": "up.1", "shows.0": "paywall:special"]) { $1 })
            let removed = try await browser.post("/console/placements/home", form.merging(["change": "remove.1"]) { $1 })

            #expect(page.contains("id=\"shows.0\"") && page.contains("id=\"shows.1\""))
            let one = Self.yaml.replacing("{ audience: spring, paywall: special } # until May", with: "{ audience: spring, paywall: spare } # until May")
            #expect(try ConfigurationChangeTests.draft(unsaid.page) == one)
            #expect(
                try ConfigurationChangeTests.draft(several.page)
                    == one.replacing("- audience: plus\n      paywall: default", with: "- audience: plus\n      paywall: spare"))
            #expect(wrong.status == .unprocessableContent && wrong.page.contains("id=\"shows.1-problem\""))
            #expect(try ConfigurationChangeTests.draft(moved.page).contains("  home:\n    - audience: plus\n      paywall: spare\n"))
            #expect(try ConfigurationChangeTests.draft(removed.page) == one.replacing("    - audience: plus\n      paywall: default\n", with: ""))
        }
    }

    @Test("A paywall is replaced by an experiment between it and another one, a draft; wrong wishes are told at their fields")
    func experiment() async throws {
        try await ConfigurationConsole.run { _, browser in
            let form = ["base": "1", "change": "try", "tried": "0", "against": "spare", "experiment": "price"]
            func problem(_ fields: [String: String]) async throws -> [String] {
                let answer = try await browser.post("/console/placements/home", form.merging(fields) { $1 })
                #expect(answer.status == .unprocessableContent)
                return answer.page.matches(of: /id="([a-z]+)-problem"/).map { String($0.output.1) }
            }
            let page = try await browser.get("/console/placements/home").page
            let chosen = ["shows.0": "paywall:special", "shows.1": "paywall:spare"]
            let answer = try await browser.post("/console/placements/home", form.merging(chosen) { $1 })
            let draft = try ConfigurationChangeTests.draft(answer.page)
            let review = try await browser.post(
                "/console/versions/draft/check", ["base": "1", "text": ConfigurationChangeTests.sent(draft), "message": "Price"])

            #expect(page.contains("<option value=\"0\">spring → special</option>") && page.contains("value=\"try\""))
            #expect(draft.contains("    - { audience: spring, experiment: price } # until May\n    - audience: plus\n      paywall: spare\n"))
            #expect(draft.hasSuffix(
                "experiments:\n  price:\n    state: draft\n    variations:\n      A:\n        weight: 50\n        paywall: special\n"
                    + "      B:\n        weight: 50\n        paywall: spare\n"))
            #expect(review.status == .ok)
            #expect(try await problem(["tried": "9"]) == ["tried"])
            #expect(try await problem(["tried": ""]) == ["tried"])
            #expect(try await problem(["against": "special"]) == ["against"])
            #expect(try await problem(["against": "nobody"]) == ["against"])
            #expect(try await problem(["experiment": " "]) == ["experiment"])
            #expect(try await problem(["experiment": "a b<i>"]) == ["experiment"])
        }
    }

    @Test("A placement is written as YAML, with its comments; one that does not end with everyone is refused there")
    func writtenPlacement() async throws {
        try await ConfigurationConsole.run { _, browser in
            func write(_ text: String) async throws -> TestResponse {
                try await browser.post("/console/placements/settings", ["base": "1", "change": "yaml", "yaml": text])
            }
            let written = try await write("settings: # all\r\n  - { audience: everyone, paywall: spare }\r\n")
            let wrong = try await write("settings: [{ audience: plus, paywall: spare }]")

            #expect(try ConfigurationChangeTests.draft(written.page).contains("  settings: # all\n    - { audience: everyone, paywall: spare }\n"))
            #expect(wrong.status == .unprocessableContent && wrong.page.contains("id=\"yaml-problem\""))
        }
    }
}
