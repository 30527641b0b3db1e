// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Making links", .timeLimit(.minutes(1)))
struct LinkCreationTests {
    @Test("A code that is taken is drawn again without telling the caller")
    func collision() async throws {
        try await LinkRouteServer.run { server in
            let codes = Draws(["aaaaaaaa", "aaaaaaaa", "aaaaaaaa", "bbbbbbbb"])
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot, drawCode: codes.next)

            let first = try await making.make([NewLink(to: "example://one")], nowMs: 1)
            let second = try await making.make([NewLink(to: "example://two")], nowMs: 1)

            #expect(first.map(\.address) == ["https://go.example/aaaaaaaa"])
            #expect(second.map(\.address) == ["https://go.example/bbbbbbbb"])
        }
    }

    @Test("Two new links of one call never get the same code")
    func collisionWithin() async throws {
        try await LinkRouteServer.run { server in
            let codes = Draws(["aaaaaaaa", "aaaaaaaa", "cccccccc"])
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot, drawCode: codes.next)

            let made = try await making.make([NewLink(to: "example://one"), NewLink(to: "example://two")], nowMs: 1)

            #expect(made.map(\.address) == ["https://go.example/aaaaaaaa", "https://go.example/cccccccc"])
        }
    }

    @Test("A suffix of another link is refused, the same link is reported as unchanged")
    func suffix() async throws {
        try await LinkRouteServer.run { server in
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot)
            var newLink = NewLink(to: "https://example.com/shoes")
            newLink.suffix = "Air-Max-90"
            var other = newLink
            other.to = "https://example.com/boots"

            let outcomes = try await making.make([newLink, newLink, other], nowMs: 1)

            #expect(outcomes[0].address == "https://go.example/Air-Max-90")
            #expect(outcomes[1] == .unchanged(try #require(outcomes[0].link)))
            #expect(outcomes[2].refusal?.code == .linkTaken)
        }
    }

    @Test("A check says what would be made, unchanged and refused, and stores nothing")
    func check() async throws {
        try await LinkRouteServer.run { server in
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot)
            func newLink(_ to: String, _ suffix: String?) -> NewLink {
                var newLink = NewLink(to: to)
                newLink.suffix = suffix
                return newLink
            }
            _ = try await making.make([newLink("https://example.com/a", "a"), newLink("https://example.com/b", "b")], nowMs: 1)
            let newLinks = [
                newLink("https://example.com/a", "a"), newLink("https://example.com/x", "b"), newLink("https://example.com/c", "c"),
                newLink("https://example.com/c", "c"), newLink("https://example.com/d", "c"), newLink("https://example.com/e", "beach"),
                newLink("javascript:x", "f"), newLink("https://example.com/g", nil),
            ]

            let checked = try await making.check(newLinks, nowMs: 1)

            let stored = try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 10)
            #expect(stored.count == 2)
            let made = try await making.make(newLinks, nowMs: 1)
            #expect(checked.map(\.refusal) == made.map(\.refusal))
            #expect(checked.dropLast() == made.dropLast())
            #expect(made.map { $0.link != nil } == [true, false, true, true, false, false, false, true])
        }
    }

    @Test(
        "An end outside the years 1970 to 9999 is refused at its field",
        arguments: [
            (0, true), (1_795_300_000_000, true), (253_402_300_799_999, true), (253_402_300_800_000, false), (.max, false), (-1, false),
            (.min, false),
        ] as [(Int64, Bool)])
    func ends(milliseconds: Int64, isMade: Bool) async throws {
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: "example://a")
            newLink.expiresAtMilliseconds = milliseconds

            let outcome = try await LinkCreation(links: server.services.links, snapshot: server.services.snapshot).make([newLink], nowMs: 1)[0]

            #expect(outcome.link?.expiresAtMs == (isMade ? milliseconds : nil))
            #expect(outcome.refusal?.code == (isMade ? nil : ErrorCode.invalidLink))
            #expect(outcome.refusal?.field == (isMade ? nil : "expiresAtMilliseconds"))
        }
    }

    @Test("A link has a start, routes, a page of the store, tags and a folder, and comes back with them")
    func targets() async throws {
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: "example://a")
            (newLink.suffix, newLink.startsAt, newLink.expiresAt) = ("a", "2027-01-01T00:00:00+01:00", "2027-02-01T00:00:00Z")
            newLink.when = [.init(country: ["de"], platform: ["android", "desktop"], to: "https://elsewhere.example/")]
            (newLink.ppid, newLink.pt, newLink.ct) = ("45812c9b-c296", "123456", "May, 2027")
            (newLink.tags, newLink.folder) = (["spring", "mail", "spring"], "2027")
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot)

            let link = try #require(try await making.make([newLink], nowMs: 1)[0].link)

            #expect(link.startsAtMs == 1_798_758_000_000 && link.expiresAtMs == 1_801_440_000_000)
            #expect(
                link.routes
                    == [LinkRoute(countries: ["DE"], platforms: [.android, .desktop], destination: "https://elsewhere.example/")])
            #expect(link.storePage == StorePage(ppid: "45812c9b-c296", pt: "123456", ct: "May, 2027"))
            #expect(link.tags == ["spring", "mail"] && link.folder == "2027")
            #expect(try NewLink(link).link(in: server.services.snapshot, code: "") == link)
        }
    }

    private static let wrongChanges: [(field: String, change: @Sendable (inout NewLink) -> Void)] = [
        ("startsAt", { $0.startsAt = "2027-01-01" }), ("startsAt", { $0.startsAt = "1969-12-31T23:59:59Z" }),
        ("startsAt", { ($0.startsAt, $0.startsAtMilliseconds) = ("2027-01-01T00:00:00Z", 1) }),
        ("startsAtMilliseconds", { ($0.startsAtMilliseconds, $0.expiresAtMilliseconds) = (5, 5) }),
        ("startsAtMilliseconds", { $0.startsAtMilliseconds = -1 }),
        ("when", { $0.when = [.init(country: ["DEU"], to: "example://x")] }),
        ("when", { $0.when = [.init(platform: ["windows"], to: "example://x")] }),
        ("when", { $0.when = [.init(to: "example://x")] }), ("when", { $0.when = [.init(country: ["DE"], to: "http://example.com/")] }),
        ("when", { $0.when = [.init(country: ["DE"], to: "https://go.example/beach")] }),
        ("when", { $0.when = (0...20).map { .init(country: ["DE"], to: "example://\($0)") } }),
        ("when", { $0.when = (0..<5).map { .init(country: ["DE"], to: "example://\($0)/" + String(repeating: "a", count: 1800)) } }),
        ("ppid", { $0.ppid = "a&b" }), ("ppid", { $0.ppid = "" }), ("pt", { $0.pt = "12a" }), ("ct", { $0.ct = "a^b" }),
        ("ct", { $0.ct = String(repeating: "a", count: 41) }), ("ct", { $0.ct = " a" }), ("ct", { $0.ct = "é" }),
        ("tags", { $0.tags = ["a,b"] }), ("tags", { $0.tags = [""] }), ("tags", { $0.tags = (0...20).map { "\($0)" } }),
        ("preview", { $0.preview = LinkPreview(icon: "abc") }), ("preview", { $0.preview = LinkPreview(icon: "") }),
        ("preview", { $0.preview = LinkPreview(colour: "red") }), ("preview", { $0.preview = LinkPreview(colour: "#12345") }),
        ("tags", { $0.tags = [String(repeating: "é", count: 33)] }), ("folder", { $0.folder = String(repeating: "a", count: 201) }),
    ]

    @Test("Wrong times, routes, pages of the store, looks and tags are refused at their field", arguments: wrongChanges.indices)
    func wrongTargets(index: Int) async throws {
        let (field, change) = Self.wrongChanges[index]
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: "example://a")
            change(&newLink)

            let outcome = try await LinkCreation(links: server.services.links, snapshot: server.services.snapshot).make([newLink], nowMs: 1)[0]

            #expect(outcome.refusal?.code == .invalidLink)
            #expect(outcome.refusal?.field == field)
        }
    }

    @Test("Random codes have eight characters that are hard to confuse")
    func codes() {
        let codes = (0..<200).map { _ in RandomText.draw(8, of: RandomText.base58) }

        #expect(codes.allSatisfy { $0.count == 8 && !$0.contains { "0OIl".contains($0) } })
        #expect(Set(codes).count == 200)
    }

    @Test(
        "Unsafe destinations and reserved paths are refused with a reason",
        arguments: [
            ("javascript:alert(1)", nil, ErrorCode.invalidLink), ("data:text/html,hi", nil, .invalidLink),
            ("http://example.com/x", nil, .invalidLink), ("https://exämple.com/", nil, .invalidLink),
            ("https://me@example.com/", nil, .invalidLink), ("https://example.com/a b", nil, .invalidLink),
            ("https://example.com/a\r\nSet-Cookie:x", nil, .invalidLink), ("", nil, .invalidLink),
            ("https://example.com/" + String(repeating: "a", count: 8192), nil, .invalidLink),
            ("example://x", "../etc", .invalidLink), ("example://x", "a/%2e%2e/b", .invalidLink),
            ("example://x", "/", .invalidLink),
            ("example://x", "a?b=c", .invalidLink), ("example://x", "a?\u{301}=c", .invalidLink),
            ("example://x", "%C3%28", .invalidLink),
            ("example://x", ".well-known/x", .linkTaken), ("example://x", "v1/links", .linkTaken),
            ("example://x", "summer-clothes", .linkTaken), ("example://x", "beach", .linkTaken),
            ("other://x", nil, .invalidLink),
        ] as [(String, String?, ErrorCode)])
    func refusals(destination: String, suffix: String?, code: ErrorCode) async throws {
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: destination)
            newLink.suffix = suffix

            let outcome = try await LinkCreation(links: server.services.links, snapshot: server.services.snapshot).make([newLink], nowMs: 1)[0]

            #expect(outcome.refusal?.code == code)
            #expect(outcome.refusal?.description.isEmpty == false)
        }
    }
}

extension LinkCreation.Outcome {
    var address: String? { link?.address }
    var refusal: LinkRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

/// Hands out codes in this order.
private final class Draws: Sendable {
    private let left: Mutex<[String]>
    init(_ codes: [String]) { left = Mutex(codes) }
    @Sendable func next() -> String { left.withLock { $0.removeFirst() } }
}
