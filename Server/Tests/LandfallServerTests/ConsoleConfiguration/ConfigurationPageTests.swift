// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("The pages of placements, audiences and paywalls", .timeLimit(.minutes(1)))
struct ConfigurationPageTests {
    @Test("The lists name every entry, and a search finds by a part of the name")
    func lists() async throws {
        try await ConfigurationConsole.run { _, browser in
            let placements = try await browser.get("/console/placements").page
            let audiences = try await browser.get("/console/audiences?q=SPR").page
            let paywalls = try await browser.get("/console/paywalls").page

            #expect(placements.contains("/console/placements/home") && placements.contains("/console/placements/settings"))
            #expect(placements.contains("Version 1"))
            #expect(audiences.contains("/console/audiences/spring") && !audiences.contains("/console/audiences/unused"))
            #expect(["default", "special", "spare"].allSatisfy { paywalls.contains("/console/paywalls/\($0)\"") })
        }
    }

    @Test("A placement shows its audiences in order, everyone last, with its text")
    func placement() async throws {
        try await ConfigurationConsole.run { _, browser in
            let page = try await browser.get("/console/placements/home").page
            let places = try ["/console/audiences/spring", "/console/audiences/plus", "<strong>Everyone</strong>"].map {
                try #require(page.firstRange(of: $0)).lowerBound
            }

            #expect(places == places.sorted())
            #expect(page.contains("  - { audience: spring, paywall: special } # until May\n  - audience: plus\n    paywall: default"))
            #expect(page.contains("Test device </span>mayas-phone"))
        }
    }

    @Test("An audience is told in sentences, with its segments, its text and the places that use it")
    func audience() async throws {
        try await ConfigurationConsole.run { _, browser in
            let spring = try await browser.get("/console/audiences/spring").page
            let plus = try await browser.get("/console/audiences/plus").page

            #expect(spring.contains("The segment german:") && spring.contains("Country is DE") && spring.contains("App version is at least 2.1"))
            #expect(spring.contains("spring:\n  segment: german\n  app.version: { &quot;&gt;=&quot;: 2.1 } # since the new screen"))
            #expect(plus.contains("plan is one of plus, &lt;img src=x&gt;") && !plus.contains("<img"))
            #expect(plus.contains("At least one of these:") && plus.contains("Not this:") && plus.contains("Country is known"))
            #expect(plus.contains("/console/placements/home") && plus.contains("/console/placements/settings") && plus.contains("mayas-phone"))
        }
    }

    @Test("A paywall shows its locales side by side and what one lacks of the default one, and escapes what the app's team wrote")
    func paywall() async throws {
        try await ConfigurationConsole.run(as: .viewer) { _, browser in
            let english = try await browser.get("/console/paywalls/default").page
            let german = try await browser.get("/console/paywalls/default?locale=de").page
            let unknown = try await browser.get("/console/paywalls/default?locale=xx").page

            #expect(english.contains(">en (default)</th>") && english.contains(">de – 3 missing</th>"))
            for (path, text) in [("lines[0]", "One"), ("lines[1]", "Two"), ("button", "Go &lt;b&gt;on&lt;/b&gt;")] {
                #expect(english.contains("<code>\(path)</code><span class=\"line quiet\">Text</span></th>"), "\(path)")
                #expect(english.contains(">\(text)</td>"))
            }
            #expect(english.ranges(of: "<span class=\"problem\">missing</span></td>").count == 3 && !english.contains("<b>on"))
            #expect(unknown.contains(">Unlock</td>") && unknown.contains(">Los</td>"))
            #expect(german.contains("&quot;days&quot; : 7") && german.contains("aria-current=\"true\">de"))
        }
    }

    @Test("A preview has the texts of the locale, and says that it is not the app's screen")
    func preview() async throws {
        try await ConfigurationConsole.run { _, browser in
            let page = try await browser.get("/console/paywalls/default?locale=de").page

            #expect(page.contains("<div class=\"screen\" lang=\"de\" dir=\"auto\"><div><p><strong>Los</strong></p><ul><li>yearly</li>"))
            #expect(page.contains("A neutral preview, not the app&#39;s own screen"))
        }
    }

    @Test("An unknown name is not found, and a store without a version has empty lists", arguments: ["placements", "audiences", "paywalls"])
    func unknown(section: String) async throws {
        try await ConfigurationConsole.run { _, browser in
            for name in ["nobody", "%3Cscript%3E", "home/../x"] {
                let answer = try await browser.get("/console/\(section)/\(name)")
                #expect(answer.status == .notFound)
            }
            let odd = try await browser.get("/console/\(section)?page=99999999999999999999&q=%00")
            #expect(odd.status == .ok)
        }
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let page = try await browser.get("/console/\(section)").page
            #expect(page.contains("landfall apply"))
        }
    }
}
