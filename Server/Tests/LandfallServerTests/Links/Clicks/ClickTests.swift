// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A click", .timeLimit(.minutes(1)))
struct ClickTests {
    private static let beach = "https://go.example.com/beach"

    @Test("is stored before the answer, with the link's labels and nothing about the person")
    func stored() async throws {
        try await TestServer.runBrand { server in
            _ = try await Browser.onPhone.open(Self.beach + "?lf_campaign=x&adj_t=abc&lf_flavour=red&promo=1", in: server)

            let row = try await server.onlyClick()
            let values = ["kind", "platform", "link_host", "link_path", "outcome", "tracker", "campaign", "parameters"]
                .map { row.optionalText($0) }
            let expected = [
                "person", "ios", "go.example.com", "/beach", "store", "abc", "summer", #"{"flavour":"red"}"#,
            ]
            #expect(values == expected)
            #expect(row.optionalInteger("visitor") != nil)
            let text = row.values.map { "\($0)" }.joined()
            #expect(!text.contains("192.0.2") && !text.contains("WebKit"))
        }
    }

    static let visits: [(browser: Browser, kind: ClickKind, status: Int)] = [
        (.onPhone, .person, 302), (.inInstagram, .person, 200), (Browser(method: .head), .head, 302),
        (Browser(userAgent: Browser.slack), .preview, 200), (Browser(userAgent: Browser.google), .bot, 200),
        (Browser(userAgent: nil), .bot, 200),
        (Browser(headers: [.secPurpose: "prefetch"]), .preview, 503),
        (Browser(headers: [.accept: "image/avif,image/webp,*/*;q=0.8"]), .preview, 200),
        (Browser(headers: [.accept: "text/html,image/avif,*/*;q=0.8"]), .person, 302),
    ]

    @Test("of a bot is stored as such, and not counted", arguments: visits)
    func kinds(browser: Browser, kind: ClickKind, status: Int) async throws {
        try await TestServer.runBrand { server in
            let answer = try await browser.open(Self.beach, in: server)

            #expect(answer.status == status)
            let row = try await server.onlyClick()
            #expect(row.optionalText("kind") == kind.rawValue)
            #expect((row.optionalInteger("visitor") != nil) == (kind == .person))
            let counts = try await server.counts()
            #expect(counts == ["/beach": kind == .person ? [1, 1] : [0, 0]])
        }
    }

    @Test("is counted once more in all clicks, and once a day for the same visitor of the same link")
    func unique() async throws {
        try await TestServer.runBrand { server in
            for (address, userAgent, url, days) in [
                ("192.0.2.7", Browser.safari, Self.beach, 0), ("192.0.2.7", Browser.safari, Self.beach, 0),
                ("192.0.2.200", Browser.safari, Self.beach, 0), ("198.51.100.1", Browser.safari, Self.beach, 0),
                ("192.0.2.7", Browser.instagram, Self.beach, 0),
                ("192.0.2.7", Browser.safari, "https://go.example.com/app", 0), ("192.0.2.7", Browser.safari, Self.beach, 1),
            ] {
                if days > 0 { server.clock.advance(by: .seconds(86_400)) }
                _ = try await Browser(userAgent: userAgent, address: address).open(url, in: server)
            }

            let counts = try await server.counts()
            #expect(counts == ["/app": [1, 1], "/beach": [6, 4]])
        }
    }

    @Test("on an expired link is stored and not counted; on a link that leads nowhere it is not stored")
    func dead() async throws {
        try await TestServer.runBrand { server in
            _ = try await Browser.onPhone.open("https://go.example.com/over", in: server)
            _ = try await Browser.onPhone.open("https://go.example.com/nothing", in: server)
            _ = try await Browser.onPhone.open("https://go.example.com/.well-known/apple-app-site-association", in: server)

            let found2 = try await server.onlyClick().optionalText("outcome")
            #expect(found2 == "expired")
            let counts = try await server.counts()
            #expect(counts == ["/over": [0, 0]])
        }
    }

    @Test("with a token is stored together with it, and the token's hash leads to the link")
    func pasteboard() async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser.onPhone.open("https://go.example.com/copied?a=1&lf_label=x#top", in: server)

            let copied = try #require(answer.copied)
            #expect(copied.hasPrefix("https://go.example.com/copied?a=1&lf_label=x&lf_token="))
            #expect(answer.links.prefix(1) == ["example://offers?a=1&lf_campaign=summer&lf_label=x"])
            let token = try #require(DeferredToken(presented: copied))
            let row = try #require(try await server.deferred(token))
            #expect(row.optionalText("kind") == "pasteboard")
            #expect(row.optionalText("original") == "https://go.example.com/copied?a=1&lf_label=x")
            #expect(row.optionalText("resolved") == "https://example.com/offers?a=1")
            #expect(row.optionalText("campaign") == "summer")
            #expect(row.optionalText("click_id") == (try await server.onlyClick().optionalText("click_id")))
            let life = try row.integer("expires_at_ms") - row.integer("created_at_ms")
            #expect(life == 7 * 86_400_000)
            #expect(!"\(row.values)".contains(token.text))
        }
    }

    @Test("shows people on any platform a code, and has no token without a pasteboard to read")
    func code() async throws {
        try await TestServer.runBrand { server in
            let page = try await Browser.onDesktop.open("https://go.example.com/typed", in: server)
            let shown = try #require(page.body.firstMatch(of: /<p class="code" dir="ltr">([A-Z0-9-]+)</)).output.1
            let token = try #require(DeferredToken(presented: shown.lowercased()))
            let found4 = try await server.deferred(token)?.optionalText("kind")
            #expect(found4 == "code")

            let other = try await Browser.onDesktop.open("https://go.example.com/copied", in: server)
            #expect(other.copied == nil)
        }
    }

    @Test("is found by the app's first open, through the pasteboard's text and the typed code")
    func foundAgain() async throws {
        try await TestServer.runBrand { server in
            let copied = try await Browser.onPhone.open("https://go.example.com/copied?a=1", in: server).copied
            let page = try await Browser.onPhone.open("https://go.example.com/typed", in: server).body
            let code = try #require(page.firstMatch(of: /<p class="code" dir="ltr">([A-Z0-9-]+)</)).output.1

            for (number, text, resolved) in [
                (1, try #require(copied), "https://example.com/offers?a=1"),
                (2, code.lowercased(), "https://example.com/offers"),
            ] {
                let response = try await server.send(
                    .post, WirePath.deferredLink, #"{"token":"\#(text)"}"#, phone: Phone(number))
                guard case .link(let link) = try response.decoded(DeferredLinkAnswer.self) else {
                    Issue.record("\(text) led nowhere")
                    continue
                }
                #expect(link.resolved == resolved)
                #expect(link.matchedBy == (number == 1 ? .pasteboard : .code))
            }
        }
    }

    @Test("of a bot gets no token", arguments: [Browser.slack, Browser.google])
    func machines(userAgent: String) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser(userAgent: userAgent).open("https://go.example.com/copied", in: server)

            #expect(answer.copied == nil)
            let found5 = try await server.rows("SELECT kind FROM deferred_link")
            #expect(found5 == [])
        }
    }

    @Test("has a country only from a trusted proxy")
    func country() async throws {
        let name = HTTPField.Name("CF-IPCountry")!
        for (address, value, expected) in [
            ("10.1.2.3", "de", "DE"), ("192.0.2.7", "DE", nil), ("10.1.2.3", "XX", nil), ("10.1.2.3", "T1", nil),
            ("10.1.2.3", "DEU", nil),
        ] as [(String, String, String?)] {
            try await TestServer.runBrand(proxies: try TrustedProxies(["10.0.0.0/8"]), countryHeader: name) { server in
                _ = try await Browser(address: address, headers: [name: value]).open(Self.beach, in: server)

                let found6 = try await server.onlyClick().optionalText("country")
                #expect(found6 == expected)
            }
        }
    }

    @Test("that the store cannot keep does not delay the visitor; then there is no token")
    func lost() async throws {
        try await TestServer.runBrand { server in
            let full = server.replacingClicks(FullDisk())

            let redirect = try await Browser.onPhone.open(Self.beach, in: full)
            let page = try await Browser.onPhone.open("https://go.example.com/copied", in: full)

            #expect(redirect.status == 302)
            #expect(page.status == 200)
            #expect(page.copied == nil)
            let metrics = full.services.metrics.text()
            #expect(metrics.contains(#"landfall_limit_hit_total{limit="disk"} 2"#))
            #expect(metrics.contains("landfall_link_clicks_lost_total 2"))
        }
    }
}

private struct FullDisk: ClickStore {
    func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        then(.failure(DatabaseError.diskLow))
    }
}

extension TestServer {
    func rows(_ text: String, _ values: [SQLValue] = []) async throws -> [Row] {
        try await services.database.read { try $0.rows(text, values) }
    }

    func onlyClick() async throws -> Row {
        let rows = try await rows("SELECT * FROM click WHERE kind <> 'tap'")
        #expect(rows.count == 1)
        return try #require(rows.first)
    }

    fileprivate func deferred(_ token: DeferredToken) async throws -> Row? {
        try await rows("SELECT * FROM deferred_link WHERE token_hash = $1", [.blob(token.hash)]).first
    }

    /// Clicks and visitors by path, as the report of four days counts them.
    fileprivate func counts() async throws -> [String: [Int64]] {
        let nowMs = services.time.nowMs()
        let days = try ReportDays(
            from: ReportDays.text(nowMs / Retention.dayMs - 3), to: nil, nowMs: nowMs)
        let report = LinkReport(days: days, by: [.path])
        let counts = try await LinkReportStore(database: services.database).counts(report, of: services.snapshot.app.id)
        return Dictionary(
            uniqueKeysWithValues: counts.rows.map { (String(decoding: $0[0] ?? [], as: UTF8.self), Array($1.prefix(2))) })
    }

    func replacingClicks(_ clicks: any ClickStore) -> TestServer {
        let services = Services(
            configuration: services.configuration, database: services.database, mark: services.mark, installs: services.installs, events: services.events,
            links: services.links, clicks: clicks, visitors: services.visitors, addressKeys: services.addressKeys,
            holds: services.holds, time: services.time, metrics: services.metrics, telemetry: services.telemetry, limitHits: services.limitHits
        )
        return TestServer(services: services, clock: clock, client: client)
    }
}
