// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

#if HTTPS


/// Over real HTTP, but where the answer does not matter.
@Suite("The limits of a resolver", .timeLimit(.minutes(1)))
struct BoundedLinkResolverTests {
    private static let home = ClientAddress("192.0.2.7")
    private static let away = ClientAddress("198.51.100.7")

    @Test(
        "An answer counts for a minute, also the answer that there is no such link; a failure does not count",
        arguments: [(404, nil, 1), (410, nil, 1), (302, "https://links.example.com/beach", 1), (500, nil, 3)] as [(Int, String?, Int)])
    func remembered(status: Int, location: String?, questions: Int) async throws {
        try await Team.run { _ in LinkResolverReply(status: status, location: location) } _: { team in
            let link = try LinkAddress("https://acme.go.link/a?b=1#c")
            for nowMs: Int64 in [0, 1, 59_999] {
                #expect(await team.resolver.target(of: link, from: Self.home, nowMs: nowMs) == location)
            }
            let before = team.questions

            #expect(await team.resolver.target(of: link, from: Self.home, nowMs: 60_000) == location)

            #expect(before == questions)
            #expect(team.questions == questions + 1)
        }
    }

    @Test("A network has 100 questions in ten minutes; known answers do not count, and other networks go on")
    func network() async throws {
        try await Team.run { _ in LinkResolverReply(status: 404, location: nil) } _: { team in
            func ask(_ path: Int, _ address: ClientAddress?, nowMs: Int64 = 0) async throws {
                let link = try LinkAddress("https://acme.go.link/\(path)")
                #expect(await team.resolver.target(of: link, from: address, nowMs: nowMs) == nil)
            }
            for path in 0..<100 {
                try await ask(path, Self.home)
                try await ask(path, Self.home)
            }
            #expect(team.questions == 100)
            #expect(team.hits == [])

            try await ask(100, Self.home)
            try await ask(0, Self.home)
            #expect(team.questions == 100)
            #expect(team.hits == [.oldLinksByAddress])

            try await ask(100, Self.away)
            try await ask(101, nil)
            try await ask(102, Self.home, nowMs: 600_000)
            #expect(team.questions == 103)
            #expect(team.hits == [.oldLinksByAddress])
        }
    }

    @Test("One network may have four of the 16 open questions: slow answers to it do not stop others")
    func places() async throws {
        let gate = Gate()
        try await Team.run { link in
            if link.contains("slow") { await gate.wait() }
            return LinkResolverReply(status: 302, location: "https://links.example.com/beach")
        } _: { team in
            let links = try (0..<BoundedLinkResolver.mostOfAddress).map { try LinkAddress("https://acme.go.link/slow\($0)") }
            let (quick, next) = (try LinkAddress("https://acme.go.link/quick"), try LinkAddress("https://acme.go.link/next"))
            let slow = links.map { link in Task { _ = await team.resolver.target(of: link, from: Self.home, nowMs: 0) } }
            while team.questions < links.count { await Task.yield() }

            #expect(await team.resolver.target(of: quick, from: Self.home, nowMs: 0) == nil)
            #expect(team.count(.busy) == 1)
            #expect(await team.resolver.target(of: quick, from: Self.away, nowMs: 0) == "https://links.example.com/beach")
            await gate.open()
            for question in slow { await question.value }
            // Its places are free again.
            #expect(await team.resolver.target(of: next, from: Self.home, nowMs: 0) == "https://links.example.com/beach")
        }
    }

    @Test("At most 16 questions are open; the next one is answered at once, and is counted")
    func most() async throws {
        let registry = PrometheusRegistry()
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        let resolver = BoundedLinkResolver(factory: registry, onLimit: { _ in }) { _ in
            hold.yield()
            await gate.wait()
            return LinkResolverReply(status: 404, location: nil)
        }
        let link = try LinkAddress("https://acme.go.link/a")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<BoundedLinkResolver.most {
                group.addTask { #expect(await resolver.target(of: link, from: nil, nowMs: 0) == nil) }
            }
            var waiting = 0
            for await _ in held {
                waiting += 1
                if waiting == BoundedLinkResolver.most { break }
            }

            #expect(await resolver.target(of: link, from: nil, nowMs: 0) == nil)
            #expect(registry.text().contains("landfall_old_links_asked_total{outcome=\"busy\"} 1"))
            await gate.open()
        }
        #expect(registry.text().contains("landfall_old_links_asked_total{outcome=\"unknown\"} 16"))
    }

    @Test("The table of answers has a limit, and contains no long link")
    func table() async throws {
        let resolver = BoundedLinkResolver(factory: PrometheusRegistry(), onLimit: { _ in }) { _ in
            LinkResolverReply(status: 404, location: nil)
        }
        let long = try LinkAddress("https://acme.go.link/" + String(repeating: "a", count: 600))
        _ = await resolver.target(of: long, from: nil, nowMs: 0)
        #expect(resolver.remembered == 0)

        for number in 0..<5_000 {
            _ = await resolver.target(of: try LinkAddress("https://acme.go.link/\(number)"), from: nil, nowMs: 0)
        }

        #expect((1...2 * BoundedLinkResolver.mostRemembered).contains(resolver.remembered))
    }
}
#endif
