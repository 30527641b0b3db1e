// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallPages
import Testing

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
}
