// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallStore

/// Safari sends the same user agent from an iPad and from a Mac.
@Suite("A link on an iPad or a Mac", .timeLimit(.minutes(1)))
struct TouchPageTests {
    private static let go = "https://go.example.com"
    private static let store = "https://apps.apple.com/app/id1234567890"
    private static var safari: Browser { Browser(userAgent: Browser.mac) }

    @Test("gets the page of a computer, with the banner, and the app's button hidden until a script finds a touch screen")
    func page() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.safari.open(Self.go + "/beach", in: server)

            let app = "example://summer-clothes?promo=beach&lf_campaign=summer"
            #expect(page.status == 200)
            #expect(page.links == [Self.store + "?ct=summer&mt=8", "https://example.com/summer-clothes?promo=beach", app])
            #expect(page.body.contains(#"<a class="first store" rel="noreferrer" href="/beach?lf_tap=store."#))
            #expect(page.body.contains(#"<a class="first" hidden data-touch rel="noreferrer" href="/beach?lf_tap=app."#))
            #expect(page.body.contains(#"<div class="qr" data-still><svg"#))
            #expect(page.meta("apple-itunes-app") == "app-id=1234567890, app-argument=\(app)")
            #expect(page.body.contains("navigator.maxTouchPoints"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("unsafe") == false)
        }
    }

    @Test("hands over the token only where the script finds a touch screen, and it is a token like any other")
    func token() async throws {
        try await TestServer.runBrand { server in
            let page = try await Self.safari.open(Self.go + "/copied", in: server)

            let answer = try await server.claim("{\"token\":\"\(page.copied ?? "")\"}")
            #expect(page.body.contains("<p id=\"hint\" hidden data-touch>"))
            #expect(page.body.contains("<input id=\"copy\" dir=\"ltr\" hidden data-touch readonly"))
            #expect(answer != DeferredLinkAnswer.none)
        }
    }

    @Test("goes where the maker leads computers, unless the link asks for the app or shows a code")
    func computers() async throws {
        try await TestServer.runBrand { server in
            for (path, location) in [
                ("/ways", "https://example.com/desktop"), ("/own/7?lf_fallback=https://example.com/f", "https://example.com/f"),
                ("/own/7?lf_redirect_macos=https://example.com/b", "https://example.com/b"), ("/ways?lf_open=app", nil), ("/typed", nil),
            ] {
                let answer = try await Self.safari.open(Self.go + path, in: server)

                #expect(answer.location == location, "\(path)")
                #expect(location != nil || answer.links.last?.hasPrefix("example://") == true, "\(path)")
            }
        }
    }

    @Test("in a browser that says it is on iOS is an iPhone's; one that no iPad has is a computer's")
    func others() async throws {
        try await TestServer.runBrand { server in
            let start = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            let chromeOnIPad = try await Browser(userAgent: start + "CriOS/130.0 Version/11.1.1 Safari/605.1.15").open(Self.go + "/beach", in: server)
            let chromeOnMac = try await Browser(userAgent: start + "Chrome/130.0.0.0 Safari/537.36").open(Self.go + "/beach", in: server)

            #expect(chromeOnIPad.location == Self.store + "?ct=summer&mt=8")
            #expect(!chromeOnMac.body.contains("data-touch") && !chromeOnMac.body.contains("<script"))
            #expect(chromeOnMac.meta("apple-itunes-app") == nil)
        }
    }

    @Test("is counted as what it is: an iPad or a Mac")
    func counted() async throws {
        try await TestServer.runBrand { server in
            for browser in [Self.safari, .onPhone, .onDesktop] { _ = try await browser.open(Self.go + "/beach", in: server) }

            let platforms = try await server.services.database.read { try $0.rows("SELECT platform FROM click WHERE kind <> 'tap' ORDER BY platform") }

            #expect(try platforms.map { try $0.text("platform") } == ["desktop", "ios", "ipad or mac"])
        }
    }
}
