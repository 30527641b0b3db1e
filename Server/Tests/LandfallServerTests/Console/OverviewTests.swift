// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallPages
@testable import LandfallServer

@Suite("The console's overview", .timeLimit(.minutes(1)))
struct OverviewTests {
    /// At any hour it is another day than in UTC in one of them.
    @Test("ends with today in the zone of the reports", arguments: ["Pacific/Kiritimati", "Etc/GMT+12"])
    func zone(name: String) async throws {
        try await TestServer.run(configuration: try Sample.configuration("reporting: { timeZone: \(name) }\n")) { server in
            let zone = server.services.snapshot.configuration.reportZone
            let today = zone.day(ofMs: server.services.time.nowMs())
            let page = try await ConsoleBrowser.signedIn(server, as: .owner).get("/console").page

            #expect(zone.name == name)
            #expect(page.contains("– \(Language.english.day(ReportDays.text(today)))</h2>"))
        }
    }

    @Test("counts paywalls of the new installs or of everybody, and says which installs saw one too early")
    func everybody() async throws {
        try await ReportedApp.run { app in
            app.server.clock.advance(by: .seconds(20 * 86_400))
            try await app.record("paywall_shown", "default", ReportedApp.ada)
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let fresh = try await browser.get("/console?days=7").page
            let everybody = try await browser.get("/console?days=7&who=everybody").page
            let longer = try await browser.get("/console?days=28").page

            #expect(fresh.contains("Paywall shown</a></dt><dd class=\"value\">0</dd>"))
            #expect(everybody.contains("Paywall shown</a></dt><dd class=\"value\">1</dd>"))
            #expect(longer.contains("before their source was known: 1</a>") && !fresh.contains("To look at"))
        }
    }

    @Test("shows a viewer small campaigns only together")
    func small() async throws {
        try await ReportedApp.run { app in
            let viewer = try await ConsoleBrowser.signedIn(app.server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(app.server, as: .owner, "owner@example.com")

            let page = try await viewer.get("/console").page

            #expect(!page.contains("autumn") && page.contains("<th scope=\"row\">Other</th><td class=\"number\">4</td>"))
            #expect(try await owner.get("/console").page.contains("tenjin › autumn</a>"))
        }
    }
}
