// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("Stored links", .timeLimit(.minutes(1)))
struct LinkStoreTests {
    private static let whole: StoredLink = {
        var link = StoredLink(
            host: "go.example.com", path: LinkPath(stored: "/a/b"), destination: "example://a",
            labels: LinkLabels(tracker: "t", campaign: "c", adGroup: "a", creative: "r", label: "l", channel: "ch"), expiresAtMs: 7,
            ways: PlatformWays(ios: [.app, .store], android: [.web("https://example.com/android")], desktop: [.page, .site]),
            preview: LinkPreview(
                title: "T", description: "D", image: "https://example.com/i.png", locales: ["ja": .init(title: "題")]),
            handover: LinkHandover(pasteboard: true, code: true)
        )
        link.startsAtMs = 3
        link.routes = [LinkRoute(countries: ["DE"], platforms: [.ios, .desktop], destination: "example://de")]
        link.storePage = StorePage(ppid: "p", pt: "1", ct: "c t")
        (link.tags, link.folder) = (["spring", "mail"], "2027")
        return link
    }()

    @Test("A link is read as it was added", arguments: [whole, .sample("/plain")])
    func roundTrip(link: StoredLink) async throws {
        let store = try await TestStore()

        let added = try await store.links.add([link], to: TestStore.app, nowMs: TestStore.noon)

        #expect(added == [true])
        #expect(try await store.links.link(TestStore.app, host: link.host, path: link.path) == link)
    }

    @Test("A place that is taken stays unchanged, and the other links are added")
    func taken() async throws {
        let store = try await TestStore()
        let other = StoredLink.sample("/beach", to: "https://example.com/other")

        let added = try await store.links.add([.sample("/beach"), other, .sample("/pool")], to: TestStore.app, nowMs: 0)

        #expect(added == [true, false, true])
        let kept = try await store.links.link(TestStore.app, host: other.host, path: other.path)
        #expect(kept == .sample("/beach"))
    }

    @Test("Another app, host or path of the same store has its own links")
    func scope() async throws {
        let store = try await TestStore()
        _ = try await store.links.add([.sample("/beach")], to: TestStore.app, nowMs: 0)

        let path = LinkPath(stored: "/beach")
        #expect(try await store.links.link(AppID("other"), host: "go.example.com", path: path) == nil)
        #expect(try await store.links.link(TestStore.app, host: "www.example.com", path: path) == nil)
        #expect(try await store.links.link(TestStore.app, host: "go.example.com", path: LinkPath(stored: "/Beach")) == nil)
    }

    @Test("A look-up uses the key only", .sqlitePlans)
    func plan() async throws {
        let store = try await TestStore()
        _ = try await store.links.link(TestStore.app, host: "h", path: LinkPath(stored: "/x"))
        let statement = try #require(store.database.recorded.last?.statement)

        let plan = try await store.database.read { try $0.rows("EXPLAIN QUERY PLAN " + statement.text, statement.values) }

        #expect(try plan.map { try $0.text("detail") }.allSatisfy { $0.contains("SEARCH link USING INDEX") })
    }

    @Test("The configuration's link comes before the store's")
    func configured() async throws {
        let store = try await TestStore()
        let configuration = try Sample.configuration(
            """
            domains: { brand: [{ host: go.example.com, paths: [/own/*] }], universal: [example.com] }
            links: [{ url: https://go.example.com/beach/, to: https://example.com/configured }]

            """)
        let (links, snapshot) = (Links(store: store.links), Snapshot(configuration, revision: 1))
        _ = try await store.links.add([.sample("/beach"), .sample("/pool")], to: configuration.app.id, nowMs: 0)

        func resolved(_ url: String) async throws -> String? {
            try await links.follow(try LinkAddress(url), in: snapshot, nowMs: 0)?.resolved
        }
        #expect(try await resolved("https://GO.example.com:443/beach?a=1") == "https://example.com/configured?a=1")
        #expect(try await resolved("https://go.example.com./pool/") == "https://example.com/summer?promo=beach")
        #expect(try await resolved("https://go.example.com/own/1") == "https://go.example.com/own/1")
        #expect(try await resolved("https://example.com/beach") == nil)
        #expect(try await resolved("https://evilgo.example.com/beach") == nil)
    }
}
