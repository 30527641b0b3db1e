// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Changing one link", .timeLimit(.minutes(1)))
struct LinkEditTests {
    private static let words = Words(.english)
    private static let address = "https://go.example.com/sale/2027"
    private static let form = Place("/console/links/edit", query: [("url", address)]).text

    /// Has all that a link can have, also what the form does not show.
    private static var full: StoredLink {
        var link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/sale/2027"), destination: "https://example.com/a?b=1&c=2")
        link.labels = LinkLabels(
            tracker: "abc", campaign: "sale \"7\"", adGroup: "a&b", creative: "<i>", label: "it's", channel: "大阪")
        // Some time of a day that is over.
        link.expiresAtMs = 86_400_123
        link.ways = PlatformWays(ios: [.app, .store], android: [.web("https://example.com/x?y=1,2")], desktop: [.page])
        link.preview = LinkPreview(title: "T", description: "D", image: "https://example.com/i.png")
        link.preview.locales = ["ja": .init(title: "題")]
        link.handover = LinkHandover(pasteboard: true, code: true)
        // Some time of the day before.
        link.startsAtMs = 1_234
        (link.tags, link.folder) = (["sale", "<b> 大阪"], "2027 & later")
        link.storePage = StorePage(ppid: "1-a", pt: "123", ct: "sale 7")
        link.routes = [
            LinkRoute(countries: ["DE", "AT"], platforms: [.android], destination: "https://example.com/de?x=1,2"),
            LinkRoute(platforms: [.desktop], destination: "https://example.com/desk"),
        ]
        return link
    }

    private static func add(_ link: StoredLink, _ server: TestServer) async throws {
        #expect(try await server.services.links.store.add([link], to: server.services.snapshot.app.id, nowMs: 1) == [true])
    }

    private static func stored(_ server: TestServer) async throws -> StoredLink? {
        try await server.services.links.store.link(AppID("example"), host: "go.example.com", path: full.path)
    }

    /// What a browser sends of the page's form, as it is.
    private static func fields(_ page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for match in page.matches(of: /<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"[^>]*>/) {
            guard !match.output.0.contains("checkbox") || match.output.0.contains(" checked") else { continue }
            fields[String(match.output.1)] = text(match.output.2)
        }
        for match in page.matches(of: /<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)</) {
            // Browsers send the end of a line as two bytes.
            fields[String(match.output.1)] = text(match.output.2).replacing("\n", with: "\r\n")
        }
        return fields
    }

    private static func text(_ markup: Substring) -> String {
        var value = String(markup)
        for (escaped, text) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            value = value.replacing(escaped, with: text)
        }
        return value
    }

    @Test("The form begins with the link as it is, and sent as it is, it changes nothing and writes no line")
    func unchanged() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add(Self.full, server)

            let page = try await browser.get(Self.form).page
            let answer = try await browser.post("/console/links/edit", Self.fields(page))

            #expect(Self.fields(page)["ios"] == "app store" && Self.fields(page)["expires"] == "1970-01-02")
            #expect(Self.fields(page)["starts"] == "1970-01-01" && Self.fields(page)["tags"] == "sale, <b> 大阪")
            #expect(Self.fields(page)["when"] == "DE, AT android https://example.com/de?x=1,2\r\ndesktop https://example.com/desk")
            #expect(!page.contains("name=\"suffix\"") && !page.contains("name=\"domain\""))
            #expect(answer.headers[.location] == ConsoleLinkTests.show(Self.address) + "&changed=1")
            #expect(try await Self.stored(server) == Self.full)
            #expect(try await !server.actions().contains("link_changed"))
        }
    }

    @Test("A tap follows the change at once; the address stays, and so does what the form does not show")
    func changed() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add(Self.full, server)
            #expect(try await Browser.onPhone.open(Self.address, in: server).status == 410)
            #expect(try await browser.get(ConsoleLinkTests.show(Self.address)).page.contains("/console/links/edit?url="))
            var fields = Self.fields(try await browser.get(Self.form).page)
            (fields["to"], fields["expires"], fields["campaign"], fields["title"]) = ("example://new", "", "", "New")
            (fields["ios"], fields["desktop"], fields["code"]) = ("store", "https://example.com/desk", nil)
            (fields["tags"], fields["folder"], fields["starts"]) = ("new ,sale,", "", "1970-01-03")
            (fields["ppid"], fields["ct"]) = ("", "new")
            fields["when"] = "jp Android https://example.com/jp\r\n\r\n ch,li example://ch"

            let answer = try await browser.post("/console/links/edit", fields)

            var expected = Self.full
            (expected.destination, expected.expiresAtMs, expected.labels.campaign) = ("example://new", nil, nil)
            (expected.preview.title, expected.handover.code) = ("New", false)
            (expected.ways.ios, expected.ways.desktop) = ([.store], [.web("https://example.com/desk")])
            (expected.tags, expected.folder, expected.startsAtMs) = (["new", "sale"], nil, 172_800_000)
            expected.storePage = StorePage(pt: "123", ct: "new")
            expected.routes = [
                LinkRoute(countries: ["JP"], platforms: [.android], destination: "https://example.com/jp"),
                LinkRoute(countries: ["CH", "LI"], destination: "example://ch"),
            ]
            #expect(answer.status == .seeOther)
            #expect(try await Self.stored(server) == expected)
            // The link hands itself over by the pasteboard, so a phone gets its page.
            #expect(try await Browser.onPhone.open(Self.address, in: server).status == 200)
            #expect(try await browser.get(answer.headers[.location] ?? "").page.contains(Self.words.linkEdited))
            #expect(try await server.actions().count { $0 == "link_changed" } == 1)
        }
    }

    @Test("Beside the form is the link as it will be, also while somebody types and without script; nothing is changed by that")
    func shown() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor), words = Self.words
            var link = Self.full
            link.expiresAtMs = nil
            try await Self.add(link, server)
            let page = try await browser.get(Self.form).page
            var fields = Self.fields(page)
            fields["title"] = "Zebra"

            let told = try await browser.post("/console/links/draft", fields).page
            let shown = try await browser.post("/console/links/edit", fields.merging(["show": "1"]) { $1 })
            let wrong = try await browser.post("/console/links/draft", fields.merging(["to": "javascript:1"]) { $1 }).page
            let gone = try await browser.post("/console/links/draft", fields.merging(["url": Self.address + "x"]) { $1 })

            #expect(page.contains("data-parts=\"/console/links/draft\"") && page.contains("<strong>T</strong>") && page.contains(words.linkHappens))
            for answer in [told, shown.page] {
                #expect(answer.contains("<strong>Zebra</strong>") && answer.contains("value=\"\(Self.address)\"") && answer.contains(words.linkHappens))
                #expect(!answer.contains(words.linkTaken) && !answer.contains(words.linkSuffixFree))
            }
            #expect(shown.status == .ok && Self.fields(shown.page)["title"] == "Zebra" && Self.fields(shown.page)["mark"] == fields["mark"])
            #expect(wrong.contains(words.linkWrongDestination.escapedForHTML) && wrong.contains("value=\"\(Self.address)\"") && !wrong.contains(words.linkHappens))
            #expect(gone.status == .notFound && !gone.page.contains("data-part"))
            #expect(try await Self.stored(server) == link)
            #expect(try await !server.actions().contains("link_changed"))
        }
    }

    @Test(
        "What making a link refuses is refused at its field, keeps what was typed, and changes nothing",
        arguments: [
            ("to", "javascript:alert(1)"), ("to", ""), ("campaign", String(repeating: "x", count: 201)), ("expires", "2001-01-01"),
            ("ios", "app nowhere"), ("title", String(repeating: "x", count: 5_000)),
            ("tags", String(repeating: "é", count: 33)), ("tags", (0...20).map { "\($0)" }.joined(separator: ",")),
            ("folder", String(repeating: "x", count: 201)), ("starts", "tomorrow"), ("starts", "1970-01-03"),
            ("ppid", "a_b"), ("ppid", String(repeating: "a", count: 65)), ("pt", "12a"), ("ct", "大阪"), ("ct", String(repeating: "x", count: 41)),
            ("when", "https://example.com/"), ("when", "Germany https://example.com/"), ("when", "DE javascript:alert(1)"), ("when", "DE, AT"),
            ("when", "DE https://go.example.com/beach"), ("when", (0...20).map { _ in "DE example://a" }.joined(separator: "\r\n")),
        ])
    func refused(field: String, value: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add(Self.full, server)
            var fields = Self.fields(try await browser.get(Self.form).page)
            fields[field] = value

            let answer = try await browser.post("/console/links/edit", fields)

            #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"\(field)-problem\""))
            #expect(Self.fields(answer.page)[field] == value)
            #expect(try await Self.stored(server) == Self.full)
        }
    }

    @Test(
        "A link that was stored with an end outside the calendar has all its pages, and an edit gives it the nearest end",
        arguments: [(.max, 253_402_300_799_999), (.min, 0)] as [(Int64, Int64)])
    func oddEnd(stored: Int64, edited: Int64) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            var link = Self.full
            (link.startsAtMs, link.expiresAtMs) = (nil, stored)
            try await Self.add(link, server)
            for path in ["", ".csv", ".json"].map({ "/console/links\($0)?q=sale" }) + [ConsoleLinkTests.show(Self.address)] {
                let page = try await browser.get(path)
                #expect(page.status == .ok && page.page.contains("sale"), "\(path)")
            }
            var fields = Self.fields(try await browser.get(Self.form).page)
            fields["label"] = "other"

            let answer = try await browser.post("/console/links/edit", fields)

            #expect(answer.status == .seeOther)
            #expect(try await Self.stored(server)?.expiresAtMs == edited)
        }
    }

    @Test("A form of the link as it was before somebody else's change says so and keeps the entries; sent again, it replaces the change")
    func meanwhile() async throws {
        try await TestServer.runBrand { server in
            let one = try await ConsoleBrowser.signedIn(server, as: .editor)
            let two = try await ConsoleBrowser.signedIn(server, as: .editor, "omar@example.com")
            try await Self.add(Self.full, server)
            var ours = Self.fields(try await one.get(Self.form).page), theirs = Self.fields(try await two.get(Self.form).page)
            (ours["label"], theirs["label"]) = ("ours", "theirs")
            #expect(try await two.post("/console/links/edit", theirs).status == .seeOther)

            let answer = try await one.post("/console/links/edit", ours)

            #expect(answer.status == .conflict && answer.page.contains(Self.words.linkEditedMeanwhile))
            #expect(try await Self.stored(server)?.labels.label == "theirs")
            #expect(Self.fields(answer.page)["label"] == "ours")
            #expect(try await one.post("/console/links/edit", Self.fields(answer.page)).status == .seeOther)
            #expect(try await Self.stored(server)?.labels.label == "ours")
        }
    }

    @Test("A link of the file says where it is changed; one that is not there is no page; a viewer finds no form")
    func others() async throws {
        try await TestServer.runBrand { server in
            let editor = try await ConsoleBrowser.signedIn(server, as: .editor)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "omar@example.com")
            let beach = "https://go.example.com/beach", path = Place("/console/links/edit", query: [("url", beach)]).text

            for answer in [try await editor.get(path), try await editor.post("/console/links/edit", ["url": beach, "to": "example://x"])] {
                #expect(answer.status == .conflict && answer.page.contains(Self.words.linkInFile))
            }
            #expect(try await !editor.get(ConsoleLinkTests.show(beach)).page.contains("/console/links/edit"))
            #expect(try await editor.get(Self.form).status == .notFound)
            #expect(try await editor.post("/console/links/edit", ["url": Self.address]).status == .notFound)
            #expect(try await editor.get("/console/links/edit").headers[.location] == "/console/links")
            #expect(try await viewer.get(path).status == .forbidden)
        }
    }
}
