// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The console's links", .timeLimit(.minutes(1)))
struct ConsoleLinkTests {
    static func show(_ url: String) -> String { Place("/console/links/show", query: [("url", url)]).text }

    @Test("A link that is made redirects at once, and its page has its QR code and what happens at a tap")
    func made() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            #expect(try await Browser.onPhone.open("https://go.example.com/spring/2027", in: server).status == 404)

            let answer = try await browser.post(
                "/console/links/new", ["to": "https://example.com/offers", "suffix": "spring/2027", "campaign": "spring"])

            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == Self.show("https://go.example.com/spring/2027") + "&made=1")
            let tapped = try await Browser.onPhone.open("https://go.example.com/spring/2027", in: server)
            #expect(tapped.location?.hasPrefix("https://apps.apple.com/app/id1234567890") == true)
            let page = try await browser.get(answer.headers[.location] ?? "").page
            #expect(page.contains("class=\"link-qr\"") && page.contains(Words(.english).linkMade))
            #expect(page.contains(Words(.english).linkOpensApp) && page.contains((tapped.location ?? "-").escapedForHTML))
            #expect(try await server.actions().contains("link_made"))
            let picture = try await browser.get("/console/links/qr.svg?url=https%3A%2F%2Fgo.example.com%2Fspring%2F2027")
            #expect(picture.headers[.contentType] == "image/svg+xml" && picture.page == QRCode("https://go.example.com/spring/2027")?.svg)
            let pixels = try await browser.get("/console/links/qr.png?url=https%3A%2F%2Fgo.example.com%2Fspring%2F2027")
            #expect(pixels.headers[.contentType] == "image/png")
            #expect(pixels.headers[.contentDisposition] == "attachment; filename=\"qr-spring-2027.png\"")
            #expect(Array(pixels.body.readableBytesView) == QRCode("https://go.example.com/spring/2027")?.png)
            #expect(page.contains("/console/links/qr.svg?url=") && page.contains("/console/links/qr.png?url="))
        }
    }

    @Test(
        "A suffix that is taken has its problem at the field, keeps what was typed, and makes nothing",
        arguments: ["beach", "taken", "own/1", "console/x", "/taken/"])
    func taken(suffix: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            _ = try await browser.post("/console/links/new", ["to": "https://example.com/a", "suffix": "taken"])

            let answer = try await browser.post(
                "/console/links/new", ["to": "https://example.com/b", "suffix": suffix, "channels": "mail\nposter"])

            #expect(answer.status == .conflict)
            #expect(answer.page.contains("id=\"suffix-problem\"") && answer.page.contains("value=\"\(suffix)\""))
            #expect(answer.page.contains("\nmail\nposter</textarea>"))
            #expect(try await server.services.links.store.links(AppID("example"), after: nil, limit: 10).count == 1)
        }
    }

    @Test(
        "What is wrong is told at its field",
        arguments: [
            ("to", ["to": "javascript:alert(1)"]), ("to", ["to": ""]), ("domain", ["to": "https://example.com/", "domain": "evil.example"]),
            ("suffix", ["to": "https://example.com/", "suffix": "a?b"]),
            ("campaign", ["to": "https://example.com/", "campaign": String(repeating: "x", count: 201)]),
            ("expires", ["to": "https://example.com/", "expires": "2001-01-01"]),
            ("expires", ["to": "https://example.com/", "expires": "tomorrow"]),
            ("ios", ["to": "https://example.com/", "ios": "nowhere"]), ("title", ["to": "https://example.com/", "image": "http://x/i.png"]),
            ("starts", ["to": "https://example.com/", "starts": "2999-01-02", "expires": "2999-01-02"]),
            ("tags", ["to": "https://example.com/", "tags": String(repeating: "x", count: 65)]), ("pt", ["to": "https://example.com/", "pt": "x"]),
            ("when", ["to": "https://example.com/", "when": "DE example://a\r\nexample://b"]),
            ("channels", ["to": "https://example.com/", "channels": "mail\r\nmail"]),
            ("channels", ["to": "https://example.com/", "channels": (0...50).map { "\($0)" }.joined(separator: "\n")]),
        ] as [(String, [String: String])])
    func refused(field: String, form: [String: String]) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            let answer = try await browser.post("/console/links/new", form)

            #expect(answer.status == .unprocessableContent)
            // With one domain there is no field for it.
            #expect(
                field == "domain"
                    ? answer.page.contains(Words(.english).linkWrongHost) && !answer.page.contains("#domain")
                    : answer.page.contains("id=\"\(field)-problem\""))
            #expect(try await server.services.links.store.links(AppID("example"), after: nil, limit: 1).isEmpty)
        }
    }

    @Test("A link has all that its form says, and so has the link of each channel; the list and the page show it")
    func whole() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            _ = try await browser.post(
                "/console/links/new",
                [
                    "to": "https://example.com/a", "suffix": "whole", "channels": "mail", "tags": "sale, 大阪", "folder": "2027", "starts": "2999-01-01",
                    "ppid": "1-a", "pt": "12", "ct": "beach poster", "when": "DE,AT ios https://example.com/de\r\n",
                ])

            let stored = try await server.services.links.store.links(AppID("example"), after: nil, limit: 10)
            #expect(stored.map(\.path.text) == ["/whole", "/whole-mail"])
            for link in stored {
                #expect(link.tags == ["sale", "大阪"] && link.folder == "2027" && link.startsAtMs == 32_472_144_000_000)
                #expect(link.storePage == StorePage(ppid: "1-a", pt: "12", ct: "beach poster"))
                #expect(link.routes == [LinkRoute(countries: ["DE", "AT"], platforms: [.ios], destination: "https://example.com/de")])
            }
            let list = try await browser.get("/console/links?folder=2027").page, page = try await browser.get(Self.show("https://go.example.com/whole")).page
            #expect(list.contains("</span>sale, 大阪</span>") && list.contains("from 2999-01-01") && list.contains("<option value=\"大阪\">"))
            #expect(page.contains("DE, AT ios https://example.com/de") && page.contains("beach poster") && page.contains("sale, 大阪"))
        }
    }

    @Test("Each channel gets its own link under the suffix, also one without letters, and all are made in one unit with one line")
    func channels() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            let answer = try await browser.post(
                "/console/links/new",
                ["to": "https://example.com/a", "suffix": "sale", "campaign": "sale", "channels": "Instagram Story\r\n大阪\r\nMail!\r\nmail"])

            let stored = try await server.services.links.store.links(AppID("example"), after: nil, limit: 10)
            #expect(answer.status == .ok)
            #expect(stored.map(\.path.text) == ["/sale", "/sale-2", "/sale-instagram-story", "/sale-mail", "/sale-mail-4"])
            #expect(stored.map(\.labels.channel) == [nil, "大阪", "Instagram Story", "Mail!", "mail"])
            #expect(stored.allSatisfy { answer.page.contains($0.address) && $0.labels.campaign == "sale" })
            #expect(try await server.actions().filter { $0 == "link_made" }.count == 1)
        }
    }

    @Test("A link that is removed leads nowhere at once; a link of the file stays")
    func removed() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            _ = try await browser.post("/console/links/new", ["to": "https://example.com/a", "suffix": "old"])
            #expect(try await Browser.onPhone.open("https://go.example.com/old", in: server).status == 302)

            let answer = try await browser.post("/console/links/remove", ["url": "https://go.example.com/old"])

            #expect(answer.headers[.location] == "/console/links?removed=1")
            #expect(try await Browser.onPhone.open("https://go.example.com/old", in: server).status == 404)
            #expect(try await server.actions().contains("link_removed"))
            #expect(try await browser.post("/console/links/remove", ["url": "https://go.example.com/old"]).status == .notFound)
            #expect(try await browser.post("/console/links/remove", ["url": "https://go.example.com/beach"]).status == .conflict)
            #expect(try await server.actions().filter { $0 == "link_removed" }.count == 1)
        }
    }

    @Test("A viewer reads the list and a link, and sees no form of them")
    func viewer() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            for path in ["/console/links", Self.show("https://go.example.com/beach")] {
                let page = try await browser.get(path)

                #expect(page.status == .ok && page.page.contains("go.example.com/beach"))
                #expect(!page.page.contains("/console/links/new") && !page.page.contains("/console/links/remove"))
                // Signing out, twice: for narrow and for wide pages.
                #expect(page.page.ranges(of: "method=\"post\"").count == 2)
            }
        }
    }

    @Test(
        "There is no page for an address that is not a link, and none for a missing link",
        arguments: ["", "x", "https://go.example.com", "https://go.example.com/nothing", "https://go.example.com/%2e%2e/x", "javascript:x", "https://%00/"])
    func missing(url: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)

            #expect(try await browser.get(Self.show(url)).status == .notFound)
            #expect(try await browser.get(Place("/console/links/qr.svg", query: [("url", url)]).text).status == .notFound)
            #expect(try await browser.get(Place("/console/links/qr.png", query: [("url", url)]).text).status == .notFound)
        }
    }

    @Test(
        "What people write into labels, suffixes and destinations is text on every page",
        arguments: [
            "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>", "</textarea><svg onload=alert(1)>", "javascript:alert(1)",
            "<!--", "&lt;b&gt;",
        ])
    func strangers(text: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let form = [
                "to": "https://example.com/?x=" + text.percentEncoded, "suffix": text.percentEncoded, "campaign": text, "adGroup": text, "creative": text,
                "label": text, "channel": text, "title": text, "description": text, "tags": text, "folder": text,
            ]
            let made = try await browser.post("/console/links/new", form)
            #expect(made.status == .seeOther)
            let refused = try await browser.post("/console/links/new", form.merging(["to": text, "channels": text, "when": text, "ppid": text, "starts": text]) { $1 })
            #expect(refused.status == .unprocessableContent)

            let pages = [
                refused, try await browser.get("/console/links"), try await browser.get(made.headers[.location] ?? ""),
                try await browser.get(Place("/console/links", query: [("q", text), ("host", text), ("campaign", text), ("tag", text), ("folder", text), ("page", text)]).text),
                try await browser.get("/console/links/new"),
            ]
            for page in pages {
                #expect([.ok, .unprocessableContent].contains(page.status))
                #expect(!page.page.contains("<script>") && !page.page.contains("<img") && !page.page.contains("<svg onload"))
                #expect(!page.page.contains("href=\"javascript"))
                #expect(page.page.contains(text.escapedForHTML))
            }
        }
    }
}
