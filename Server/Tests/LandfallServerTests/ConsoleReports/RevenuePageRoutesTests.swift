// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("The console's page of revenue", .timeLimit(.minutes(1)))
struct RevenuePageRoutesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    /// Phones 1 to 6 each bought a year for 9.99 EUR; phone 1 six times coins for 1 EUR, of which one came back.
    private static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: nowMs)
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [AccessLevel(rawValue: "premium")]
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: [AccessLevel(rawValue: "premium")])]
        try await TestServer.run(configuration: configuration, trust: store.trust()) { server in
            for number in 1...6 {
                _ = try await server.report([store.transaction("\(number)", of: "\(number)", daysAgo: 3)], by: Phone(number, secret: UInt8(number)))
            }
            let coins = try (11...16).map { number in
                var more: [String: Any] = ["type": "Consumable", "productId": "coins", "price": 1_000]
                if number == 11 { more["revocationDate"] = nowMs - 1_000 }
                return try store.transaction("\(number)", of: "\(number)", daysAgo: 2, adding: more)
            }
            _ = try await server.report(coins, key: "k2", by: Phone(1, secret: 1))
            try await body(server)
        }
    }

    /// The cells of a page's table, row by row, without head and totals.
    private static func rows(_ page: String) throws -> [[String]] {
        let table = try #require(page.firstMatch(of: /<caption class="hidden">.*?<tbody[^>]*>(.*?)<\/tbody>/.dotMatchesNewlines()))
        return table.output.1.split(separator: "</tr>").map { row in
            row.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/.dotMatchesNewlines()).map { String($0.output.1.replacing(/<[^>]*>/, with: "")) }
        }
    }

    @Test("An owner sees what each product earned, in the only currency that was paid in, and the day's sum in the picture")
    func products() async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let page = try await browser.get("/console/reports/revenue?by=product").page

            // Six of 9.99, and six of 1 without the one that came back.
            #expect(page.contains("<dt>Net</dt><dd class=\"value\">€64.94</dd>") && page.contains("<dt>Purchases</dt><dd class=\"value\">12</dd>"))
            #expect(try Self.rows(page).map { Array($0.prefix(5)) } == [
                ["yearly", "6", "€59.94", "€0.00", "€59.94"], ["coins", "6", "€6.00", "€1.00", "€5.00"],
            ])
            #expect(page.contains("<h2>Net by day</h2>") && page.contains(": €64.94. Highest, "))
        }
    }

    @Test("A filter counts its rows alone, in page, picture and files; a row leads to its parts")
    func filtered() async throws {
        try await Self.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)

            let all = try await owner.get("/console/reports/revenue?by=product").page
            let coins = try await owner.get("/console/reports/revenue?by=product&product=coins").page
            let none = try await owner.get("/console/reports/revenue?product=toaster").page

            #expect(all.contains("href=\"/console/reports/revenue?by=source&amp;product=coins\">coins</a>"))
            #expect(coins.contains("<dt>Net</dt><dd class=\"value\">€5.00</dd>") && coins.contains("Product: coins"))
            #expect(try Self.rows(coins).map { Array($0.prefix(5)) } == [["coins", "6", "€6.00", "€1.00", "€5.00"]])
            #expect(coins.contains("<h2>Net by day</h2>") && coins.contains("revenue.csv?by=product&amp;product=coins"))
            #expect(none.contains("No row has it") && !none.contains("YOUR-SERVER"))
        }
    }

    @Test("A filter tells nobody what the rows do not tell: few payers stay together, in files for everybody")
    func hidden() async throws {
        try await Self.run { server in
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")

            for product in ["coins", "yearly"] {
                let page = try await viewer.get("/console/reports/revenue?by=day&product=\(product)").page
                let file = try await owner.get("/console/reports/revenue.json?by=day&product=\(product)").decoded(RevenueDocument.self)
                #expect(page.contains("Money of fewer than 5 payers") && !page.contains("€5") && !page.contains("<table"))
                #expect(file.rows.isEmpty && file.totals.numbers.isEmpty)
            }
            // The chains are older than the phones' first opens: all of them are in one row.
            let source = try await viewer.get("/console/reports/revenue?by=&source=before").page
            #expect(source.contains("<dt>Net</dt><dd class=\"value\">€64.94</dd>"))
        }
    }

    @Test("The days of the picture come with the rows, as the report by day has them", arguments: [RevenueView.purchase, .booking], [false, true])
    func daysWithRows(view: RevenueView, countsPayers: Bool) async throws {
        try await Self.run { server in
            let reports = server.services.reports, snapshot = server.services.snapshot, moment = try await reports.moment(snapshot)
            let days = try ReportDays(from: nil, to: nil, nowMs: moment.nowMs)
            func request(_ by: [RevenueDimension]) -> RevenueRequest {
                var request = RevenueRequest(view, by: by, days)
                request.countsPayers = countsPayers
                return request
            }

            let both = try await reports.answerWithDays(request([.product]), snapshot, at: moment)

            #expect(both.document.totals.numbers[.netMilliunits] == 64_940)
            for (found, by) in [(both.document, .product), (try #require(both.byDay), .day)] as [(RevenueDocument, RevenueDimension)] {
                let alone = try await reports.answer(request([by]), snapshot, at: moment)
                let told = found.forEverybody() ?? found, expected = alone.forEverybody() ?? alone
                #expect(found.by == [by.rawValue] && found.rows.map(\.key) == alone.rows.map(\.key) && found.rows.count > 1)
                #expect(found.rows.map(\.values.numbers) == alone.rows.map(\.values.numbers) && found.totals.numbers == alone.totals.numbers)
                #expect(told.rows.map(\.values.numbers) == expected.rows.map(\.values.numbers) && told.totals.numbers == expected.totals.numbers)
            }
            let running = try await reports.answerWithDays(RevenueRequest(.subscriptions, days), snapshot, at: moment)
            #expect(running.byDay == nil && running.document.view == .subscriptions)
        }
    }

    @Test("Nobody but those who may see people is told what one person paid: not by product, not by day, not in files")
    func onePayer() async throws {
        try await Self.run { server in
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")

            let products = try await viewer.get("/console/reports/revenue?by=product").page
            let days = try await viewer.get("/console/reports/revenue?by=day").page
            let csv = try await owner.get("/console/reports/revenue.csv?by=product").page
            let json = try await owner.get("/console/reports/revenue.json?by=product").decoded(RevenueDocument.self)

            #expect(try Self.rows(products).map { Array($0.prefix(2)) } == [["Other", "12"]])
            #expect(!products.contains("coins") && !products.contains("€5.00") && products.contains("Money of fewer than 5 payers"))
            #expect(try Self.rows(days).allSatisfy { $0[1] == "–" } && !days.contains("€5.00") && !days.contains("<figure"))
            #expect(days.contains("<dt>Net</dt><dd class=\"value\">€64.94</dd>"))
            #expect(csv.split(separator: "\n").map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == ["product,purchases", "other,12"])
            #expect(json.rows.map(\.key) == [["product": "other"]] && json.totals.numbers[.netMilliunits] == 64_940)
        }
    }

    @Test("Totals of few payers say only how many purchases there are, on the overview too")
    func few() async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(configuration: .sample(), trust: store.trust()) { server in
            _ = try await server.report([store.transaction()])
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")

            for path in ["/console/reports/revenue", "/console/reports/revenue?by=", "/console", "/console/reports/revenue?view=booking&by=day"] {
                let page = try await viewer.get(path).page
                #expect(!page.contains("9.99"), "\(path)")
                #expect(try await owner.get(path).page.contains("€9.99"), "\(path)")
            }
            #expect(try await viewer.get("/console/reports/revenue").page.contains("<dt>Purchases</dt><dd class=\"value\">1</dd>"))
            #expect(try await owner.get("/console").page.contains("Net revenue</a></dt><dd class=\"value\">€9.99"))
            let json = try await owner.get("/console/reports/revenue.json?by=").page
            #expect(!json.contains("9990") && json.contains(#""netMilliunits":null"#))
        }
    }

    @Test("A page without a purchase says what to do; a file has no rows")
    func empty() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)

            let page = try await browser.get("/console/reports/revenue").page
            let csv = try await browser.get("/console/reports/revenue.csv")

            #expect(page.contains("https://YOUR-SERVER/v1/app-store/notifications") && !page.contains("<table"))
            #expect(csv.page.hasPrefix("source,purchases,grossMilliunits,") && csv.page.split(separator: "\n").count == 1)
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8" && csv.headers[.contentDisposition]?.contains("revenue-") == true)
            #expect(try await !browser.get("/console").page.contains("Net revenue"))
        }
    }

    @Test(
        "Days that are none, that are in reverse, or that are too many are a sentence, in the page and in files",
        arguments: [
            ("from=2026-13-01", "Write a day"), ("to=yesterday", "Write a day"), ("from=2026-11-09&to=2026-11-01", "after the last"),
            ("from=2020-01-01&to=2026-11-01", "at most 400 days"),
        ])
    func days(query: String, sentence: String) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            for ending in ["", ".csv", ".json"] {
                let answer = try await browser.get("/console/reports/revenue\(ending)?" + query)
                #expect(answer.status == .unprocessableContent && answer.page.contains(sentence))
            }
        }
    }

    @Test("Odd addresses are answered without a failure", arguments: ["?by=,,", "?by=", "?sort=", "?sort=-toaster", "?page=900", "?%ZZ", "?a=%00", "?view=&days=x", "?by=day,country,paywall,variation", "?view=booking", "?view=subscriptions&by=product", "?view=cohorts&days=90&by=source", "?view=cohorts&by="])
    func odd(query: String) async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            #expect(try await browser.get("/console/reports/revenue\(query)").status == .ok)
        }
    }

    @Test("Subscriptions and cohorts are counted as the report counts them")
    func views() async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let subscriptions = try await browser.get("/console/reports/revenue?view=subscriptions").page
            let cohorts = try await browser.get("/console/reports/revenue?view=cohorts").page

            // Coins are no subscription.
            #expect(subscriptions.contains("<dt>Active subscriptions</dt><dd class=\"value\">6</dd>"))
            #expect(subscriptions.contains("<h2>MRR by day</h2>") && subscriptions.contains("at the end €"))
            #expect(cohorts.contains("<dt>Installs</dt><dd class=\"value\">6</dd>"))
            // Bought before the first open: no cohort's money.
            #expect(cohorts.contains("<dt>Payers</dt><dd class=\"value\">0<span class=\"share\">0 %</span></dd>"))
        }
    }

    @Test("Support, which sees no reports, sees no revenue")
    func support() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .support)
            for path in ["revenue", "revenue.csv", "revenue.json"] {
                #expect(try await browser.get("/console/reports/" + path).status == .forbidden)
            }
        }
    }

    @Test("Campaigns and paywalls have the net of their rows beside the counts, and no other split has")
    func besideCounts() async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let sources = try await browser.get("/console/reports/campaigns?by=source").page
            let countries = try await browser.get("/console/reports/campaigns?by=country").page

            #expect(sources.contains(" class=\"number\" scope=\"col\">Net revenue</th>"))
            #expect(sources.contains(">€64.94</td></tr></tfoot>"))
            #expect(!countries.contains("Net revenue"))
        }
    }

    @Test("While other reports read all the rows they may, the overview and campaigns come at once, without the net")
    func besideReaders() async throws {
        try await Self.run { server in
            // The other numbers of these pages are counted in advance.
            while try await server.services.rollups.step() {}
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let permits = server.services.rowReads
            let readings = [try await HeldPermit.begun(permits), try await HeldPermit.begun(permits)]

            let overview = try await browser.get("/console")
            let sources = try await browser.get("/console/reports/campaigns?by=source")
            let revenue = "Net revenue"

            #expect(overview.status == .ok && overview.page.contains("First opens") && !overview.page.contains(revenue))
            #expect(sources.status == .ok && sources.page.contains("First opens") && !sources.page.contains(revenue))
            #expect(permits.waiting == 0)
            for reading in readings { try await reading.finish() }
            #expect(try await browser.get("/console").page.contains(revenue))
            #expect(try await browser.get("/console/reports/campaigns?by=source").page.contains(revenue))
        }
    }
}
