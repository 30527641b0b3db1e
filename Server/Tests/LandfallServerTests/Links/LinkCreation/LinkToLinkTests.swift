// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A link must not lead to a link", .timeLimit(.minutes(1)))
struct LinkToLinkTests {
    private static func newLink(_ to: String, _ suffix: String? = nil) -> NewLink {
        var newLink = NewLink(to: to)
        newLink.suffix = suffix
        return newLink
    }

    private static func making(_ server: TestServer) -> LinkCreation {
        LinkCreation(links: server.services.links, snapshot: server.services.snapshot)
    }

    @Test(
        "A destination at the link itself, at another link or at nothing is refused with the reason; an address that the app knows is not",
        arguments: [
            ("https://go.example/a", "that is the address of the link itself"), ("https://GO.example/a/?lf_t=x#top", "that is the address of the link itself"),
            ("https://go.example/beach", "it leads to 'https://go.example/summer-clothes?promo=beach'"),
            ("https://go.example/beach?x=1", "that is a link itself"), ("https://go.example:8443/beach", "that is a link itself"),
            ("https://go.example/stored?lf_t=x", "it leads to 'example://stored'"), ("https://go.example/over", "that is a link itself"),
            ("https://go.example/nothing", "neither a link nor one of its 'paths'"), ("https://go.example/", "neither a link"),
            ("https://go.example/v1/links", "neither a link"), ("https://go.example/%FF", "cannot be followed"),
            ("https://example.com/x?adj_deep_link=https%3A%2F%2Fgo.example%2Fbeach", "'https://go.example/beach': that is a link itself"),
            ("https://go.example/beach?lf_deep_link=example%3A%2F%2Fx", nil), ("https://go.example/summer-clothes?promo=7", nil), ("https://go.example/x?lf_t=abc", nil), ("https://example.com/beach", nil),
            ("example://beach", nil), ("https://elsewhere.example/beach", nil),
        ] as [(String, String?)])
    func destinations(to: String, reason: String?) async throws {
        try await LinkRouteServer.run { server in
            var over = Self.newLink("example://over", "over")
            over.expiresAtMilliseconds = 0
            _ = try await Self.making(server).make([Self.newLink("example://stored", "stored"), over], nowMs: 1)

            let checked = try await Self.making(server).check([Self.newLink(to, "a")], nowMs: 1)[0]
            let made = try await Self.making(server).make([Self.newLink(to, "a")], nowMs: 1)[0]

            #expect(checked.refusal == made.refusal)
            #expect((made.refusal == nil) == (reason == nil))
            if let reason { #expect(made.refusal?.description.contains(reason) == true, "\(made)") }
            #expect(made.refusal?.field == (reason == nil ? nil : "to"))
        }
    }

    @Test("A circle within one call is refused as a whole, and so is one that a second call would close")
    func circles() async throws {
        try await LinkRouteServer.run { server in
            let making = Self.making(server)
            let together = [Self.newLink("https://go.example/b?lf_t=x", "a"), Self.newLink("https://go.example/a?lf_t=x", "b")]
            let circle = try await making.make(together, nowMs: 1)
            let first = try await making.make([Self.newLink("https://go.example/d?lf_t=x", "c")], nowMs: 1)
            let second = try await making.make([Self.newLink("https://go.example/c?lf_t=x", "d")], nowMs: 1)

            #expect(circle.map { $0.refusal?.field } == ["to", "to"])
            #expect(first[0].refusal == nil)
            #expect(second[0].refusal?.field == "to")
        }
    }

    @Test("A browser is not led to a brand domain", arguments: ["ios", "android", "desktop"])
    func ways(field: String) async throws {
        try await LinkRouteServer.run { server in
            for address in ["https://go.example/beach", "https://go.example/summer-clothes", "https://go.example:444/new", "https://Go.Example./x"] {
                var newLink = Self.newLink("example://a", "a")
                let ways = ["store", address]
                switch field {
                case "ios": newLink.ios = ways
                case "android": newLink.android = ways
                default: newLink.desktop = ways
                }

                let refusal = try await Self.making(server).make([newLink], nowMs: 1)[0].refusal

                #expect(refusal?.code == .invalidLink && refusal?.field == field)
                #expect(refusal?.description.contains("serves links") == true)
            }
        }
    }

    @Test("A stored link cannot be changed to lead to itself or to another link, and the console says so at the field")
    func changed() async throws {
        try await LinkRouteServer.run { server in
            let making = Self.making(server)
            let made = try #require(try await making.make([Self.newLink("example://a", "a")], nowMs: 1)[0].link)
            for to in ["https://go.example/a", "https://go.example/beach"] {
                guard case .failure(let refusal) = try await making.changed(made, to: NewLink(to: to), nowMs: 1) else {
                    Issue.record("\(to) was taken")
                    continue
                }
                for language in Language.allCases {
                    let problem = FieldProblem(refusal, Words(language))
                    #expect(problem.field == "to" && problem.sentence == Words(language).linkLeadsToLink)
                }
            }
        }
    }

    @Test("A row of an import that leads to a link is refused, the others are made")
    func imported() async throws {
        try await LinkRouteServer.run { server in
            let table = "to,url,desktop\nexample://a,https://go.example/a,\nhttps://go.example/a,https://go.example/b,\nexample://c,https://go.example/c,https://go.example/a\n"
            let newLinks = try LinkImport(table, .csv).rows.map { try $0.newLink.get() }

            let outcomes = try await Self.making(server).make(newLinks, nowMs: 1)

            #expect(outcomes.map { $0.refusal?.field } == [nil, "to", "desktop"])
        }
    }

    @Test(
        "The file must not have a link to a link",
        arguments: [
            ("{ url: https://go.example.com/a, to: https://go.example.com/a }", "11:46: 'to' cannot be 'https://go.example.com/a': that is the address of the link itself. Write where it leads."),
            (
                "{ url: https://go.example.com/own/7, to: https://go.example.com/own/7 }",
                "11:50: 'to' cannot be 'https://go.example.com/own/7': that is the address of the link itself. Write where it leads."
            ),
            (
                "{ url: https://go.example.com/a, to: https://go.example.com/z }",
                "11:46: 'to' cannot be 'https://go.example.com/z': that is a link itself, and it leads to 'https://example.com/z'. Write where it leads in the end."
            ),
            (
                "{ url: https://go.example.com/a, to: https://example.com/a, ios: [app, https://go.example.com/z] }",
                "11:80: 'ios' cannot be 'https://go.example.com/z': its host serves links, so the browser would come back to a link. Write where that leads."
            ),
        ])
    func file(link: String, problem: String) {
        let file = """
            domains: { brand: [{ host: go.example.com, paths: [/own/*] }], universal: [example.com] }
            links: [\(link), { url: https://go.example.com/z, to: https://example.com/z }]

            """
        #expect(Sample.problems(adding: file) == [problem])
    }

    @Test("The ways of a domain in the file must not lead to a domain that serves links, in whatever order they are")
    func domainWays() {
        let file = "domains: { brand: [{ host: go.example.com, desktop: https://news.example.com/x }, news.example.com] }\n"
        let problem = "10:53: 'desktop' cannot be 'https://news.example.com/x': its host serves links, so the browser would come back to a link. Write where that leads."
        #expect(Sample.problems(adding: file) == [problem])
    }

    @Test("A destination on a brand domain at which nothing is gives a warning, because a link may be made there later")
    func warned() {
        let file = """
            domains: { brand: [{ host: go.example.com, paths: [/own/*] }], universal: [example.com] }
            links:
              - { url: https://go.example.com/a, to: https://go.example.com/own/7 }
              - { url: https://go.example.com/b, to: https://go.example.com/b/7 }
              - { url: https://go.example.com/c, to: "https://go.example.com/c/7?lf_t=x" }

            """
        #expect(Sample.warnings(adding: file).map(\.place.line) == [13])
        #expect(Sample.problems(adding: file) == [])
    }

    @Test("A browser does not come back to a link that was stored before this was refused")
    func storedBefore() async throws {
        try await TestServer.runBrand { server in
            var link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/old"), destination: "https://go.example.com/old")
            link.ways = PlatformWays(
                ios: [.web("https://go.example.com/old"), .store], android: [.web("https://go.example.com/old")],
                desktop: [.web("https://go.example.com/beach"), .web("https://example.com/desk")])
            #expect(try await server.services.links.store.add([link], to: server.services.snapshot.app.id, nowMs: 1) == [true])

            let phone = try await Browser.onPhone.open(link.address, in: server)
            let android = try await Browser.onAndroid.open(link.address, in: server)
            let desktop = try await Browser.onDesktop.open(link.address, in: server)

            #expect(phone.location == "https://apps.apple.com/app/id1234567890")
            #expect(android.status == 200 && !android.links.contains { $0.hasPrefix("https://go.example.com") })
            #expect(desktop.location == "https://example.com/desk")
        }
    }
}
