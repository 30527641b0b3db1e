// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("Matches at a placement", .timeLimit(.minutes(1)))
struct PlacementMatchesTests {
    @Test("Each audience of a placement shows what the last count found, and a draft shows nothing of it")
    func matches() async throws {
        try await ConfigurationConsole.run { server, browser in
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: server.services.database)
            let title = "Matches: the share of installs"

            let before = try await browser.get("/console/placements/home").page
            _ = try await browser.get("/console/audiences/spring?count=now")
            let after = try await browser.get("/console/placements/home").page
            let draft = try await browser.post("/console/placements/home", ["base": "1", "change": "up.1"]).page

            #expect(!before.contains(title) && after.contains(title) && !draft.contains(title))
            #expect(after.contains("Counted at "))
        }
    }

    @Test("A placement and the list of audiences count by a button of their own; a draft of a placement has none")
    func ownButton() async throws {
        try await ConfigurationConsole.run(as: .viewer) { server, browser in
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: server.services.database)
            let button = "<button name=\"count\" value=\"now\">"

            let before = try await browser.get("/console/placements/home").page
            let placement = try await browser.get("/console/placements/home?count=now").page
            server.clock.advance(by: .seconds(601))
            let list = try await browser.get("/console/audiences").page
            let counted = try await browser.get("/console/audiences?count=now&q=spr").page

            #expect(before.contains(button) && placement.contains("Counted at ") && placement.contains("Matches about 100 %</span>"))
            #expect(list.contains(button) && !list.contains("about 100 %</td>"))
            #expect(counted.contains("about 100 %</td>") && counted.contains("name=\"q\" value=\"spr\">"))
        }
        try await ConfigurationConsole.run { _, browser in
            let draft = try await browser.post("/console/placements/home", ["base": "1", "change": "up.1"]).page
            #expect(!draft.contains("name=\"count\""))
        }
    }

    @Test("Where only the audiences of a page are counted, the numbers of the other pages stay, each until its own age")
    func severalPages() async throws {
        let more = (0..<500).map { "  many\($0): { country: { is: DE } }\n" }.joined()
        try await ConfigurationConsole.run(ConfigurationConsole.yaml.replacing("audiences:\n", with: "audiences:\n" + more)) { server, browser in
            try await ConfigurationConsole.store(Array(repeating: ("de-DE", "3.0"), count: 20), in: server.services.database)
            let spring = "/console/audiences?q=spring", many = "/console/audiences?q=many499"

            _ = try await browser.get(spring + "&count=now")
            let uncounted = try await browser.get(many).page
            server.clock.advance(by: .seconds(300))
            _ = try await browser.get(many + "&count=now")
            let both = [try await browser.get(spring).page, try await browser.get(many).page]
            server.clock.advance(by: .seconds(301))
            let later = [try await browser.get(spring).page, try await browser.get(many).page]

            #expect(!uncounted.contains("about 100 %</td>"))
            #expect(both.map { $0.contains("about 100 %</td>") } == [true, true])
            #expect(later.map { $0.contains("about 100 %</td>") } == [false, true])
        }
    }
}
