// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallRules
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallServer

@Suite("The console's reports", .timeLimit(.minutes(1)))
struct ReportPageRoutesTests {
    /// The cells of a page's table, row by row, with the head and the totals.
    private static func cells(_ page: String) throws -> [[String]] {
        let table = try #require(page.firstMatch(of: /<table role="table"><thead[^>]*>(.*?)<\/tfoot>/.dotMatchesNewlines()))
        return table.output.1.split(separator: "</tr>").map { row in
            row.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/.dotMatchesNewlines()).map { cell in
                String(cell.output.1.replacing(/<span aria-hidden.*?<\/span>/, with: "").replacing(/<[^>]*>/, with: ""))
            }
        }.filter { !$0.isEmpty }
    }

    /// Installs of three campaigns: autumn 12, winter 11, spring 3.
    private static func campaigns(_ role: Role = .owner, _ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void) async throws {
        try await TestServer.run { server in
            let app = ReportedApp(server: server)
            for number in 1...26 {
                let phone = Phone(number, secret: UInt8(number))
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                try await app.claim(number <= 12 ? "autumn" : number <= 23 ? "winter" : "spring", phone)
            }
            try await body(server, try await ConsoleBrowser.signedIn(server, as: role))
        }
    }

    @Test("A page has the report's rows and totals, and its sums are the overview's")
    func rows() async throws {
        try await Self.campaigns { _, browser in
            let page = try await browser.get("/console/reports/campaigns").page
            let cells = try Self.cells(page)

            #expect(cells[0].prefix(3) == ["Source", "Campaign", "First opens"])
            #expect(cells.dropFirst().map { Array($0.prefix(3)) } == [
                ["tenjin", "autumn", "12"], ["tenjin", "winter", "11"], ["tenjin", "spring", "3"], ["Total", "", "26"],
            ])
            #expect(try await browser.get("/console").page.contains("<dd class=\"value\">26</dd>"))
            #expect(page.contains(": 26. Highest, "))
        }
    }

    @Test("Files have the rows of the page in its order, and no formulas", arguments: ["path", "-path", "-clicks", "uniqueClicks"])
    func files(sort: String) async throws {
        try await TestServer.run { server in
            for path in ["beach", "beach", "plain", "over", "%3D1+1"] {
                _ = try await Browser.onPhone.open("https://brandname.go.link/\(path)", in: server)
            }
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let query = "?by=path&sort=" + sort

            let cells = try Self.cells(try await browser.get("/console/reports/links" + query).page)
            let csv = try await browser.get("/console/reports/links.csv" + query)
            let json = try await browser.get("/console/reports/links.json" + query)

            let paths = cells.dropFirst().dropLast().map { $0[0] }
            #expect(paths.count >= 3)
            #expect(csv.page.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "," }) } == paths)
            #expect(try json.decoded(ReportDocument.self).rows.map { $0.key["path"] ?? nil } == paths)
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8" && csv.headers[.contentDisposition]?.contains("links-") == true)
            #expect(json.headers[.contentType] == "application/json" && json.headers[.cacheControl] == "no-store")
        }
    }

    @Test("The overview is a file too, with the days of the campaigns report; its page is the first one")
    func overview() async throws {
        try await Self.campaigns { _, browser in
            let json: ReportDocument = try await browser.get("/console/reports/overview.json?by=source").decoded()
            let csv = try await browser.get("/console/reports/overview.csv?days=7")
            let whole: ReportDocument = try await browser.get("/console/reports/overview.json?by=").decoded()
            let autumn: ReportDocument = try await browser.get("/console/reports/overview.json?campaign=autumn&who=everybody").decoded()
            let page = try await browser.get("/console/reports/overview")

            #expect(autumn.report == "overview" && autumn.by == ["day"] && autumn.totals["firstOpens"] == 12)
            #expect(json.report == "overview" && json.by == ["day"] && json.totals["firstOpens"] == 26)
            #expect(whole.rows.count == 1 && whole.totals == json.totals)
            #expect(csv.page.hasPrefix("day,") && csv.headers[.contentDisposition]?.contains("overview-") == true)
            #expect(page.status == .seeOther && page.headers[.location] == "/console")
        }
    }

    @Test("A filter leaves its rows, and the totals are theirs; what no row has and what the report does not know are chips")
    func filters() async throws {
        try await Self.campaigns { _, browser in
            let winter = try await browser.get("/console/reports/campaigns?campaign=winter&by=source").page
            let none = try await browser.get("/console/reports/campaigns?campaign=unheard&placement=onboarding&toaster=1").page

            #expect(try Self.cells(winter).dropFirst().map { Array($0.prefix(2)) } == [["tenjin", "11"], ["Total", "11"]])
            #expect(winter.contains(": 11. Highest, ") && winter.contains("/console/reports/links?campaign=winter"))
            #expect(none.contains("No row has it") && none.contains("toaster: 1") && none.contains("This report does not know it"))
            #expect(!none.contains("<table"))
        }
    }

    @Test("An install that saw two paywalls counts once in filtered totals too")
    func distinct() async throws {
        try await ReportedApp.run { app in
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)

            let page = try await browser.get("/console/reports/paywalls?placement=onboarding&by=paywall").page

            #expect(try Self.cells(page).dropFirst().map { Array($0.prefix(2)) } == [["default", "3"], ["summer", "1"], ["Total", "3"]])
        }
    }

    @Test("A viewer and files see small groups only together, with the same totals; a filter shows none of them")
    func small() async throws {
        try await Self.campaigns(.viewer) { server, viewer in
            let page = try await viewer.get("/console/reports/campaigns?by=campaign").page
            let hidden = try await viewer.get("/console/reports/campaigns?campaign=spring").page
            let beside = try await viewer.get("/console/reports/campaigns?campaign=winter").page
            let shown = try await viewer.get("/console/reports/campaigns?campaign=autumn&by=source").page
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let file = try await owner.get("/console/reports/campaigns.json?by=campaign").decoded(ReportDocument.self)

            #expect(try Self.cells(page).dropFirst().map { Array($0.prefix(2)) } == [["Other", "14"], ["autumn", "12"], ["Total", "26"]])
            #expect(!page.contains("spring") && !page.contains("winter") && page.contains("Groups of fewer than 10"))
            #expect(!hidden.contains("<table") && !beside.contains("<table") && hidden.contains("only part of"))
            #expect(try Self.cells(shown).last?.prefix(2) == ["Total", "12"])
            #expect(file.values("firstOpens") == [[14], [12], [26]])
            #expect(try await owner.get("/console/reports/campaigns?campaign=spring&by=source").page.contains(">3</td>"))
        }
    }

    @Test(
        "Days that are none, that are in reverse, or that are too many are a sentence, in pages and in files",
        arguments: [
            ("from=2026-13-01", "Write a day"), ("to=yesterday", "Write a day"), ("from=2026-11-09&to=2026-11-01", "after the last"),
            ("from=2020-01-01&to=2026-11-01", "at most 400 days"), ("from=9999-01-01", "Write a day"),
        ])
    func days(query: String, sentence: String) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            for ending in ["", ".csv", ".json"] {
                let answer = try await browser.get("/console/reports/paywalls\(ending)?" + query)
                #expect(answer.status == .unprocessableContent && answer.page.contains(sentence))
            }
        }
    }

    @Test("More days than fit into the picture are drawn by week, and none is lost", arguments: [(92, "by day", 92), (93, "by week", 14), (400, "by week", 58)])
    func weeks(count: Int64, title: String, bars: Int) async throws {
        try await Self.campaigns { server, browser in
            let today = server.services.time.nowMs() / Retention.dayMs
            let query = "from=\(ReportDays.text(today - count + 1))&to=\(ReportDays.text(today))"

            let page = try await browser.get("/console/reports/campaigns?" + query).page
            let figure = try #require(page.firstMatch(of: /<figure class="chart">(.*?)<\/figure>/.dotMatchesNewlines())).output.1

            #expect(page.contains("First opens " + title) && figure.contains(": 26. Highest, "))
            #expect(figure.ranges(of: " scope=\"row\">").count == bars)
        }
    }

    @Test("Odd addresses are answered without a failure", arguments: ["?by=,,", "?by=", "?sort=", "?sort=-toaster", "?page=900", "?%ZZ", "?a=%00", "?days=28&compare=before", "?by=day,country"])
    func odd(query: String) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            for name in ReportName.allCases {
                let answer = try await browser.get("/console/reports/\(name.rawValue)\(query)")
                #expect(answer.status == .ok, "\(name) \(query)")
            }
        }
    }

    @Test("Reports of other names and files of other endings do not exist", arguments: ["campaign", "campaigns.xml", "campaigns.csv.json", ".csv", "campaigns."])
    func missing(name: String) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            #expect(try await browser.get("/console/reports/" + name).status == .notFound)
        }
    }

    @Test("A report that refuses to have so many installs says so")
    func refused() {
        #expect(ReportError.tooManyInstalls.refusal == .tooManyInstalls && ReportError.tooManyInstalls.problems(Words(.english)).isEmpty)
        #expect(ReportError.tooManyDays.refusal == nil)
    }

    @Test("Rows are ordered by a value or a field either way, those without it last, equal ones as before")
    func order() {
        func row(_ name: String?, _ value: Double?) -> ReportDocument.Row { .init(key: ["path": name], values: ["clicks": value]) }
        let document = ReportDocument(
            report: "links", from: "", to: "", timeZone: "UTC", completeToMilliseconds: 0, by: ["path"], columns: [],
            rows: [row("b", 1), row(nil, 2), row("a", nil), row("c", 1)], totals: [:])
        func names(_ sort: String, _ isAscending: Bool) -> [String?] {
            document.sorted(by: .init(sort, isAscending: isAscending)).rows.map { $0.key["path"] ?? nil }
        }

        #expect(names("clicks", true) == ["b", "c", nil, "a"])
        #expect(names("clicks", false) == [nil, "b", "c", "a"])
        #expect(names("path", true) == ["a", "b", "c", nil])
        #expect(names("path", false) == ["c", "b", "a", nil])
    }
}
