// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A button of a link's page", .timeLimit(.minutes(1)))
struct ButtonTapTests {
    private static let host = "go.example.com"
    private static let store = "https://apps.apple.com/app/id1234567890"

    private static func page(_ target: String, _ browser: Browser = .inInstagram, in server: TestServer) async throws -> Browser.Answer {
        try await browser.send(target, host: host, to: server)
    }

    private static func tap(_ button: String, _ browser: Browser = .inInstagram, in server: TestServer) async throws -> Browser.Answer {
        try await browser.send(button, host: host, to: server)
    }

    private static func taps(_ server: TestServer) async throws -> [String] {
        try await server.rows("SELECT outcome, link_host, link_path FROM click WHERE kind = 'tap' ORDER BY outcome").map {
            try $0.text("outcome") + " " + $0.text("link_host") + $0.text("link_path")
        }
    }

    private static func clicks(_ server: TestServer) async throws -> Int {
        try await server.rows("SELECT click_id FROM click WHERE kind = 'person'").count
    }

    @Test("counts its tap as an event of the click, and leads where the page says, without a click of its own")
    func counted() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.page("/beach?size=m", in: server)

            let answers = try await page.buttons.asyncMap { try await Self.tap($0, in: server) }

            #expect(page.buttons.count == 3)
            #expect(page.buttons.allSatisfy { $0.hasPrefix("/beach?size=m&lf_tap=") })
            #expect(answers.allSatisfy { $0.status == 302 && $0.body.isEmpty && $0.headers[.cacheControl] == "no-store" })
            #expect(
                answers.map(\.location) == [
                    "example://summer-clothes?promo=beach&size=m&lf_campaign=summer", Self.store + "?ct=summer&mt=8",
                    "https://example.com/summer-clothes?promo=beach&size=m",
                ])
            #expect(try await Self.taps(server) == ["app go.example.com/beach", "store go.example.com/beach", "web go.example.com/beach"])
            let joined = try await server.rows("SELECT c.kind FROM click c JOIN button_tap t ON t.click_id = c.click_id")
            #expect(joined.map { $0.optionalText("kind") } == ["person", "person", "person"])
            #expect(try await Self.clicks(server) == 1)
        }
    }

    @Test("counts once for a page, however often it is tapped; the page of a second click counts again")
    func once() async throws {
        try await TestServer.runBrand { server in
            let first = try await Self.page("/beach", in: server), second = try await Self.page("/beach", in: server)

            for button in [first.buttons[1], first.buttons[1], first.buttons[1], second.buttons[1]] {
                #expect(try await Self.tap(button, in: server).location == Self.store + "?ct=summer&mt=8")
            }

            #expect(try await Self.taps(server).count == 2)
        }
    }

    @Test("of another link's click leads on, and counts nothing")
    func forged() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.page("/beach", in: server)
            let id = try #require(page.buttons.first?.suffix(36))
            let preview = try await Self.page("/beach", Browser(userAgent: Browser.slack), in: server)
            let previews = try await server.rows("SELECT click_id FROM click WHERE kind = 'preview'")
            let previewed = try #require(previews.first).text("click_id")

            for target in [
                // Another link, no click at all, and the request of a messenger.
                "/copied?lf_tap=store.\(id)", "/beach?lf_tap=store.\(UUIDv7.make(nowMs: server.nowMs))",
                "/beach?lf_tap=store.\(previewed)",
            ] {
                #expect(try await Self.tap(target, in: server).location?.hasPrefix(Self.store) == true, "\(target)")
            }

            #expect(!preview.body.contains("lf_tap"))
            #expect(try await Self.taps(server) == [])
        }
    }

    @Test(
        "that no page has is the link itself",
        arguments: [
            "/beach?lf_tap=store.1", "/beach?lf_tap=shop.01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071",
            "/beach?lf_tap=store.01A2B3C4-D5E6-7F80-9A1B-2C3D4E5F6071", "/beach?lf_tap=https://evil.example/x.01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071",
            // Of long ago: a person has shared the address.
            "/beach?lf_tap=store.0001b3c4-d5e6-7f80-9a1b-2c3d4e5f6071",
        ])
    func link(target: String) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Self.page(target, in: server)

            #expect(answer.status == 200)
            #expect(!answer.body.contains("evil.example\""))
            #expect(try await Self.clicks(server) == 1)
            #expect(try await Self.taps(server) == [])
        }
    }

    @Test("is the link itself a day later, and for programs and fetches ahead of a tap")
    func later() async throws {
        try await TestServer.runBrand { server in
            let button = try await Self.page("/beach", in: server).buttons[1]

            let ahead = try await Self.tap(button, Browser(userAgent: Browser.instagram, headers: [.secPurpose: "prefetch"]), in: server)
            let bot = try await Self.tap(button, Browser(userAgent: Browser.google), in: server)
            server.clock.advance(by: .milliseconds(ButtonTap.lifeMs + 1))
            let old = try await Self.tap(button, in: server)

            #expect([ahead.status, bot.status, old.status] == [503, 200, 200])
            #expect(try await Self.taps(server) == [])
        }
    }

    @Test("goes with its click")
    func forgotten() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.page("/beach", in: server)
            _ = try await Self.tap(page.buttons[0], in: server)

            let expiry = ClickExpiry(database: server.services.database, app: server.services.snapshot.app.id, retention: Retention())
            _ = try await expiry.forgetSome(nowMs: server.nowMs + 399 * 86_400_000)
            #expect(try await Self.taps(server).count == 1)
            _ = try await expiry.forgetSome(nowMs: server.nowMs + 401 * 86_400_000)

            #expect(try await Self.taps(server) == [])
        }
    }

    @Test("that begins another host, or would be too long for a link, is not counted, and leads there at once")
    func uncounted() {
        let id = "01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071"

        #expect(ButtonTaps(clickID: id, target: "//evil.example/a").address(of: .web) == nil)
        #expect(ButtonTaps(clickID: id, target: "/" + String(repeating: "a", count: 4_000)).address(of: .web) == nil)
        #expect(ButtonTaps(clickID: id, target: "/a?lf_token=x").address(of: .app) == nil && ButtonTaps(clickID: id, target: "/a?lf%5Ftoken=x").address(of: .app) == nil)
        #expect(ButtonTaps(clickID: id, target: "/a").address(of: .web) == "/a?lf_tap=web.\(id)")
    }

    @Test("has the target of its page back, byte for byte", arguments: ["/", "/a", "/a?", "/a?b", "/a?b=c&", "/a//b?c=d?e", "/a?lf_tap=x", "/é?b"])
    func target(target: String) throws {
        let id = "01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071"
        for button in ButtonTap.Button.allCases {
            let tap = try #require(ButtonTaps(clickID: id, target: target).address(of: button).flatMap { ButtonTap(target: $0) })

            #expect(tap.button == button && tap.clickID == id && tap.target == target)
        }
    }

    @Test("of the app is opened by the browser itself where scripts run: some apps' browsers open nothing after a redirect")
    func scripted() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.page("/beach", in: server)

            #expect(page.body.contains(#"data-app="example://summer-clothes?promo=beach&amp;lf_campaign=summer""#))
            #expect(page.headers[.contentSecurityPolicy]?.contains("connect-src 'self'") == true)
        }
    }
}

extension TestServer {
    fileprivate var nowMs: Int64 { services.time.nowMs() }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
