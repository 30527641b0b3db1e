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

@Suite("The console's funnel and retention", .timeLimit(.minutes(1)))
struct FunnelPageTests {
    @Test("The funnel has the report's totals, then the metrics of the same installs; a filter is for both")
    func funnel() async throws {
        try await ReportedApp.run { app in
            for _ in 0..<2 { _ = try await Browser.onPhone.open("https://brandname.go.link/beach", in: app.server) }
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let page = try await browser.get("/console/reports/funnel").page
            let tenjin = try await browser.get("/console/reports/funnel?source=tenjin").page

            #expect(Self.steps(page).filter { $0.0 != "Sent to a store" }.map(\.1) == ["2", "4", "3", "1"])
            #expect(page.contains("75 % of the first step") && page.contains("25 % of the first step</p>") && !page.contains("33 % of the previous"))
            #expect(Self.steps(tenjin).map(\.1) == ["–", "–", "2", "2", "1"])
            #expect(Self.steps(page).map(\.0).last == "Converted: trial")
        }
    }

    @Test("The funnel of an app that sells ends with who has paid; who may not see single people does not see how many of few")
    func purchased() async throws {
        try await ReportedApp.run(change: { $0.purchases.products = [ProductRule(name: .exactly("yearly"), access: [])] }) { app in
            for (role, number) in [(Role.owner, "0"), (.viewer, "–")] {
                let browser = try await ConsoleBrowser.signedIn(app.server, as: role, "\(role)@example.com")

                let page = try await browser.get("/console/reports/funnel").page

                #expect(Self.steps(page).last.map { [$0.0, $0.1] } == ["Purchased", number])
            }
        }
    }

    private static func steps(_ page: String) -> [(String, String)] {
        page.matches(of: /<strong>([^<]*)<\/strong><span class="number">([^<]*)<\/span>/).map { (String($0.output.1), String($0.output.2)) }
    }

    @Test("Fields that are counted apart are a sentence, in pages and in files")
    func apart() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            for path in ["funnel?campaign=a&by=country", "funnel.csv?by=campaign,country", "retention?by=day,week", "retention.json?by=week,day"] {
                let answer = try await browser.get("/console/reports/" + path)
                #expect(answer.status == .unprocessableContent && answer.page.contains("counted apart"), "\(path)")
            }
        }
    }

    @Test("Retention has a row for each day of up to 31 days, and for each week of more; what is not old enough is hatched")
    func retention() async throws {
        try await ReportedApp.run { app in
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)
            let zone = ReportZone.utc, today = zone.day(ofMs: app.server.services.time.nowMs())

            let days = try await browser.get("/console/reports/retention").page
            let weeks = try await browser.get("/console/reports/retention?days=90").page
            let file = try await browser.get("/console/reports/retention.json?days=90").decoded(ReportDocument.self)

            #expect(days.contains(">\(Language.english.day(ReportDays.text(today)))</a></th><td class=\"number\">4</td>"))
            #expect(days.ranges(of: "number unfinished").count >= 7)
            #expect(weeks.contains("Week from") && !weeks.contains("counted apart"))
            #expect(file.by == ["week"] && file.totals["size"] == 4)
            #expect(try await browser.get("/console/reports/retention?by=source").page.contains(">tenjin</a>"))
        }
    }
}
