// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

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
            let paywalls = try await browser.get("/console/reports/paywalls").page
            let viewer = try await ConsoleBrowser.signedIn(app.server, as: .viewer, "viewer@example.com").get("/console/reports/paywalls").page
            let report = try await app.report("paywalls?by=")
            let p50 = try #require(report.totals["elapsed.p50"] ?? nil), p95 = try #require(report.totals["elapsed.p95"] ?? nil)

            #expect(silent.contains("sort=-converted.trial\">Converted: trial</a></dt><dd class=\"value\">1<span class=\"share\">25 %</span>"))
            #expect(!silent.contains("Time to paywall"))
            #expect(page.contains("Time to paywall</a></dt><dd class=\"value\">\(Language.english.seconds(p50))</dd>"))
            // Of fewer than ten a viewer learns nothing.
            #expect(paywalls.contains("75 % of 4 exposures came within 5.00 s") && !viewer.contains("exposures came within"))
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
            #expect(try await owner.get("/console").page.contains("source=tenjin&amp;campaign=autumn\">autumn</a>"))
        }
    }

    @Test("a filter narrows every number that days are counted by; the others are named instead")
    func filters() async throws {
        try await ReportedApp.run { app in
            _ = try await Browser.onPhone.open("https://brandname.go.link/beach", in: app.server)
            while try await app.server.services.rollups.step() {}
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let all = try await browser.get("/console").page
            let tenjin = try await browser.get("/console?source=tenjin").page
            let links = try await browser.get("/console?source=link").page
            let summer = try await browser.get("/console?campaign=summer").page

            #expect(all.contains("<dd class=\"value\">4</dd>") && all.contains("brandname.go.link%2Fbeach\">") && !all.contains("Not counted by"))
            #expect(tenjin.contains("First opens</a></dt><dd class=\"value\">2</dd>") && tenjin.contains("Source: tenjin"))
            #expect(tenjin.contains("Not counted by these filters, so not shown: Links, Clicks, Time to paywall, Where shown paywalls came from"))
            #expect(links.contains("Clicks</a></dt><dd class=\"value\">1</dd>") && links.contains("brandname.go.link%2Fbeach\">"))
            #expect(summer.contains("First opens</a></dt><dd class=\"value\">0</dd>") && summer.contains("brandname.go.link%2Fbeach\">"))
        }
    }

    @Test("what days are not counted by together is refused, and the list falls back to what they have")
    func together() async throws {
        try await ReportedApp.run { app in
            while try await app.server.services.rollups.step() {}
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let both = try await browser.get("/console?campaign=autumn&country=DE")
            let platform = try await browser.get("/console?platform=ios").page

            #expect(both.status == .unprocessableContent && both.page.contains("These fields are counted apart"))
            #expect(!both.page.contains("class=\"figures"))
            #expect(platform.contains("<h2>By Source</h2>") && platform.contains("platform=ios&amp;source=tenjin\">tenjin</a>"))
        }
    }

    @Test("one day is a page of its own; a day that is none is a sentence")
    func day() async throws {
        try await ReportedApp.run { app in
            while try await app.server.services.rollups.step() {}
            let today = ReportDays.text(app.server.services.time.nowMs() / Retention.dayMs)
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let page = try await browser.get("/console?from=\(today)&to=\(today)&source=tenjin").page
            let none = try await browser.get("/console?from=2026-13-01")

            #expect(page.contains("First opens</a></dt><dd class=\"value\">2</dd>") && page.contains("Day: "))
            #expect(none.status == .unprocessableContent && none.page.contains("Write a day"))
        }
    }

    @Test("shows a viewer nothing of a small group that a filter asks for")
    func smallFilter() async throws {
        try await ReportedApp.run { app in
            while try await app.server.services.rollups.step() {}
            let viewer = try await ConsoleBrowser.signedIn(app.server, as: .viewer)

            let page = try await viewer.get("/console?source=tenjin").page

            #expect(page.contains("this group is only part of") && !page.contains("class=\"figures") && !page.contains("<svg viewBox=\"0 0 920"))
        }
    }

    @Test("charts have a mark for each version that was published on their days")
    func versions() async throws {
        try await ReportedApp.run { app in
            let nowMs = app.server.services.time.nowMs()
            try await app.server.services.database.write { connection in
                for (number, atMs) in [(101, nowMs), (102, nowMs - 40 * Retention.dayMs)] as [(Int64, Int64)] {
                    _ = try connection.run(
                        "INSERT INTO configuration (version, text, hash, published_at_ms, message) VALUES ($1, '', '', $2, '<b>')",
                        [.integer(number), .integer(atMs)])
                }
            }
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .editor)

            let overview = try await browser.get("/console").page
            let report = try await browser.get("/console/reports/campaigns").page

            for page in [overview, report] {
                #expect(page.contains("<a class=\"version\" href=\"/console/versions/101\"") && page.contains("Version 101: &lt;b&gt;</a>"))
                #expect(!page.contains("/console/versions/102"))
            }
        }
    }
}
