// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The picture of a placement", .timeLimit(.minutes(1)))
struct PlacementPictureTests {
    /// Phones that saw a paywall of the placement as members of an audience, each once.
    private static func show(_ audiences: [(name: String, count: Int)], _ server: TestServer) async throws {
        var number = 10
        for audience in audiences {
            for _ in 0..<audience.count {
                number += 1
                let phone = Phone(number)
                _ = try await server.firstOpen(#"{"device":{"platform":"ios"},"adToken":{"none":"noToken"}}"#, phone: phone)
                let event = #"""
                    {"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e\#(number)","type":"paywall_shown","ageMilliseconds":0,"placement":"home",\#
                    "paywall":"default","audience":"\#(audience.name)","revision":1}
                    """#
                _ = try await server.send(.post, WirePath.events, "{\"events\":[\(event)]}", phone: phone)
            }
        }
        while try await server.services.rollups.step() {}
    }

    @Test("has the share of each audience in the counted exposures, and what earlier versions showed; nothing before a day is counted")
    func shares() async throws {
        try await ConfigurationConsole.run { server, browser in
            let before = try await browser.get("/console/placements/home").page
            try await Self.show([("spring", 10), ("everyone", 12), ("old", 2)], server)

            let page = try await browser.get("/console/placements/home").page
            let draft = try await browser.post("/console/placements/home", ["base": "1", "change": "up.1"]).page

            #expect(!before.contains("Bars: "))
            for page in [page, draft] {
                #expect(page.contains("42 %<span class=\"quiet\"> · 10</span>") && page.contains("50 %<span class=\"quiet\"> · 12</span>"))
                #expect(page.contains("0 %<span class=\"quiet\"> · 0</span>") && page.contains("Others: 2 ("))
            }
            #expect(page.contains("width=\"417\"") && page.contains("/console/reports/paywalls?by=audience&amp;placement=home"))
        }
    }

    @Test("tells nobody who sees no people what fewer than ten installs saw, nor what would tell it by subtraction")
    func few() async throws {
        try await ConfigurationConsole.run(as: .viewer) { server, browser in
            try await Self.show([("spring", 10), ("everyone", 12), ("old", 2)], server)

            let page = try await browser.get("/console/placements/home").page

            #expect(page.contains("50 %<span class=\"quiet\"> · 12</span>") && page.contains("Others: 12 ("))
            #expect(page.contains("too few to tell") && !page.contains(" · 10<") && !page.contains("42 %"))
        }
    }

    @Test("says what a test device sees, by the explanation of its profile, and what it would see by a draft; other names are ignored")
    func device() async throws {
        let yaml = ConfigurationConsole.yaml.replacing("0190a5c0-7e1b-7c3a-9f00-000000000001", with: Phone().id)
        try await ConfigurationConsole.run(yaml) { server, browser in
            let unopened = try await browser.get("/console/placements/home?device=mayas-phone").page
            _ = try await server.firstOpen(#"{"device":{"platform":"ios","locale":"de-DE"},"adToken":{"none":"noToken"}}"#)

            let page = try await browser.get("/console/placements/home?device=mayas-phone").page
            let other = try await browser.get("/console/placements/home?device=omars-phone").page
            let chosen = yaml.replacing("audience: plus, paywalls: { home: special }", with: "audience: plus, paywalls: { home: spare }")
            let draft = try await browser.post(
                "/console/placements/home", ["base": "1", "text": chosen, "change": "device", "device": "mayas-phone"])

            #expect(unopened.contains("mayas-phone has not opened the app yet."))
            #expect(page.contains("Sees: special. The first audience that matches is everyone."))
            #expect(page.contains("testDevices.mayas-phone.paywalls.home") && page.contains("mayas-phone: No"))
            #expect(page.contains("/console/profiles/i_\(Phone().id)/why?install=\(Phone().id)&amp;placement=home"))
            #expect(other.contains("name=\"device\"") && !other.contains("Sees: "))
            #expect(draft.status == .ok && draft.page.contains("Sees: spare. ") && draft.page.contains("name=\"change\" value=\"device\""))
            #expect(draft.page.contains("/console/versions/draft/check") && !draft.page.contains("/why?install"))
        }
    }

    @Test("names no device to members who see no people")
    func viewer() async throws {
        try await ConfigurationConsole.run(as: .viewer) { _, browser in
            let page = try await browser.get("/console/placements/home?device=mayas-phone").page

            #expect(!page.contains("name=\"device\"") && !page.contains("has not opened"))
        }
    }
}
