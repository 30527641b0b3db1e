// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The console's list of links", .timeLimit(.minutes(1)))
struct LinkListTests {
    private static func link(_ path: String, campaign: String? = nil) -> StoredLink {
        StoredLink(
            host: "go.example.com", path: LinkPath(stored: path), destination: "https://example.com" + path,
            labels: LinkLabels(campaign: campaign))
    }

    private static func add(_ links: [StoredLink], _ server: TestServer) async throws {
        _ = try await server.services.links.store.add(links, to: server.services.snapshot.app.id, nowMs: 1)
    }

    /// The addresses of each page, by the ways from one to the next.
    private static func pages(_ browser: ConsoleBrowser, _ start: String) async throws -> [[String]] {
        var pages: [[String]] = [], next: String? = start
        while let path = next, pages.count < 20 {
            let page = try await browser.get(path).page
            pages.append(page.matches(of: /\ scope="row"><a href="[^"]*">([^<]*)</).map { String($0.output.1) })
            next = page.matches(of: /href="(\/console\/links\?[^"]*page=[^"]*)"/).first.map {
                String($0.output.1).replacingOccurrences(of: "&amp;", with: "&")
            }
        }
        return pages
    }

    @Test("Pages have every link once: first those of the file, then the stored ones", arguments: [0, 43, 44, 93, 94, 120])
    func paging(count: Int) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            // One of them is hidden by a link of the file.
            let links = (0..<count).map { Self.link("/n\(1000 + $0)") } + [Self.link("/beach")]
            try await Self.add(links, server)

            let pages = try await Self.pages(browser, "/console/links")

            let file = ["app", "beach", "copied", "over", "shown", "typed", "ways"]
            #expect(pages.flatMap { $0 } == (file + (0..<count).map { "n\(1000 + $0)" }).map { "go.example.com/" + $0 })
            #expect(pages.dropLast().allSatisfy { $0.count == LinkList.pageLength } && pages.last?.isEmpty == false)
        }
    }

    @Test(
        "Filters keep what matches",
        arguments: [
            ("tag=poster", ["spring"]), ("tag=POSTER", []), ("tag=post", []), ("folder=spring+2027", ["spring"]), ("folder=spring", []),
            ("tag=sale&folder=spring+2027&campaign=spring+sale&state=live", ["spring"]), ("tag=sale&folder=2026", []),
            ("tag=" + String(repeating: "%C3%A9", count: 300), []),
            ("campaign=spring+sale", ["spring"]), ("campaign=spring%20sale", ["spring"]), ("campaign=spring", []), ("q=SPRI", ["spring"]),
            ("q=summer-clothes%3Fpromo", ["beach"]), ("state=expired", ["over"]), ("state=file&q=app", ["app"]), ("state=file&q=spring", []),
            ("host=go.example.com&q=spring&state=live", ["spring"]), ("host=example.com", []), ("q=spring&state=toaster", ["spring"]),
            ("q=spring&page=-4", ["spring"]), ("q=spring&page=99999999999999999999", ["spring"]), ("q=spring&page=x", ["spring"]),
            ("q=spring&page=https%3A%2F%2Fgo.example.com%2Fspring", []), ("q=%FF", nil), ("q=" + String(repeating: "%C3%A9", count: 300), []),
        ] as [(String, [String]?)])
    func filters(query: String, names: [String]?) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            var link = Self.link("/spring", campaign: "spring sale")
            (link.tags, link.folder) = (["sale", "poster"], "spring 2027")
            try await Self.add([link], server)

            let page = try await browser.get("/console/links?" + query)

            #expect(page.status == .ok)
            if let names {
                #expect(try await Self.pages(browser, "/console/links?" + query)[0] == names.map { "go.example.com/" + $0 })
            }
        }
    }

    @Test("A tag and a folder stay from page to page, and in the files; the fields keep them")
    func kept() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer), query = "?tag=a%26b&folder=%3Ci%3E"
            let links = (0..<120).map { number in
                var link = Self.link("/n\(1000 + number)")
                (link.tags, link.folder) = (["x", number.isMultiple(of: 2) ? "a&b" : "c"], "<i>")
                return link
            }
            try await Self.add(links, server)

            let pages = try await Self.pages(browser, "/console/links" + query), page = try await browser.get("/console/links" + query).page
            let files = page.matches(of: /href="(\/console\/links\.[^"]*)"/).map { $0.output.1.replacing("&amp;", with: "&") }
            let table = try CSVTable(try await browser.get(String(files.first ?? "")).page).rows
            let json = try JSONDecoder().decode(Links.self, from: Data(try await browser.get(String(files.last ?? "")).page.utf8))

            #expect(pages.map(\.count) == [50, 10] && table.count == 61 && json.links.count == 60)
            #expect(page.contains("value=\"a&amp;b\"") && page.contains("value=\"&lt;i&gt;\""))
        }
    }

    @Test("A table for spreadsheets has the same links, and no cell that runs as a formula", arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠SUM(A1)", "\n=1", "'=1", "a,\"b\""])
    func cells(text: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            try await Self.add([Self.link("/spring", campaign: text)], server)

            let table = try await browser.get("/console/links.csv?q=spring")
            let json = try await browser.get("/console/links.json?q=spring")

            let rows = try CSVTable(table.page).rows
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8" && rows.count == 2)
            let cell = rows[1].fields[2].text
            #expect(cell == (text.hasPrefix("a") ? text : "'" + text))
            let decoded = try JSONDecoder().decode(Links.self, from: Data(json.page.utf8))
            #expect(decoded.links.map(\.campaign) == [text] && decoded.links.map(\.clicks) == [0])
        }
    }

    @Test("A table for spreadsheets has every link, however many pages they are")
    func everyLink() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer), count = LinkList.longestPage + 1
            try await Self.add((0..<count).map { Self.link("/spring-\($0)", campaign: "spring") }, server)

            let rows = try CSVTable(try await browser.get("/console/links.csv?q=spring").page).rows

            #expect(rows.count == 1 + count)
            #expect(Set(rows.dropFirst().map { $0.fields[0].text }).count == count)
        }
    }

    @Test(
        "A search finds a text at every place, A to Z as a to z, and nothing that only begins like it",
        arguments: [
            ("", "", true), ("", "a", true), ("a", "", false), ("ab", "xAB", true), ("ab", "a", false), ("AAB", "aaab", true),
            ("abab", "abaabab", true), ("abac", "ababac", true), ("aab", "aaaaa", false), ("é", "xÉ", false), ("é", "xé", true), ("[", "{", false),
            ("example", "https://EXAMPLE.com", true),
        ] as [(String, String, Bool)])
    func search(wanted: String, text: String, isThere: Bool) { #expect(LinkSearch(wanted).occurs(in: text) == isThere) }

    private struct Links: Decodable {
        struct Link: Decodable {
            let campaign: String?
            let clicks: Int?
        }
        let links: [Link]
    }

    @Test("A report without a row for every link leaves numbers out, and the page is there; the page of a link has its own")
    func tooMany() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            try await Clicked.add((0...ReportSheet.mostRows).map { ("/\($0)", nil, Int64($0)) } + [("/beach", "JP", 1)], server)

            let list = try await browser.get("/console/links")
            let show = try await browser.get(ConsoleLinkTests.show("https://go.example.com/beach"))

            #expect(list.status == .ok && list.page.contains(Words(.english).linkNumbersMissing))
            #expect(!list.page.contains(" class=\"number\">0</td>"))
            #expect(show.status == .ok && show.page.contains("<dd class=\"value\">1</dd>"))
        }
    }

    @Test("Few first opens of a link are told only to members who see people, and never in files")
    func fewOpens() async throws {
        try await TestServer.runBrand { server in
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "omar@example.com")
            try await Opened.add([("/app", 12), ("/beach", 3), (nil, 8)], server)
            while try await server.services.rollups.step() {}

            func cell(_ browser: ConsoleBrowser, _ path: String) async throws -> String? {
                let page = try await browser.get("/console/links?q=go.example.com/" + path).page
                return page.matches(of: /\ class="number">([^<]*)<\/td>/).last.map { String($0.output.1) }
            }
            let few = Words(.english).linkFewOpens
            #expect(try await cell(viewer, "beach") == few)
            #expect(try await cell(viewer, "app") == "12")
            // It has no labels: who came by it cannot be told from others.
            #expect(try await cell(viewer, "over") == "–")
            #expect(try await cell(owner, "beach") == "3")
            for (browser, isTold) in [(viewer, false), (owner, true)] {
                let page = try await browser.get(ConsoleLinkTests.show("https://go.example.com/beach")).page
                #expect(page.contains("<dd class=\"value\">\(isTold ? "3" : few)</dd>") && page.contains("Complete to"))
                #expect(page.contains(Words(.english).linkFewOpensNote) != isTold)
                #expect(page.contains("/console/reports/campaigns?by=link&amp;link=go.example.com%2Fbeach"))
            }
            let rows = try CSVTable(try await owner.get("/console/links.csv").page).rows
            let opens = Dictionary(uniqueKeysWithValues: rows.map { ($0.fields[0].text, $0.fields.last?.text) })
            #expect(opens["https://go.example.com/beach"] == "" && opens["https://go.example.com/app"] == "12")
            let json = try await owner.get("/console/links.json?q=go.example.com/beach").page
            #expect(json.contains("\"clicks\"") && !json.contains("firstOpens"))
        }
    }

    @Test("The numbers of a link are those of the report, by day and by country")
    func numbers() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            try await Clicked.add([("/beach", "JP", 1), ("/beach", "JP", 1), ("/beach", "DE", 2), ("/beach", nil, 3), ("/over", nil, 4)], server)
            let numbers = LinkNumbers(reports: server.services.reports, time: server.services.time)
            let place = try #require(LinkPlace(url: "https://go.example.com/beach"))

            let one = try await numbers.one(place, server.services.snapshot)
            let all = try await numbers.all(server.services.snapshot, isMerging: false)

            while try await server.services.rollups.step() {}
            func firstOpens(_ labels: LinkLabels) async throws -> Int64? {
                let link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/beach"), destination: "https://example.com", labels: labels)
                return try await numbers.firstOpens(server.services.snapshot, isMerging: false).firstOpens(link)
            }
            // Who came by a link without labels cannot be told from others.
            #expect(try await firstOpens(LinkLabels(campaign: "summer")) == 0)
            #expect(try await firstOpens(LinkLabels()) == nil)
            #expect(one.clicks == 4 && one.unique == 3 && one.isWhole && one.days.count == LinkNumbers.days)
            #expect(one.days.compactMap(\.value).reduce(0, +) == 4 && one.days.last?.value == 4)
            let countries = one.shares[.country]?.map(\.value)
            #expect(countries == ["JP", "DE", nil] || countries == ["JP", nil, "DE"])
            #expect(one.shares[.referrer] == [.init(value: "example.org", clicks: 3), .init(value: nil, clicks: 1)])
            #expect(one.shares[.productPage] == [.init(value: nil, clicks: 4)])
            #expect(all.count(place) == LinkNumbers.Count(clicks: one.clicks, unique: one.unique) && all.isWhole)
            #expect(try await browser.get("/console/links?q=beach").page.contains(/\ class="number">4<\/td><td[^>]* class="number">3<\/td>/))
        }
    }
}

/// First opens from links; nil is a first open without a link.
enum Opened {
    static func add(_ opens: [(path: String?, count: Int)], _ server: TestServer) async throws {
        let nowMs = server.services.time.nowMs(), app = server.services.snapshot.app.id
        var number = 0, facts: [Statement] = []
        for (path, count) in opens {
            for _ in 0..<count {
                number += 1
                let phone = Phone(number, secret: UInt8(number))
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                guard let path else { continue }
                var fact = AttributionFact(id: "c", source: .link, status: .nonOrganic, saidAtMs: nowMs - 60_000, recordedAtMs: nowMs)
                fact.link = ClickedLink(code: "go.example.com" + path, windows: AttributionWindows())
                fact.verified = true
                facts.append(try fact.insertion(of: InstallUnit(app, InstallID(phone.id), nil, storeEpoch: 0, nowMs: nowMs)))
            }
        }
        try await server.services.database.append(facts)
    }
}

/// Clicks straight in the store, all in one unit.
enum Clicked {
    static func add(_ clicks: [(path: String, country: String?, visitor: Int64)], _ server: TestServer) async throws {
        let nowMs = server.services.time.nowMs(), app = server.services.snapshot.app.id
        let rows = try clicks.map { click in
            try ClickRow(
                id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: "person", platform: "ios", host: "go.example.com", path: click.path,
                outcome: "store", visitor: click.visitor, country: click.country, labels: LinkLabels(), parameters: [:],
                context: ClickContext(referrer: click.country == nil ? nil : "example.org")
            ).insertion(into: app)
        }
        try await server.services.database.append(rows)
    }
}
