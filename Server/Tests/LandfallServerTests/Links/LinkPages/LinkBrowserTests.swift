// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import LandfallServer

@Suite("A link in a browser", .timeLimit(.minutes(1)))
struct LinkBrowserTests {
    private static let go = "https://go.example.com"
    private static let store = "https://apps.apple.com/app/id1234567890"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.android&referrer="

    static let redirects: [(userAgent: String, path: String, location: String)] = [
        // iOS goes to the store, with the campaign of the link or of the visitor.
        (Browser.safari, "/beach", store + "?ct=summer&mt=8"),
        (Browser.safari, "/Beach?adj_t=abc", store),
        (Browser.safari, "/summer-clothes?promo=beach", store),
        (Browser.safari, "/summer-clothes?lf_campaign=a%26b%3Dc%0D%0A", store + "?ct=a%26b%3Dc__&mt=8"),
        (Browser.safari, "/x/y/z?adjust_t=abc&adjust_campaign=winter", store + "?ct=winter&mt=8"),
        (Browser.safari, "?deep_link=myapp&adj_t=1fwu6wmd", store),
        // Android goes to Play, which passes the link to the app.
        (Browser.android, "/beach", play + "lf_link%3Dgo.example.com%2Fbeach%26lf_campaign%3Dsummer"),
        (Browser.android, "/own/7?adj_t=abc", play + "lf_link%3Dgo.example.com%2Fown%2F7%26adj_t%3Dabc"),
        // A link's own ways.
        (Browser.android, "/ways", "https://example.com/android?x=1"),
        (Browser.windows, "/ways", "https://example.com/desktop"),
        // Redirects and fallbacks of the team's own site.
        (Browser.safari, "/own/7?adj_redirect=https%3A%2F%2Fexample.com%2Fpromo", "https://example.com/promo"),
        (Browser.windows, "/own/7?adj_redirect=https%3A%2F%2Fexample.com%2Fpromo", "https://example.com/promo"),
        (Browser.windows, "/own/7?adj_fallback=https%3A%2F%2Fexample.com%2Fpromo", "https://example.com/promo"),
        (Browser.safari, "/own/7?adj_fallback=https%3A%2F%2Fexample.com%2Fpromo", store),
        (
            Browser.mac, "/own/7?lf_redirect=https://example.com/a&lf_redirect_macos=https://example.com/b",
            "https://example.com/b"
        ),
        (
            Browser.windows, "/own/7?lf_redirect=https://example.com/a&lf_redirect_macos=https://example.com/b",
            "https://example.com/a"
        ),
        // A deep link means the app, so a redirect beside it is left aside.
        (Browser.safari, "/own/7?adj_redirect=https://example.com/promo&adj_deep_link=example%3A%2F%2Fa", store),
        // Addresses that are not the team's own are ignored.
        (Browser.safari, "/own/7?adj_redirect=https%3A%2F%2Fevil.example%2F", store),
        (Browser.safari, "/own/7?adj_redirect=https://evilexample.com/", store),
        (Browser.safari, "/own/7?adj_redirect=https://example.com.evil.example/", store),
        (Browser.safari, "/own/7?adj_redirect=https://example.com%40evil.example/", store),
        (Browser.safari, "/own/7?adj_redirect=//evil.example/", store),
        // A different server may answer on another port.
        (Browser.safari, "/own/7?adj_redirect=https://example.com:8443/promo", store),
        (Browser.safari, "/own/7?adj_redirect=https://example.com:443/promo", "https://example.com:443/promo"),
        (Browser.safari, "/own/7?adj_redirect=javascript%3Aalert(1)", store),
        (Browser.safari, "/own/7?adj_redirect=data%3Atext/html,x", store),
        (Browser.safari, "/own/7?adj_redirect=http://example.com/", store),
        (Browser.safari, "/own/7?adj_redirect=https%3A%2F%2Fgo.example.com%2Fown%2F7", store),
        (Browser.safari, "/own/7?adj_redirect=https://ex%D0%B0mple.com/", store),
    ]

    @Test("has a banner with one argument, even if the link has commas")
    func bannerCommas() async throws {
        try await TestServer.runBrand { server in
            let page = try await Browser.inInstagram.open("https://go.example.com/own/7,8?x=1,affiliate-data=y", in: server)

            let banner = try #require(page.meta("apple-itunes-app"))
            #expect(banner == "app-id=1234567890, app-argument=example://own/7%2C8?x=1%2Caffiliate-data=y")
        }
    }

    @Test("redirects at once if that works", arguments: redirects)
    func redirect(userAgent: String, path: String, location: String) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser(userAgent: userAgent).open(Self.go + path, in: server)

            #expect(answer.status == 302)
            #expect(answer.location == location)
            #expect(answer.body.isEmpty)
        }
    }

    static let pages: [(userAgent: String, path: String, links: [String])] = [
        // In another app's browser a button opens the app: same path, query and fragment.
        (Browser.instagram, "/beach", ["example://summer-clothes?promo=beach&lf_campaign=summer", store + "?ct=summer&mt=8"]),
        (Browser.instagram, "/summer-clothes?promo=beach", ["example://summer-clothes?promo=beach", store]),
        (
            Browser.instagram, "/summer-clothes?promo=beach&adj_t=abc",
            ["example://summer-clothes?promo=beach&adj_t=abc", store]
        ),
        (Browser.instagram, "/app?x=1", ["example://offers/7?x=1&lf_label=poster#top", store]),
        (
            Browser.instagram, "/own/7?adj_deep_link=example%3A%2F%2Foffers%2F9%3Fa%3D1&adj_t=abc",
            ["example://offers/9?a=1&adj_t=abc", store]
        ),
        (Browser.instagram, "/own/7?adj_deep_link=https%3A%2F%2Fevil.example%2F", ["example://own/7", store]),
        // Anywhere by wish of the link or of its maker.
        (Browser.safari, "/summer-clothes?promo=beach&lf_open=app", ["example://summer-clothes?promo=beach", store]),
        (Browser.safari, "/ways", ["example://offers", store]),
        (Browser.androidInstagram, "/own/7", ["example://own/7", play + "lf_link%3Dgo.example.com%2Fown%2F7"]),
        // A desktop has no app: the store's page, the web site, and a code for the phone beside it.
        (Browser.windows, "/own/7?promo=a", [store, "https://example.com/own/7?promo=a"]),
        (Browser.mac, "/beach", [store + "?ct=summer&mt=8", "https://example.com/summer-clothes?promo=beach"]),
    ]

    @Test("has a page if a tap is needed", arguments: pages)
    func page(userAgent: String, path: String, links: [String]) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser(userAgent: userAgent).open(Self.go + path, in: server)

            #expect(answer.status == 200)
            #expect(Array(answer.links.prefix(2)) == links)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.body.contains("<svg") == (userAgent == Browser.windows || userAgent == Browser.mac))
        }
    }

    @Test(
        "never leads back to its own domain", arguments: [Browser.safari, Browser.instagram, Browser.android, Browser.windows])
    func noLoop(userAgent: String) async throws {
        try await TestServer.runBrand { server in
            for path in ["/beach", "/app", "/copied", "/typed", "/over", "/shown", "/ways", "/own/7?adj_t=a", "/nothing"] {
                let answer = try await Browser(userAgent: userAgent).open(Self.go + path, in: server)

                let targets = [answer.location].compactMap { $0 } + answer.links
                #expect(!targets.contains { $0.contains("go.example.com") && !$0.contains("referrer=") }, "\(path) \(targets)")
                #expect(answer.headers[HTTPField.Name("Refresh")!] == nil)
            }
        }
    }

    @Test("that is unknown or expired shows a help page, with the right status, and no store of another phone")
    func help() async throws {
        try await TestServer.runBrand { server in
            for (path, status) in [("/nothing", 404), ("/", 404), ("", 404), ("/over", 410), ("/Beach", 404)] {
                let play = "https://play.google.com/store/apps/details?id=com.example.android"
                for (userAgent, stores) in [
                    (Browser.safari, [Self.store]), (Browser.android, [play]), (Browser.mac, [Self.store]), (Browser.windows, [Self.store, play]),
                ] {
                    let answer = try await Browser(userAgent: userAgent).open(Self.go + path, in: server)

                    #expect(answer.status == status)
                    #expect(answer.links == ["https://example.com/"] + stores)
                    #expect(answer.meta("robots") == "noindex")
                }
            }
        }
    }

    @Test("that is not safe to follow is refused with the reason")
    func refused() async throws {
        try await TestServer.runBrand { server in
            for (target, status, reason) in [
                ("/a/../b", 400, "'.' or '..'"), ("/a/%2e%2e/b", 400, "'.' or '..'"), ("/%FF", 400, "not UTF-8"),
                ("/beach?a=%C3%28", 400, "not UTF-8"), ("/bea%00ch", 400, "not UTF-8"), ("/étè", 400, "Percent-encode"),
                ("http://go.example.com/beach", 400, "Percent-encode"), ("*", 400, "Percent-encode"),
                ("/" + String(repeating: "a", count: 8192), 414, "longer than"),
                ("/beach?x=" + String(repeating: "a", count: 8192), 414, "longer than"),
            ] {
                let answer = try await Browser.onPhone.send(target, host: "go.example.com", to: server)

                #expect(answer.status == status, "\(target.prefix(30))")
                #expect(answer.body.contains(reason.escapedForHTML), "\(target.prefix(30))")
                #expect(!answer.body.contains("aaaa"))
            }
        }
    }

    @Test("accepts GET and HEAD, and says so")
    func methods() async throws {
        try await TestServer.runBrand { server in
            for method in [HTTPRequest.Method.post, .put, .delete, .options, .patch] {
                let answer = try await Browser(method: method).open(Self.go + "/beach", in: server)

                #expect(answer.status == 405)
                #expect(answer.headers[.allow] == "GET, HEAD")
            }
            let head = try await Browser(method: .head).open(Self.go + "/beach", in: server)
            #expect(head.status == 302)
            let page = try await Browser(userAgent: Browser.windows, method: .head).open(Self.go + "/beach", in: server)
            #expect(page.status == 200)
            #expect(page.body.isEmpty)
        }
    }

    @Test("has a preview for messengers as its maker wants")
    func preview() async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser(userAgent: Browser.slack).open(Self.go + "/shown?x=1", in: server)

            #expect(answer.status == 200)
            #expect(answer.meta("og:title") == "50 % \"off\" <now>")
            #expect(answer.meta("og:description") == "Don't wait")
            #expect(answer.meta("og:image") == "https://example.com/i.png?a=1&b=2")
            #expect(answer.meta("og:url") == "https://go.example.com/shown")
            #expect(answer.meta("twitter:card") == "summary_large_image")
            #expect(answer.meta("al:ios:url") == "example://offers?x=1")
            #expect(answer.meta("al:ios:app_store_id") == "1234567890" && answer.meta("al:ios:app_name") == "Example & Co")
            #expect(answer.meta("al:android:url") == "example://offers?x=1" && answer.meta("al:android:package") == "com.example.android")
            #expect(answer.meta("al:web:url") == "https://example.com/offers?x=1" && answer.meta("al:web:should_fallback") == nil)
            #expect(answer.meta("robots") == "noindex")
            #expect(answer.body.contains(#"<link rel="canonical" href="https://example.com/offers?x=1">"#))
            #expect(!answer.body.contains("<now>"))
        }
    }

    @Test(
        "without its own preview is shown with the app's name", arguments: [Browser.slack, Browser.google, "curl/8.5.0"])
    func plainPreview(userAgent: String) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser(userAgent: userAgent).open(Self.go + "/beach", in: server)

            #expect(answer.status == 200)
            #expect(answer.meta("og:title") == "Example & Co")
        }
    }

    @Test("of an app with few settings still leads somewhere")
    func poorApp() async throws {
        let app = "app: { id: example, bundleId: com.example.app, scheme: example }\n"
        try await TestServer.runBrand(app: app) { server in
            for (browser, path, location) in [
                (Browser.onPhone, "/beach", "https://example.com/summer-clothes?promo=beach"),
                (.onAndroid, "/own/7", "https://example.com/own/7"),
                (.onAndroid, "/own/7?lf_fallback=https://example.com/f", "https://example.com/f"),
                (.onPhone, "/own/7?lf_fallback=https://example.com/f", "https://example.com/f"),
            ] {
                let location1 = try await browser.open(Self.go + path, in: server).location
                #expect(location1 == location)
            }
            let status2 = try await Browser.inInstagram.open(Self.go + "/beach", in: server).status
            #expect(status2 == 302)
        }
    }

    @Test("has headers that keep a page harmless", arguments: ["/beach", "/copied", "/nothing", "/over", "/%FF"])
    func securityHeaders(path: String) async throws {
        try await TestServer.runBrand { server in
            let answer = try await Browser.inInstagram.open(Self.go + path, in: server)

            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.referrerPolicy] == "no-referrer")
            #expect(answer.headers[.xFrameOptions] == "DENY")
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(!policy.contains("unsafe"))
        }
    }

    @Test("never repeats text from outside as markup")
    func escaping() async throws {
        try await TestServer.runBrand { server in
            for target in [
                "/own/%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "/own/7?x=%22%20onclick=%22alert(1)", "/own/'\"<u>?a='\"<u>",
                "/own/7?lf_campaign=%22%3E%3Cu%3E&lf_t='%3E",
            ] {
                for userAgent in [Browser.instagram, Browser.windows, Browser.slack] {
                    let answer = try await Browser(userAgent: userAgent).send(target, host: "go.example.com", to: server)

                    #expect(answer.status == 200)
                    #expect(!answer.body.contains("alert(1)<"))
                    #expect(!answer.body.contains("<u>"))
                    #expect(!answer.body.contains("\" onclick"))
                }
            }
        }
    }
}
