// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

/// A thousand taps of people and machines on links of every sort, over three days. What the report has to say is counted beside them,
/// from what the browsers saw.
@Suite("A thousand mixed taps", .timeLimit(.minutes(3)))
struct MixedTapTests {
    private struct Visitor: Sendable {
        let agent: String?
        let isPerson: Bool
        let browser: String?
    }

    private static let visitors = [
        Visitor(agent: Browser.safari, isPerson: true, browser: "Safari"), Visitor(agent: Browser.instagram, isPerson: true, browser: "Instagram"),
        Visitor(agent: Browser.android, isPerson: true, browser: "Chrome"), Visitor(agent: Browser.androidInstagram, isPerson: true, browser: "Instagram"),
        Visitor(agent: Browser.mac, isPerson: true, browser: "Safari"), Visitor(agent: Browser.windows, isPerson: true, browser: "Chrome"),
        Visitor(agent: Browser.slack, isPerson: false, browser: nil), Visitor(agent: Browser.google, isPerson: false, browser: nil),
        Visitor(agent: nil, isPerson: false, browser: nil),
    ]
    private static let paths = ["/beach", "/app", "/copied", "/typed", "/over", "/shown", "/ways", "/own/1"]
    private static let referrers: [(field: String?, host: String?)] = [(nil, nil), ("https://www.example.org/a", "example.org"), ("https://mail.example/", "mail.example")]
    private static let languages: [(field: String?, code: String?)] = [(nil, nil), ("de-AT,de;q=0.8", "de"), ("ja", "ja")]

    /// In the order of ``LinkReport/layout``.
    private struct Counted {
        var rows: [[String?]: [Int64]] = [:]

        mutating func add(_ metric: ReportMetric, _ key: [String?]) {
            rows[key, default: Array(repeating: 0, count: LinkReport.layout.count)][LinkReport.layout[metric]] += 1
        }
    }

    @Test("are counted as a hand counts them, by every field, taps on buttons included", arguments: [1, 2] as [UInt64])
    func counted(seed: UInt64) async throws {
        try await TestServer.runBrand { server in
            var random = SeededRandom(seed: seed)
            // By day, path, referrer, browser and language.
            var hand = Counted()
            var seen: Set<[String]> = []
            let responder = Routes.router(server.services).buildResponder()
            for number in 0..<1_000 {
                // The first click of a visitor is the unique one, and clicks of one instant have no order.
                server.clock.advance(by: .milliseconds(1))
                if number == 400 || number == 700 { server.clock.advance(by: .seconds(86_400)) }
                let visitor = try #require(Self.visitors.randomElement(using: &random)), path = try #require(Self.paths.randomElement(using: &random))
                let referrer = try #require(Self.referrers.randomElement(using: &random)), language = try #require(Self.languages.randomElement(using: &random))
                let network = Int.random(in: 0..<6, using: &random)
                var browser = Browser(userAgent: visitor.agent, address: "198.51.\(network).1")
                browser.headers[HTTPField.Name.referer] = referrer.field
                browser.headers[.acceptLanguage] = language.field
                var isPerson = visitor.isPerson
                switch Int.random(in: 0..<20, using: &random) {
                case 0: (browser.method, isPerson) = (.head, false)
                case 1: (browser.headers[.secPurpose], isPerson) = ("prefetch", false)
                default: break
                }
                let day = ReportDays.text(server.services.time.nowMs() / Retention.dayMs)
                let key = isPerson ? [day, path, referrer.host, visitor.browser, language.code] : [day, path, nil, nil, nil]

                let answer = try await browser.send(path, host: "go.example.com", to: responder)

                guard isPerson else {
                    hand.add(.machineRequests, key)
                    continue
                }
                guard answer.status != 410 else {
                    hand.add(.expiredClicks, key)
                    continue
                }
                hand.add(.clicks, key)
                if seen.insert([day, path, "\(network)", visitor.agent ?? ""]).inserted { hand.add(.uniqueClicks, key) }
                if answer.location?.contains("//apps.apple.com/") == true || answer.location?.contains("//play.google.com/") == true {
                    hand.add(.sentToStore, key)
                }
                for button in answer.buttons where button.contains("lf_tap=") && Bool.random(using: &random) {
                    for _ in 0..<Int.random(in: 1...2, using: &random) { _ = try await browser.send(button, host: "go.example.com", to: responder) }
                    hand.add(.buttonTaps, key)
                }
            }

            let days = try ReportDays(from: nil, to: nil, nowMs: server.services.time.nowMs())
            let fields: [LinkReport.Dimension] = [.day, .path, .referrer, .browser, .language]
            for by in [fields, [], [.path], [.referrer], [.browser, .language], [.day, .path]] as [[LinkReport.Dimension]] {
                let report = LinkReport(days: days, by: by)
                let found = try await LinkReportStore(database: server.services.database).counts(report, of: server.services.snapshot.app.id).rows
                let wanted = Dictionary(
                    hand.rows.map { key, counts in (by.map { field in fields.firstIndex(of: field).flatMap { key[$0].map { Array($0.utf8) } } }, counts) },
                    uniquingKeysWith: { zip($0, $1).map(+) })
                #expect(found == wanted, "by \(by)")
            }
            let totals = hand.rows.values.reduce(Array(repeating: Int64(0), count: LinkReport.layout.count)) { zip($0, $1).map(+) }
            // Every kind is there often enough to be counted wrongly. No app opened anything.
            #expect(zip(LinkReport.layout.metrics, totals).allSatisfy { [.appOpens, .unprovenAppOpens].contains($0) || $1 > 30 }, "\(totals)")
        }
    }
}
