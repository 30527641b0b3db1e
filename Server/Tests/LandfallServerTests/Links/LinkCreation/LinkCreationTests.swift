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
