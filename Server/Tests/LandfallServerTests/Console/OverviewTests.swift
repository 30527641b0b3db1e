// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
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
            #expect(longer.contains("before their source was known: 1</a>") && !fresh.contains("before their source was known"))
        }
    }

    @Test("shows how many first opens converted, and how long people waited once an app told it")
    func times() async throws {
        try await ReportedApp.run { app in
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)
            let silent = try await browser.get("/console").page
            for elapsed in [500, 520, 540, 9_000] as [Int64] { try await app.record("paywall_shown", "slow", ReportedApp.ada, elapsed: elapsed) }

            let page = try await browser.get("/console").page
            let report = try await app.report("paywalls?by=")
            let p50 = try #require(report.totals["elapsed.p50"] ?? nil), p95 = try #require(report.totals["elapsed.p95"] ?? nil)

            #expect(silent.contains("sort=-converted.trial\">Converted: trial</a></dt><dd class=\"value\">1<span class=\"share\">25 %</span>"))
            #expect(!silent.contains("Time to paywall"))
            #expect(page.contains("Time to paywall</a></dt><dd class=\"value\">\(Language.english.seconds(p50))</dd>"))
            #expect(page.contains("<dd class=\"before\">95 of 100 within \(Language.english.seconds(p95))</dd></div>"))
        }
    }

    @Test("is about the first metric of an own event, not about exposures that a metric counts")
    func firstMetric() async throws {
        let change: @Sendable (inout Configuration) -> Void = {
            $0.metrics.insert(Metric(name: "seen", measure: .event(.paywallShown), windowDays: 7), at: 0)
        }
        try await ReportedApp.run(change: change) { app in
            let page = try await ConsoleBrowser.signedIn(app.server, as: .owner).get("/console").page

            #expect(page.contains("Converted: trial") && !page.contains("Converted: seen"))
        }
    }

    @Test("shows a viewer no campaign of few")
    func small() async throws {
        try await ReportedApp.run { app in
            let viewer = try await ConsoleBrowser.signedIn(app.server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(app.server, as: .owner, "owner@example.com")

            let page = try await viewer.get("/console").page

            #expect(!page.contains("autumn") && !page.contains(" scope=\"row\">Other</th>"))
            #expect(try await owner.get("/console").page.contains("tenjin › autumn</a>"))
        }
    }
}
