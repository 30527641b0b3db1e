// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Testing

@testable import LandfallRules

@Suite("The pages of a brand domain", .timeLimit(.minutes(1)))
struct BrandPageTests {
    private static let go = "https://go.example.com"
    /// A whole picture of one pixel.
    private static let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    private func run(_ page: String, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        let yaml = TestServer.brandApp + """
            keys: [{ sdk: pk_test }]
            paywalls: { default: {} }
            placements: { onboarding: [{ audience: everyone, paywall: default }] }
            domains:
              brand: [{ host: go.example.com, paths: [/own/*], \(page) }, plain.example.com]
              universal: [example.com]
            links:
              - { url: https://go.example.com/said, to: https://example.com/a, preview: { description: Its own words } }
              - { url: https://go.example.com/drawn, to: https://example.com/a, preview: { icon: 🎾, colour: "#0A0" } }

            """
        try await TestServer.run(configuration: try Configuration(yaml: yaml, environment: { _ in nil }), body)
    }

    @Test("have the domain's icon, colour and sentence; a link's own come first")
    func brand() async throws {
        try await run("page: { icon: 🏖, colour: \"#FFD400\", sentence: { en: For the sea, ja: 海のすべて } }") { server in
            var japanese = Browser.inInstagram
            japanese.headers[.acceptLanguage] = "ja"
            let page = try await Browser.inInstagram.open(Self.go + "/own/7", in: server)
            let other = try await japanese.open(Self.go + "/own/7", in: server)
            let said = try await Browser.inInstagram.open(Self.go + "/said", in: server)
            let drawn = try await Browser.inInstagram.open(Self.go + "/drawn", in: server)
            let plain = try await Browser.inInstagram.open("https://plain.example.com/x?lf_t=a", in: server)

            #expect(page.body.contains("<div class=\"icon\" aria-hidden=\"true\">🏖</div>"))
            #expect(page.body.contains(":root{--tint:#ffd400;--ink:#000000}"))
            #expect(page.body.contains("<p dir=\"auto\">For the sea</p>"))
            #expect(other.body.contains("<p dir=\"auto\">海のすべて</p>"))
            #expect(said.body.contains("<p dir=\"auto\">Its own words</p>") && !said.body.contains("For the sea"))
            #expect(drawn.body.contains(">🎾</div>") && drawn.body.contains(":root{--tint:#00aa00;--ink:#000000}"))
            #expect(drawn.body.contains("For the sea"))
            #expect(plain.body.contains(">E</div>") && plain.body.contains("--tint:#0066ff;--ink:#ffffff") && !plain.body.contains("For the sea"))
        }
    }

    @Test("show a picture of their own host, and none from elsewhere")
    func picture() async throws {
        try await run("page: { icon: \"data:image/png;base64,\(Self.png)\" }") { server in
            let page = try await Browser.inInstagram.open(Self.go + "/own/7", in: server)
            let icon = try await Browser.inInstagram.open(Self.go + "/apple-touch-icon.png", in: server)

            #expect(page.body.contains("<img class=\"icon\" src=\"/apple-touch-icon.png\" alt=\"\""))
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self';") == true)
            #expect(icon.status == 200 && icon.headers[.contentType] == "image/png")
            #expect(icon.headers[.contentLength] == "\(Data(base64Encoded: Self.png)?.count ?? 0)")
        }
    }

    @Test("have an icon for the browser's tab, and let programs read them; neither is a click")
    func files() async throws {
        try await run("page: { icon: <b }") { server in
            let icon = try await Browser.onDesktop.open(Self.go + "/favicon.ico", in: server)
            let robots = try await Browser(userAgent: Browser.google).open(Self.go + "/robots.txt?x", in: server)
            let head = try await Browser(method: .head).open(Self.go + "/robots.txt", in: server)

            #expect(icon.status == 200 && icon.headers[.contentType] == "image/svg+xml")
            #expect(icon.body.contains(">&lt;b</text>") && icon.body.contains("fill=\"#0066ff\""))
            #expect(icon.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
            #expect(robots.status == 200 && robots.body == "User-agent: *\nAllow: /\n")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(try await server.rows("SELECT click_id FROM click").isEmpty)
        }
    }

    @Test("draw a store's badge with the store's name in a line of its own")
    func badge() async throws {
        try await run("page: {}") { server in
            let page = try await Browser.inInstagram.open(Self.go + "/own/7", in: server)

            #expect(page.body.contains("<small>Get Example &amp; Co on the </small><b>App Store</b></a>"))
            #expect(!page.body.contains("http://") && !page.body.contains("url("))
        }
    }

    @Test(
        "A mistake of a page is reported at its place",
        arguments: [
            ("icon: https://example.com/icon.png", "'icon' cannot be 'https://example.com/icon.png'. Pages load nothing from elsewhere"),
            ("icon: \"data:image/svg+xml;base64,PHN2Zy8+\"", "'icon' cannot be"), ("icon: \"data:image/png;base64,PHN2Zy8+\"", "'icon' cannot be"),
            ("icon: \"data:image/png;base64,***\"", "'icon' cannot be"), ("icon: abc", "'icon' cannot be 'abc'"),
            ("colour: blue", "'colour' cannot be 'blue'."), ("colour: \"#12\"", "'colour' cannot be '#12'."), ("colour: \"##123456\"", "'colour' cannot be"),
            ("sentence: [a]", "'sentence' is not a text."), ("sentence: { \"a b\": a }", "'a b' is not a locale."),
            ("color: \"#123456\"", "'page' has no 'color'. Did you mean 'colour'?"),
        ])
    func mistakes(page: String, problem: String) {
        let problems = Sample.problems(adding: "domains: { brand: [{ host: go.example.com, page: { \(page) } }] }\n")

        #expect(problems.count == 1 && problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test(
        "The text on a colour is the one that is easier to read",
        arguments: [("#000", "#ffffff"), ("#fff", "#000000"), ("#0a7cff", "#000000"), ("06f", "#ffffff"), ("FFD400", "#000000"), ("#c00", "#ffffff")])
    func ink(colour: String, ink: String) throws {
        let configuration = try Sample.configuration("domains: { brand: [{ host: go.example.com, page: { colour: \"\(colour)\" } }] }\n")

        #expect(configuration.domains.brand.first?.page.ink == ink)
    }
}
