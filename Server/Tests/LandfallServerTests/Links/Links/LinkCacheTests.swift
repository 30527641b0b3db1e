// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A cached link", .timeLimit(.minutes(1)))
struct LinkCacheTests {
    private static let place = LinkPlace(host: "go.example.com", path: LinkPath(stored: "/new"))
    private static let url = "https://go.example.com/new"

    private func link(to path: String = "a", expiresAtMs: Int64? = nil) -> StoredLink {
        StoredLink(
            host: Self.place.host, path: Self.place.path, destination: "https://elsewhere.example/\(path)",
            expiresAtMs: expiresAtMs)
    }

    private func location(_ server: TestServer) async throws -> String? {
        let answer = try await Browser.onDesktop.open(Self.url, in: server)
        return answer.location ?? "\(answer.status)"
    }

    @Test("leads somewhere as soon as this node has made it, and nowhere as soon as it has removed it")
    func own() async throws {
        try await TestServer.runBrand { server in
            let (links, app) = (server.services.links, server.services.snapshot.app.id)
            let before = try await location(server)
            _ = try await links.store.add([link()], to: app, nowMs: 0)
            let made = try await location(server)
            let isRemoved = try await links.store.remove(app, host: Self.place.host, path: Self.place.path)
            let after = try await location(server)
            _ = try await links.store.add([link(to: "b")], to: app, nowMs: 0)
            let again = try await location(server)

            #expect(
                [before, made, after, again] == ["404", "https://elsewhere.example/a", "404", "https://elsewhere.example/b"])
            #expect(isRemoved)
        }
    }

    @Test("is read again after a second, in which another node may have changed it")
    func others() async throws {
        try await TestServer.runBrand { server in
            let (store, app) = (server.services.links.store, server.services.snapshot.app.id)
            _ = try await store.add([link()], to: app, nowMs: 0)
            let first = try await location(server)
            // As another node that this one has not heard of.
            let lock = RowLock("link", ["app_id": .text(app.rawValue), "host": .text(Self.place.host), "path": .text("/new")])
            try await server.services.database.write(.interactive, locking: [lock]) { connection in
                _ = try connection.run("UPDATE link SET destination = 'https://elsewhere.example/b'")
            }

            server.clock.advance(by: .milliseconds(LinkCache.lifeMs - 1))
            let remembered = try await location(server)
            server.clock.advance(by: .milliseconds(1))
            let read = try await location(server)

            #expect(first == "https://elsewhere.example/a")
            #expect(remembered == first)
            #expect(read == "https://elsewhere.example/b")
        }
    }

    @Test("expires at its time, not when it is read again")
    func expiry() async throws {
        try await TestServer.runBrand { server in
            let endMs = server.services.time.nowMs() + 500
            _ = try await server.services.links.store.add([link(expiresAtMs: endMs)], to: server.services.snapshot.app.id, nowMs: 0)
            let open = try await location(server)

            server.clock.advance(by: .milliseconds(499))
            let last = try await location(server)
            server.clock.advance(by: .milliseconds(1))
            let over = try await location(server)

            #expect(open == "https://elsewhere.example/a")
            #expect(last == open)
            #expect(over == "410")
        }
    }

    @Test("is not cached if it changed during the read")
    func race() {
        let memory = LinkCache()
        let mark = memory.mark

        memory.forget([Self.place])
        memory.remember(link(), at: Self.place, readAtMs: 0, mark)

        #expect(memory.link(at: Self.place, nowMs: 0) == nil)
        memory.remember(link(), at: Self.place, readAtMs: 0, memory.mark)
        #expect(memory.link(at: Self.place, nowMs: 0)?.link == link())
    }

    @Test("is cached for a second from the start of its read: a clock that is set back does not prolong it")
    func times() {
        let memory = LinkCache()
        memory.remember(nil, at: Self.place, readAtMs: 5_000, memory.mark)

        for (nowMs, isKnown) in [(4_999, false), (5_000, true), (5_999, true), (6_000, false)] as [(Int64, Bool)] {
            #expect((memory.link(at: Self.place, nowMs: nowMs) != nil) == isKnown, "\(nowMs)")
        }
    }

    @Test("gives each visitor the same answer as the first one", arguments: [Browser.onPhone, .inInstagram, .onAndroid, .onDesktop])
    func visitors(browser: Browser) async throws {
        try await TestServer.runBrand { server in
            for url in ["https://go.example.com/beach?a=1", "https://go.example.com/ways", "https://go.example.com/app"] {
                let first = try await browser.open(url, in: server)
                for other in [Browser.onPhone, .onDesktop, Browser(method: .head)] { _ = try await other.open(url, in: server) }
                let again = try await browser.open(url, in: server)

                #expect(first.status == again.status)
                #expect(first.location == again.location)
                #expect(first.links == again.links)
            }
        }
    }
}

@Suite("A cached user agent", .timeLimit(.minutes(1)))
struct KnownAgentTests {
    @Test(
        "gives the same visitor, adjusted for each request",
        arguments: [Browser.safari, Browser.instagram, Browser.android, Browser.mac, Browser.slack, Browser.google, nil])
    func known(userAgent: String?) {
        let agents = KnownAgents()
        for _ in 0..<2 {
            for (method, purpose) in [(.get, nil), (.head, nil), (.get, "prefetch")] as [(HTTPRequest.Method, String?)] {
                let known = agents.facts(userAgent).visitor.asking(isHead: method == .head, purpose: purpose)
                #expect(known == LinkVisitor(userAgent: userAgent, method: method, purpose: purpose))
            }
        }
    }
}
