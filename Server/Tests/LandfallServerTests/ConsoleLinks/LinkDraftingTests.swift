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

@Suite("A link while it is written", .timeLimit(.minutes(1)))
struct LinkDraftingTests {
    private static let words = Words(.english)

    private static func stored(_ server: TestServer) async throws -> [StoredLink] {
        try await server.services.links.store.links(AppID("example"), after: nil, limit: 10)
    }

    private static func drawn(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /name="drawn" value="([^"]*)"/)?.output.1))
    }

    @Test("is told as the link that is made from it; nothing is made before, and nothing of it is remembered")
    func same() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor), address = "https://go.example.com/spring/2027"
            let form = ["to": "https://example.com/offers", "suffix": "spring/2027", "title": "T <b>", "campaign": "spring"]

            let told = try await browser.post("/console/links/draft", form)

            #expect(told.status == .ok && told.page.contains("value=\"\(address)\"") && told.page.contains(Self.words.linkSuffixFree))
            #expect(told.page.contains(try #require(QRCode(address)).outline) && told.page.contains("<strong>T &lt;b&gt;</strong>"))
            #expect(try await Self.stored(server).isEmpty)
            #expect(try await Browser.onPhone.open(address, in: server).status == 404)
            #expect(try await !server.actions().contains("link_made"))
            let made = try await browser.post("/console/links/new", form)
            let tapped = try await Browser.onPhone.open(address, in: server), page = try await browser.get(made.headers[.location] ?? "").page
            #expect(told.page.contains((tapped.location ?? "-").escapedForHTML) && told.page.contains(Self.words.linkOpensApp))
            #expect(page.contains(Self.words.linkMade) && page.contains("<strong>T &lt;b&gt;</strong>"))
        }
    }

    @Test("has the address before it has a destination, and says whether a suffix is free")
    func suffix() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            for (form, isFree, sentence) in [
                (["suffix": "fresh"], true, Self.words.linkDraftOpen),
                (["suffix": "fresh", "to": "javascript:1"], true, Self.words.linkWrongDestination),
                (["suffix": "fresh", "to": "https://example.com/", "ios": "nowhere"], true, Self.words.linkWrongWay),
                (["suffix": "beach"], false, Self.words.linkTaken),
                (["suffix": "console/x", "to": "https://example.com/"], false, Self.words.linkTaken),
                (["suffix": "a?b"], false, Self.words.linkWrongSuffix),
            ] {
                let told = try await browser.post("/console/links/draft", form).page

                #expect(told.contains("https://go.example.com/fresh\"") == isFree && told.contains("link-qr") == isFree, "\(form)")
                #expect(told.contains(Self.words.linkSuffixFree) == isFree, "\(form)")
                #expect(told.ranges(of: sentence.escapedForHTML).count == 1 && !told.contains(Self.words.linkHappens), "\(form)")
            }
            let drawn = try await browser.post("/console/links/draft", ["drawn": "Abcdefgh"]).page
            #expect(drawn.contains("https://go.example.com/Abcdefgh\"") && !drawn.contains(Self.words.linkSuffixFree))
        }
    }

    @Test("without a suffix gets the code that its page showed, once; a text that is no code is no address")
    func drawn() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let page = try await browser.get("/console/links/new").page, code = try Self.drawn(page)
            #expect(page.contains("value=\"https://go.example.com/\(code)\"") && page.contains("link-qr"))

            var places: [String] = []
            for drawn in [code, code, "beach", "../../ab", "aaaaaaa0", ""] {
                let made = try await browser.post("/console/links/new", ["to": "https://example.com/\(places.count)", "drawn": drawn])
                places.append(made.headers[.location] ?? "")
            }

            #expect(places[0] == ConsoleLinkTests.show("https://go.example.com/" + code) + "&made=1")
            let paths = try await Self.stored(server).map(\.path.text)
            #expect(paths.count == 6 && paths.allSatisfy { $0.utf8.count == 9 } && paths.filter { $0 == "/" + code }.count == 1)
            #expect(!paths.contains("/aaaaaaa0"))
        }
    }

    @Test("is shown without a script, with all that was typed, and is not made")
    func shown() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            let answer = try await browser.post(
                "/console/links/new",
                [
                    "to": "https://example.com/a", "suffix": "soon", "folder": "2027", "utm_source": "news", "was": "", "drawn": "Abcdefgh",
                    "show": "1",
                ])

            #expect(answer.status == .ok && answer.page.contains("value=\"https://go.example.com/soon\""))
            #expect(answer.page.contains("name=\"to\" type=\"text\" value=\"https://example.com/a?utm_source=news\""))
            #expect(answer.page.contains("name=\"was\" value=\"https://example.com/a?utm_source=news\""))
            #expect(answer.page.contains("name=\"folder\" type=\"text\" value=\"2027\"") && answer.page.contains(Self.words.linkHappens))
            #expect(try Self.drawn(answer.page) == "Abcdefgh" && !answer.page.contains("role=\"alert\""))
            #expect(try await Self.stored(server).isEmpty)
        }
    }

    @Test("that begins later is told as it will be then")
    func later() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor), form = ["to": "https://example.com/a", "suffix": "soon"]

            let later = try await browser.post("/console/links/draft", form.merging(["starts": "2999-01-01"]) { $1 }).page

            #expect(later.contains(Self.words.linkOpensApp) && !later.contains(Self.words.linkOpensNothing))
            #expect(later.contains(Self.words.linkBegin("2999-01-01")))
        }
    }

    @Test("writes its UTM parameters into the destination, once")
    func tags() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let form = ["to": "https://example.com/?utm_source=mail&a=1", "was": "https://example.com/?utm_source=mail&a=1"]

            _ = try await browser.post(
                "/console/links/new", form.merging(["suffix": "tagged", "utm_source": "news", "utm_campaign": "sale 7"]) { $1 })

            let link = try #require(try await Self.stored(server).first)
            #expect(link.destination == "https://example.com/?a=1&utm_source=news&utm_campaign=sale%207")
        }
    }

    @Test("The next link begins with the labels and UTM parameters of one, and with nothing else of it")
    func like() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let made = try await browser.post(
                "/console/links/new",
                [
                    "to": "https://example.com/first?utm_source=news", "suffix": "first", "campaign": "sale", "channel": "mail", "tags": "a, b",
                    "folder": "2027", "expires": "2999-01-01", "title": "Zebra", "code": "1",
                ])
            let next = Place("/console/links/new", query: [("like", "https://go.example.com/first")]).text

            #expect(try await browser.get(made.headers[.location] ?? "").page.contains("href=\"\(next)\""))
            let page = try await browser.get(next).page
            for (name, value) in [
                ("campaign", "sale"), ("channel", "mail"), ("tags", "a, b"), ("folder", "2027"), ("utm_source", "news"), ("to", ""), ("suffix", ""),
            ] {
                #expect(page.contains("name=\"\(name)\" type=\"text\" value=\"\(value)\""), "\(name)")
            }
            #expect(!page.contains("Zebra") && !page.contains("2999-01-01") && !page.contains("value=\"1\" checked"))
            #expect(try await browser.get("/console/links/new?like=https%3A%2F%2Fgo.example.com%2Fnothing").status == .notFound)
        }
    }

    @Test("A member who may not make links is told nothing of one")
    func viewer() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)

            let answer = try await browser.post("/console/links/draft", ["suffix": "beach"])

            #expect(answer.status == .forbidden && !answer.page.contains("go.example.com"))
        }
    }
}
