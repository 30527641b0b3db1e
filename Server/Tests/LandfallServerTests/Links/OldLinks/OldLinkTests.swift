// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A link of an old domain that reaches the app", .timeLimit(.minutes(1)))
struct OldLinkTests {
    private func run(resolver: (any LinkResolver)? = nil, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        let yaml = """
            app: { id: example, bundleId: com.example.app, scheme: example }
            keys: [{ sdk: pk_test }]
            paywalls: { default: {} }
            placements: { home: [{ audience: everyone, paywall: default }] }
            domains:
              brand: [{ host: links.example.com, paths: [/products/*] }]
              universal: [example.com]
              old: [{ host: acme.go.link, until: 2100-01-01, paths: [/shop/*] }, { host: over.go.link, until: 2001-01-01 }]
            links:
              - { url: https://links.example.com/beach, to: "https://example.com/summer?promo=beach", campaign: summer }
              - { url: https://links.example.com/over, to: https://example.com/summer, expires: 2001-01-01 }

            """
        var configuration = try Configuration(yaml: yaml, environment: { _ in nil })
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey)!]
        try await TestServer.run(configuration: configuration, resolver: resolver, body)
    }

    private func make(_ server: TestServer, _ links: [(old: String, to: String)]) async throws -> [LinkCreationRoutes.Made.Link] {
        let wishes = links.map { #"{"domain":"acme.go.link","suffix":"\#($0.old)","to":"\#($0.to)"}"# }.joined(separator: ",")
        return try await server.sendAsBackend(.post, "/v1/links", #"{"links":[\#(wishes)]}"#)
            .decoded(LinkCreationRoutes.Made.self).links
    }

    @Test("leads where its new link leads, with the query of the tap, and the click counts for the new link")
    func reissued() async throws {
        try await run { server in
            let made = try await make(server, [("aBc1", "https://links.example.com/beach")])
            let opened = try await server.open("https://acme.go.link/aBc1?size=m&adj_t=x&adj_creative=red#top", key: "k")

            #expect(made.map(\.status) == ["made"])
            #expect(opened.status == .resolved)
            #expect(opened.original == "https://acme.go.link/aBc1?size=m&adj_t=x&adj_creative=red#top")
            #expect(opened.resolved == "https://example.com/summer?promo=beach&size=m#top")
            #expect(try await server.clicks() == ["app app links.example.com/beach summer 0"])
            guard case .attributed(let details) = opened.person?.attribution else { return #expect(Bool(false), "not attributed") }
            #expect(details.source == .link)
            #expect(details.campaign == "summer")
            #expect(details.creative == "red")
        }
    }

    @Test(
        "leads into the app by a row's own destination, by the domain's paths and by a tracker",
        arguments: [
            ("own", "https://acme.go.link/own?a=1", "resolved", "https://example.com/offers?b=2&a=1", "acme.go.link/own"),
            ("own", "https://acme.go.link/own?q=a+b&c=/d?e=%2f", "resolved", "https://example.com/offers?b=2&q=a+b&c=/d?e=%2f", "acme.go.link/own"),
            ("scheme", "https://acme.go.link/scheme", "resolved", "example://offers", "acme.go.link/scheme"),
            ("long", "https://acme.go.link/long", "resolved", "https://links.example.com/products/7", "links.example.com/products/7"),
            ("own", "https://acme.go.link/shop/7?a=1", "passedThrough", "https://acme.go.link/shop/7?a=1", "acme.go.link/shop/7"),
            ("own", "https://acme.go.link/7?adj_t=x", "passedThrough", "https://acme.go.link/7?adj_t=x", "acme.go.link/7"),
        ])
    func intoTheApp(row: String, url: String, status: String, resolved: String, clicked: String) async throws {
        try await run { server in
            let to = ["own": "https://example.com/offers?b=2", "scheme": "example://offers", "long": "https://links.example.com/products/7"]
            _ = try await make(server, [(row, to[row]!)])
            let opened = try await server.open(url, key: "k")

            #expect(opened.status.rawValue == status)
            #expect(opened.resolved == resolved)
            #expect(try await server.clicks() == ["app app \(clicked) - 0"])
        }
    }

    @Test("leads nowhere if it is on no list, and has ended if its new link or its domain has ended: nothing else is recorded")
    func nowhere() async throws {
        try await run { server in
            let store = server.services.links.store, app = server.services.snapshot.app.id
            // The new link expired, or was removed, after the list was imported.
            _ = try await store.add(
                [
                    StoredLink(host: "acme.go.link", path: LinkPath(stored: "/a"), destination: "https://links.example.com/over"),
                    StoredLink(host: "acme.go.link", path: LinkPath(stored: "/b"), destination: "https://links.example.com/gone"),
                ], to: app, nowMs: 0)

            for (url, status) in [
                ("https://acme.go.link/a", LinkStatus.expired), ("https://acme.go.link/b", .notFound),
                ("https://acme.go.link/unknown", .notFound), ("https://acme.go.link/v1", .notFound),
                ("https://over.go.link/a?adj_t=x", .expired), ("https://acme.go.link/a/../b", .invalid),
                ("https://other.go.link/a", .passedThrough),
            ] {
                let opened = try await server.open(url, key: url)
                #expect(opened.status == status, "\(url)")
                #expect(opened.resolved == url)
            }
            #expect(try await server.clicks() == ["app expired links.example.com/over - 0"])
        }
    }

    @Test("is answered until its domain's day")
    func until() async throws {
        try await run { server in
            _ = try await make(server, [("a", "https://links.example.com/beach")])
            let (links, app) = (server.services.links, server.services.snapshot)
            let nowMs = server.services.time.nowMs()
            let address = try LinkAddress("https://acme.go.link/a")
            for (untilMs, status) in [(nowMs, LinkStatus.expired), (nowMs + 1, .resolved)] {
                let old = OldDomain(host: "acme.go.link", untilMs: untilMs)
                let opened = try await links.open(address, address.text, on: old, in: app, from: nil, nowMs: nowMs)
                #expect(opened.answer.status == status)
                #expect((opened.click == nil) == (status == .expired))
            }
        }
    }

    @Test("is unknown to browsers: its domain serves nothing")
    func browser() async throws {
        try await run { server in
            _ = try await make(server, [("a", "https://links.example.com/beach")])
            let answer = try await Browser.onPhone.open("https://acme.go.link/a", in: server)
            #expect(answer.status == 404)
            #expect(answer.location == nil)
        }
    }

    @Test("is made once; a row that would lead nowhere is refused with its field")
    func making() async throws {
        try await run { server in
            let rows = [
                ("a", "https://links.example.com/beach"), ("b", "https://links.example.com/nothing"), ("c", "https://elsewhere.example/"),
                ("shop/7", "https://example.com/"), ("v1", "https://example.com/"), ("d", "https://acme.go.link/a"),
                ("e", "https://links.example.com/over"), ("f", "https://links.example.com/%FF"),
            ]
            let made = try await make(server, rows)
            let again = try await make(server, rows)
            let other = try await make(server, [("a", "https://example.com/")])
            let random = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[{"domain":"acme.go.link","to":"https://example.com/"}]}"#)
                .decoded(LinkCreationRoutes.Made.self).links

            #expect(made.map(\.status) == ["made"] + Array(repeating: "refused", count: 7))
            #expect(made.map { $0.error?.field } == [nil, "to", "to", "suffix", "suffix", "to", "to", "to"])
            #expect(made[1].error?.message == "'to' is 'https://links.example.com/nothing', and no link is there. Make it first.")
            #expect(again.map(\.status) == ["unchanged"] + Array(repeating: "refused", count: 7))
            #expect(other.first?.error?.code == .linkTaken)
            #expect(random.first?.error?.field == "suffix")
        }
    }

    @Test(
        "A mistake of an old domain is reported at its place",
        arguments: [
            ("domains: { old: [{ host: acme.go.link }] }", "10:18: An old domain needs 'until'. Add it."),
            (
                "domains: { brand: [acme.go.link], old: [{ host: acme.go.link, until: 2030-01-01 }] }",
                "10:49: 'acme.go.link' is here a second time; the first is in line 10. A domain has one purpose: keep one."
            ),
            (
                "domains: { old: [{ host: acme.go.link, until: 2030-01-01 }], api: [acme.go.link] }",
                "10:68: 'acme.go.link' is here a second time; the first is in line 10. A domain has one purpose: keep one."
            ),
        ])
    func mistake(addition: String, problem: String) {
        #expect(Sample.problems(adding: addition + "\n") == [problem])
    }
}

@Suite("A link of an old domain that is on no list", .timeLimit(.minutes(1)))
struct OldLinkResolverTests {
    private static let yaml = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }]
        paywalls: { default: {} }
        placements: { home: [{ audience: everyone, paywall: default }] }
        domains: { brand: [links.example.com], universal: [example.com], old: [{ host: acme.go.link, until: 2100-01-01 }] }
        links: [{ url: https://links.example.com/beach, to: https://example.com/summer, campaign: summer }]

        """

    private static func run(
        _ answer: LinkResolverReply?, _ body: @Sendable (TestServer, AskedLinks) async throws -> Void
    ) async throws {
        let asked = AskedLinks()
        let resolver = BoundedLinkResolver(factory: PrometheusRegistry(), onLimit: { _ in }) { link in
            await asked.append(link)
            guard let answer else { throw CancellationError() }
            return answer
        }
        let configuration = try Configuration(yaml: yaml, environment: { _ in nil })
        try await TestServer.run(configuration: configuration, resolver: resolver) { try await body($0, asked) }
    }

    static let answers: [(status: Int, location: String?, opened: String, resolved: String?, click: String?)] = [
        (302, "https://links.example.com/beach", "resolved", "https://example.com/summer?a=1", "links.example.com/beach summer"),
        (301, "https://example.com/x", "resolved", "https://example.com/x?a=1&adj_label=l", "example.com/x -"),
        (308, "example://x", "resolved", "example://x?a=1&adj_label=l", "example:x -"),
        (302, "https://links.example.com/nothing", "notFound", nil, nil),
        // Only the app's own: another machine wrote the answer.
        (302, "https://elsewhere.example/x", "notFound", nil, nil), (302, "http://example.com/x", "notFound", nil, nil),
        (302, "javascript:alert(1)", "notFound", nil, nil), (302, "/x", "notFound", nil, nil),
        (302, "https://acme.go.link/b", "notFound", nil, nil), (302, nil, "notFound", nil, nil),
        (200, "https://example.com/x", "notFound", nil, nil), (404, nil, "notFound", nil, nil), (500, nil, "notFound", nil, nil),
    ]

    @Test("leads where the team's resolver says, if that is the app's own", arguments: answers)
    func answer(status: Int, location: String?, opened: String, resolved: String?, click: String?) async throws {
        try await Self.run(LinkResolverReply(status: status, location: location)) { server, asked in
            let url = "https://acme.go.link/a?a=1&adj_label=l#f"
            let answer = try await server.open(url, key: "k")

            #expect(answer.status.rawValue == opened)
            #expect(answer.resolved == resolved.map { $0 + "#f" } ?? url)
            #expect(try await server.clicks() == (click.map { ["app app \($0) 0"] } ?? []))
            #expect(await asked.links == ["https://acme.go.link/a?a=1&adj_label=l"])
        }
    }

    @Test("leads nowhere if the resolver fails; the resolver is asked about no secret, and about no other link")
    func unasked() async throws {
        try await Self.run(nil) { server, asked in
            for (url, status) in [
                ("https://acme.go.link/a", LinkStatus.notFound), ("https://acme.go.link/reset?token=abc", .passedThrough),
                ("https://acme.go.link/x?adj_t=1", .passedThrough), ("https://links.example.com/nothing", .notFound),
                ("https://other.go.link/x", .passedThrough), ("https://acme.go.link/v1/x", .notFound),
            ] {
                let answer = try await server.open(url, key: url)
                #expect(answer.status == status, "\(url)")
            }
            #expect(await asked.links == ["https://acme.go.link/a"])
        }
    }

    @Test("is not asked about by a network that has sent too many links with the SDK key alone")
    func unproven() async throws {
        try await Self.run(LinkResolverReply(status: 302, location: "https://links.example.com/beach")) { server, asked in
            let unproven = server.services.unprovenClicks
            for _ in 0..<unproven.most { unproven.count(ClientAddress("192.0.2.7"), nowMs: server.services.time.nowMs()) }
            let caller = Browser(
                userAgent: nil, address: "192.0.2.7", method: .post, headers: [.authorization: "Bearer pk_test"],
                body: #"{"url":"https://acme.go.link/a","key":"k","recordsClick":true}"#)
            let answer = try await caller.send(WirePath.linkOpen, host: "api.example.com", to: server)

            #expect(answer.status == 429)
            #expect(await asked.links == [])
        }
    }

    @Test("does not delay a first open: the phone's own question asks about it")
    func firstOpen() async throws {
        try await Self.run(LinkResolverReply(status: 302, location: "https://links.example.com/beach")) { server, asked in
            let body = #"{"links":[{"key":"k","url":"https://acme.go.link/a","ageMilliseconds":0}]}"#
            _ = try await server.firstOpen(body)
            let before = await asked.links
            let opened = try await server.open("https://acme.go.link/a", key: "k")

            #expect(before == [])
            #expect(opened.status == .resolved)
            #expect(try await server.clicks() == ["app app links.example.com/beach summer 0"])
        }
    }
}

/// The links that a resolver was asked about.
actor AskedLinks {
    private(set) var links: [String] = []
    func append(_ link: String) { links.append(link) }
}
