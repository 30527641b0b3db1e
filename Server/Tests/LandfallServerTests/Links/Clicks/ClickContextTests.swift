// SPDX-License-Identifier: Apache-2.0
import LandfallSQLite
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What a browser says about a click", .timeLimit(.minutes(1)))
struct ClickContextTests {
    @Test(
        "has the host of the page with the link, and no more of its address",
        arguments: [
            ("https://www.Example.org/a?b=c#d", "example.org"), ("http://m.example.org:8080", "m.example.org"),
            ("android-app://com.google.android.gm/", "com.google.android.gm"), ("https://l.instagram.com?u=x", "l.instagram.com"),
            // Addresses of machines and passwords say something about people.
            ("http://192.168.0.7/", nil), ("http://[2001:db8::1]/", nil), ("https://maya:secret@example.org/", nil),
            ("file:///links.html", nil), ("about:blank", nil), ("https:///a", nil), ("", nil), ("https://ex\u{E4}mple.org/", nil),
            ("https://" + String(repeating: "a", count: 101), nil), ("https://a\"<b>/", nil),
        ] as [(String, String?)])
    func referrer(field: String, host: String?) {
        #expect(ClickContext.referrer(field.utf8) == host)
    }

    @Test(
        "has the first language, without its country",
        arguments: [
            ("de-DE,de;q=0.9,en;q=0.8", "de"), ("EN", "en"), ("fil-PH", "fil"), ("zh-Hant-TW", "zh"), ("pt_BR", "pt"), ("ja;q=0.5", "ja"),
            ("*", nil), ("", nil), ("x", nil), ("english", nil), ("d1", nil), (" de", nil),
        ] as [(String, String?)])
    func language(field: String, code: String?) {
        #expect(ClickContext.language(field.utf8) == code)
    }

    @Test(
        "has the name of the browser, or of the app that shows the web",
        arguments: [
            (Browser.safari, "Safari"), (Browser.instagram, "Instagram"), (Browser.android, "Chrome"), (Browser.androidInstagram, "Instagram"),
            (Browser.mac, "Safari"), (Browser.windows + " Edg/130.0.0.0", "Edge"), (Browser.android + " OPR/80.0", "Opera"),
            (Browser.mac.replacing("Version/18.0", with: "CriOS/130.0"), "Chrome"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox"),
            (Browser.safari.replacing(" Safari/604.1", with: " [FBAN/MessengerForiOS;FBAV/470.0]"), "Messenger"),
            (Browser.safari.replacing(" Safari/604.1", with: " [FBAN/FBIOS;FBAV/470.0]"), "Facebook"),
            (Browser.safari.replacing(" Safari/604.1", with: ""), BrowserName.unlistedApp), (Browser.google, nil), (nil, nil),
        ] as [(String?, String?)])
    func browser(userAgent: String?, name: String?) {
        #expect(AgentFacts(userAgent).browser == name)
    }

    @Test("is stored the same by the connection and by the application; of a machine nothing is")
    func bothWays() async throws {
        try await BothWays.run { ways in
            let fields = "Referer: https://www.example.org/post\r\nAccept-Language: fr-CH, fr;q=0.9\r\n"
            for agent in [Browser.safari, Browser.google] {
                _ = try await ways.ask("GET /beach HTTP/1.1\r\nHost: go.example.com\r\nUser-Agent: \(agent)\r\n\(fields)Connection: close\r\n\r\n")
            }
            // A link's own page is no other place.
            _ = try await ways.ask(
                "GET /beach HTTP/1.1\r\nHost: go.example.com\r\nUser-Agent: \(Browser.android)\r\nReferer: https://go.example.com/\r\nConnection: close\r\n\r\n")

            let loop = try await ways.loop.clicks(), application = try await ways.application.clicks()
            #expect(loop == application && loop.count == 3)
            let rows = try await ways.loop.server.rows("SELECT platform, kind, referrer, browser, language FROM click ORDER BY kind, platform")
            #expect(
                rows.map { row in ["kind", "referrer", "browser", "language"].map { row.optionalText($0) } } == [
                    ["bot", nil, nil, nil], ["person", nil, "Chrome", nil], ["person", "example.org", "Safari", "fr"],
                ])
        }
    }

    @Test("names the page of the App Store that opens, by a redirect or by a button, also of an address written by hand; Google Play has none")
    func productPages() async throws {
        let page = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e", written = "11112c9b-c296-43d3-c6a0-c5a02f74bf6e"
        let links = """
            links:
              - { url: https://go.example.com/own, to: "https://example.com/a", ppid: \(page) }
              - { url: https://go.example.com/written, to: "https://example.com/a", ios: "https://apps.apple.com/app/id7?mt=8&ppid=\(written)" }
              - { url: https://go.example.com/plain, to: "https://example.com/a" }
            """
        let configuration = try Configuration(yaml: TestServer.brandApp + TestServer.brandRest + links, environment: { _ in nil })
        try await TestServer.run(configuration: configuration) { server in
            for path in ["/own", "/written", "/plain"] {
                for browser in [Browser.onPhone, .inInstagram, .onAndroid] {
                    _ = try await browser.send(path, host: "go.example.com", to: server)
                }
            }

            let rows = try await server.rows("SELECT link_path, platform, product_page FROM click WHERE product_page IS NOT NULL ORDER BY link_path, click_id")
            #expect(rows.map { $0.optionalText("platform") } == ["ios", "ios", "ios", "ios"])
            #expect(rows.map { $0.optionalText("product_page") } == [page, page, written, written])
        }
    }

    @Test("is unknown of days that an earlier release counted: they count, without a context")
    func earlierDays() async throws {
        let database = try MemoryDatabase()
        let (before, day) = (Schema.migrations.prefix { $0.id != RollupSchema.clickContext.id }, TestStore.noon / Retention.dayMs)
        try await database.migrate(Array(before))
        _ = try await database.write { connection in
            try connection.run(
                "INSERT INTO click_closed (app_id, zone, first_day, next_day) VALUES ('a', 'UTC', $1, $2)", [.integer(day), .integer(day + 2)])
            try connection.run("INSERT INTO click_day (app_id, zone, report, day, cells) VALUES ('a', 'UTC', 'whole', $1, '12,7,3,0,1,2,0\n')", [.integer(day)])
        }
        try await database.migrate(Schema.migrations)

        let text = ReportDays.text(day), days = try ReportDays(from: text, to: text, nowMs: (day + 3) * Retention.dayMs)
        for by in [[], [.productPage], [.referrer, .language], [.browser]] as [[LinkReport.Dimension]] {
            let counts = try await LinkReportStore(database: database).counts(LinkReport(days: days, by: by), of: AppID("a"))

            #expect(counts.rows == [Array(repeating: nil, count: by.count): [12, 7, 3, 0, 1, 2, 0, 0]])
        }
    }
}
