// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Links in a first open", .timeLimit(.minutes(1)))
struct FirstOpenLinkTests {
    private static func body(_ links: [(key: String, url: String, age: Int64)], _ rest: String = "") -> String {
        let texts = links.map { #"{"key":"\#($0.key)","url":"\#($0.url)","ageMilliseconds":\#($0.age)}"# }
        return #"{"links":[\#(texts.joined(separator: ","))],"placements":[{"id":"offer"}]\#(rest)}"#
    }

    @Test("A waiting link attributes the install and targets the paywall of the same stream")
    func waiting() async throws {
        try await TestServer.run { server in
            let lines = try await server.firstOpen(Self.body([("k", "https://brandname.go.link/beach", 400)]))

            guard case .attributed(let details) = lines.attributions.first else { throw Missing() }
            #expect(details.source == .link)
            #expect(lines.paywalls.map(\.paywall?.name.rawValue) == ["summer"])
            #expect(lines.paywalls.map(\.final) == [true])
            #expect(lines.profile?.appliedAttributionSources == [.link])
            #expect(lines.deferred == nil)
        }
    }

    @Test("One request returns the deferred link, the attribution and its paywall")
    func deferred() async throws {
        try await TestServer.run { server in
            try await server.handOver("tztztztztztztztztztztz", minutesAgo: 2)
            let body = Self.body([], #","deferred":{"token":"tztztztztztztztztztztz"},"holdMilliseconds":5000"#)

            let lines = try await server.firstOpen(body)

            guard case .link(let link) = lines.deferred else { throw Missing() }
            #expect(link.resolved == "https://brandname.go.link/summer-clothes?promo=beach")
            #expect(lines.paywalls.map(\.paywall?.name.rawValue) == ["summer"])
            guard case .attributed(let details) = lines.attributions.first else { throw Missing() }
            #expect(details.campaign == "summer")
            #expect(lines.last == .end(.final))
            // A lost answer is given again.
            #expect(try await server.firstOpen(body).deferred == lines.deferred)
        }
    }

    @Test("An install without such a link is told that there is none, and is not held")
    func none() async throws {
        try await TestServer.run { server in
            let lines = try await server.firstOpen(Self.body([], #","deferred":{},"holdMilliseconds":5000"#))

            #expect(lines.deferred == DeferredLinkAnswer.none)
            #expect(lines.paywalls.map(\.paywall?.name.rawValue) == ["default"])
            #expect(lines.last == .end(.final))
        }
    }

    @Test("Repeated by an open or by its own call, a link is one click")
    func again() async throws {
        try await TestServer.run { server in
            let url = "https://brandname.go.link/beach"
            for _ in 0..<2 { _ = try await server.firstOpen(Self.body([("k", url, 400)])) }
            let answer = try await server.open(url, key: "k")

            #expect(answer.status == .resolved)
            #expect(try await server.clicks().count == 1)
        }
    }

    @Test("A link that cannot be recorded does not affect the first open")
    func bad() async throws {
        try await TestServer.run { server in
            _ = try await server.open("https://brandname.go.link/plain", key: "used")
            server.clock.advance(by: .seconds(1))

            let lines = try await server.firstOpen(
                Self.body([
                    ("used", "https://brandname.go.link/over", 0), ("", "https://brandname.go.link/beach", 0),
                    ("i", "javascript:alert(1)", 0), ("n", "https://brandname.go.link/nothing", 0),
                    ("k", "https://brandname.go.link/beach", 0),
                ]))

            #expect(lines.paywalls.map(\.paywall?.name.rawValue) == ["summer"])
            #expect(try await server.clicks().count == 2)
        }
    }

    @Test("A link that waited long counts from its tap; above 30 days it counts as 30")
    func age() async throws {
        try await TestServer.run { server in
            let lines = try await server.firstOpen(
                Self.body([("k", "https://brandname.go.link/beach", 8 * 86_400_000), ("l", "https://example.com/a", .max)]))

            #expect(lines.paywalls.map(\.paywall?.name.rawValue) == ["default"])
            #expect(lines.profile?.appliedAttributionSources == [])
            #expect(try await server.clicks().compactMap { $0.split(separator: " ").last } == ["-691200000", "-2592000000"])
        }
    }

    @Test("While a deferred link is searched, nothing that depends on links or attribution is final")
    func pending() {
        var session = FirstOpenSession(
            snapshot: Snapshot(.sample(), revision: 1), wanted: ["offer", "onboarding", "settings"].map { .init(id: $0) },
            deferred: .pending, tokens: PurchaseTokens(key: []), holdEndsAtMs: 5_000
        )

        let lines = session.lines(for: .sample(), isTokenAnnounced: false, nowMs: 0)

        #expect(lines.paywalls.map(\.final) == [false, false, true])
        #expect(lines.deferred == .pending)
        #expect(!session.isFinal)
    }

    private struct Missing: Error {}
}
