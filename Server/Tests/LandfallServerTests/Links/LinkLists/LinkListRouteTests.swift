// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A backend lists links over HTTP", .timeLimit(.minutes(1)))
struct LinkListRouteTests {
    private static func make(_ links: String, _ server: TestServer) async throws {
        let answer = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[\#(links)]}"#)
        #expect(try answer.decoded(LinkCreationRoutes.Made.self).links.allSatisfy { $0.status == "made" })
    }

    private static func page(_ query: String, _ server: TestServer) async throws -> LinkListRoutes.Page {
        try await server.sendAsBackend(.get, "/v1/links" + query).decoded(LinkListRoutes.Page.self)
    }

    @Test("Pages list every stored link once, under either name of the cursor", arguments: ["cursor", "after"])
    func pages(name: String) async throws {
        try await LinkRouteServer.run { server in
            try await Self.make((0..<7).map { #"{"to":"example://\#($0)","suffix":"s\#($0)"}"# }.joined(separator: ","), server)

            var seen: [String] = [], next: String?
            repeat {
                let page = try await Self.page("?limit=3" + (next.map { "&\(name)=" + $0 } ?? ""), server)
                #expect(page.links.count <= 3)
                seen += page.links.map(\.url)
                next = page.next
            } while next != nil

            #expect(seen == (0..<7).map { "https://go.example/s\($0)" })
        }
    }

    @Test("A listed link has everything that it was made with")
    func everything() async throws {
        try await LinkRouteServer.run { server in
            let made = #"""
                {"to":"example://a","suffix":"shop/a","campaign":"summer","adGroup":"g","creative":"c","label":"l","channel":"mail",
                "expiresAtMilliseconds":253402300799999,"ios":["store"],"android":["https://example.com/a"],"desktop":["page"],
                "preview":{"title":"T","icon":"🎾","colour":"0A0","locales":{"ja":{"title":"題"}}},"pasteboard":true,"code":true,"tags":["x","y"],"folder":"f","startsAt":"2026-01-01T00:00:00Z",
                "ppid":"a-1","pt":"7","ct":"c","when":[{"country":["DE"],"to":"https://example.com/de"}]}
                """#
            try await Self.make(made, server)

            let link = try #require(try await Self.page("", server).links.first)

            var expected = NewLink(to: "example://a")
            (expected.domain, expected.suffix, expected.campaign, expected.adGroup) = ("go.example", "/shop/a", "summer", "g")
            (expected.creative, expected.label, expected.channel) = ("c", "l", "mail")
            expected.expiresAtMilliseconds = 253_402_300_799_999
            (expected.ios, expected.android, expected.desktop) = (["store"], ["https://example.com/a"], ["page"])
            expected.preview = LinkPreview(title: "T", icon: "🎾", colour: "#00aa00", locales: ["ja": .init(title: "題")])
            (expected.pasteboard, expected.code, expected.tags, expected.folder) = (true, true, ["x", "y"], "f")
            (expected.startsAtMilliseconds, expected.ppid, expected.pt, expected.ct) = (1_767_225_600_000, "a-1", "7", "c")
            expected.when = [.init(country: ["DE"], to: "https://example.com/de")]
            #expect(link.link == expected)
            #expect(link.url == "https://go.example/shop/a" && !link.isInFile)
        }
    }

    @Test(
        "Filters keep the links that match all of them",
        arguments: [
            ("?q=RED", ["red"]), ("?q=example://b", ["blue"]), ("?campaign=spring+sale", ["blue", "red"]), ("?campaign=spring%20sale&q=blue", ["blue"]),
            ("?campaign=spring", []), ("?state=expired", ["old"]), ("?state=live&campaign=", ["blue", "red"]), ("?domain=GO.example", ["blue", "old", "red", "soon"]),
            ("?domain=example.com", []), ("?tag=b", ["blue", "old"]), ("?tag=B", []), ("?folder=f&tag=a", ["red"]), ("?state=scheduled", ["soon"]), ("?state=file", ["beach"]), ("?state=file&q=red", []),
        ] as [(String, [String])])
    func filters(query: String, suffixes: [String]) async throws {
        try await LinkRouteServer.run { server in
            let links = [
                ("blue", #""campaign":"spring sale","tags":["a","b"]"#), ("old", #""campaign":"winter","expiresAtMilliseconds":1,"tags":["b"]"#),
                ("red", #""campaign":"spring sale","tags":["a"],"folder":"f""#), ("soon", #""startsAtMilliseconds":253402300799999"#),
            ]
            try await Self.make(
                links.map { #"{"to":"example://\#($0.0)","suffix":"\#($0.0)",\#($0.1)}"# }.joined(separator: ","), server)

            #expect(try await Self.page(query, server).links.map(\.url) == suffixes.map { "https://go.example/" + $0 })
        }
    }

    @Test(
        "A wrong parameter is refused, and a wrong name gets the nearest one",
        arguments: [
            ("?limit=0", "'limit'"), ("?limit=1001", "'limit'"), ("?limit=a", "'limit'"), ("?state=gone", "live, scheduled, expired, file"),
            ("?cursor=7", "'cursor'"), ("?after=x", "'after'"), ("?state=file&cursor=https://go.example/a", "'cursor'"), ("?campain=a", "Did you mean 'campaign'?"),
            ("?q=%FF", "'q'"), ("?q=a&q=b", "at most one value"), ("?q=" + String(repeating: "a", count: 501), "at most 500 bytes"),
        ] as [(String, String)])
    func wrong(query: String, sentence: String) async throws {
        try await LinkRouteServer.run { server in
            let answer = try await server.sendAsBackend(.get, "/v1/links" + query)

            #expect(answer.status == .badRequest && answer.problem?.code == .invalidValue)
            #expect(answer.problem?.message.contains(sentence) == true, "\(answer.problem?.message ?? "")")
        }
    }
}
