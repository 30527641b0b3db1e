// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("An explanation in the terminal", .timeLimit(.minutes(1)))
struct ExplanationTextTests {
    private static let document = #"""
        {"install":"0190a5c0-7e1b-7c3a-9f00-000000000001","profile":"i_1","placement":"onboarding","revision":7,"asOf":"exposure","final":true,
        "audiences":[
          {"audience":"ads","result":"no","reached":true,"conditions":[
            {"path":"attribution.campaign.in","attribute":"attribution.campaign","operator":"in","expected":["1","2"],"value":null,"result":"no","reason":"missing","valueIs":"then"},
            {"path":"not.country.is","attribute":"country","operator":"is","expected":"US","value":"DE","result":"no","reason":"compared","valueIs":"now"}]},
          {"audience":"everyone","result":"yes","reached":true,"conditions":[]}],
        "draw":null,"chosen":{"audience":"everyone","paywall":"default","experiment":null,"variation":null},
        "exposure":{"eventId":"e","shownAtMilliseconds":1795348800000,"receivedAtMilliseconds":1795348801000,"audience":"everyone","paywall":"default","origin":"defaultAudience","attributionVersion":0},
        "late":[{"attribute":"attribution.campaign","then":null,"now":"1"}]}
        """#

    @Test("of a test device says which choice is served, and what would be chosen without it")
    func testDevice() throws {
        let document = Self.document.replacing(
            #""chosen":{"audience":"everyone","paywall":"default","experiment":null,"variation":null},"#,
            with: #"""
                "chosen":{"audience":"everyone","paywall":"spring","experiment":null,"variation":null},"testPayload":true,"inReports":false,
                "testDevice":{"name":"mayas-phone","step":"paywall","reason":"testDevices.mayas-phone.paywalls.onboarding",
                  "instead":{"audience":"everyone","paywall":"default","experiment":null,"variation":null}},
                """#)

        let text = ExplanationText(try JSONDecoder().decode(Explanation.self, from: Data(document.utf8)))

        #expect(
            Array(text.lines.prefix(6)) == [
                "onboarding: was to see the paywall 'spring', as testDevices.mayas-phone.paywalls.onboarding says.",
                "install 0190a5c0-7e1b-7c3a-9f00-000000000001   profile i_1   configuration 7",
                "It is the test device 'mayas-phone'. Its audiences would choose the paywall 'default', for 'everyone'.",
                "Reports of campaigns and paywalls leave it out.",
                "Apple's answer about it is test data, of developer mode.",
                "",
            ])
        #expect(text.lines.contains("✔ everyone   ← would be chosen"))
    }

    @Test("has the outcome first, then each audience, then what the phone showed and which values arrived late")
    func lines() throws {
        let text = ExplanationText(try JSONDecoder().decode(Explanation.self, from: Data(Self.document.utf8)))

        #expect(
            text.lines == [
                "onboarding: was to see the paywall 'default', as the first audience that matches is 'everyone'.",
                "install 0190a5c0-7e1b-7c3a-9f00-000000000001   profile i_1   configuration 7",
                "",
                "✘ ads",
                "    ✘ attribution.campaign in 1, 2   missing",
                "    ✘ not.country is US              DE, the value now: none was kept then",
                "✔ everyone   ← chosen",
                "",
                "The phone showed 'default' for 'everyone' at 2026-11-22T12:00:00Z: the answer for its audience was not there before the deadline, so everyone's was shown.",
                "Arrived later:",
                "    attribution.campaign was missing, is 1 now",
            ])
    }

    @Test("has the names of Apple Ads behind their ids")
    func names() throws {
        let document = Self.document.replacing(
            #""late":["#, with: #""names":{"attribution.campaign":{"1":"Brand"}},"late":["#)

        let lines = ExplanationText(try JSONDecoder().decode(Explanation.self, from: Data(document.utf8))).lines

        #expect(lines.contains("    ✘ attribution.campaign in 1 (Brand), 2   missing"))
        #expect(lines.last == "    attribution.campaign was missing, is 1 (Brand) now")
    }
}
