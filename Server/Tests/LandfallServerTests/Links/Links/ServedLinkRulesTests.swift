// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The rules for links that phones get", .timeLimit(.minutes(1)))
struct ServedLinkRulesTests {
    private static func domain(_ host: String, _ paths: String...) -> BrandDomain {
        BrandDomain(host: host, paths: paths.map { PathPattern($0) })
    }

    private static func link(_ path: String, on host: String = "go.example") -> StoredLink {
        StoredLink(host: host, path: LinkPath(stored: path), destination: "https://example.com/")
    }

    private static func configuration(_ domains: [BrandDomain]) -> Configuration {
        var configuration = Configuration.sample()
        configuration.domains.brand = domains
        configuration.links = []
        return configuration
    }

    @Test("name every brand domain with its paths, in the order of the file")
    func all() {
        let served = ServedLinkRules([Self.domain("go.example", "/products/*", "/help"), Self.domain("news.example")], links: [])

        #expect(
            served.rules.brand == [
                .init(host: "go.example", paths: ["/products/*", "/help"]), .init(host: "news.example", paths: []),
            ])
        #expect(served.rules.isValid)
    }

    @Test("have a version that depends only on their content; rules without a path have the version of a phone without rules")
    func version() {
        let one = ServedLinkRules([Self.domain("go.example", "/a", "/b")], links: []).rules
        let same = ServedLinkRules([Self.domain("go.example", "/a", "/b")], links: [Self.link("/c")]).rules
        let others = [
            [Self.domain("go.example", "/a")], [Self.domain("go.example", "/b", "/a")], [Self.domain("to.example", "/a", "/b")],
            [Self.domain("go.example", "/a"), Self.domain("to.example", "/b")], [Self.domain("go.example")], [],
        ].map { ServedLinkRules($0, links: []).rules.version }

        #expect(one == same)
        #expect(one.version.utf8.count == 16)
        #expect(Set(others + [one.version]).count == others.count, "The last two name no path.")
        #expect(others.suffix(2) == ["0", "0"])
    }

    @Test("leave out a pattern that covers a short link of the file: phones ask about its paths")
    func covering() {
        let domain = Self.domain("go.example", "/products/*", "/p/*", "/help")

        let served = ServedLinkRules(
            [domain], links: [Self.link("/products/sale"), Self.link("/beach"), Self.link("/p/1", on: "other.example")])

        #expect(served.rules.brand.map(\.paths) == [["/p/*", "/help"]])
    }

    @Test("have at most 16 KiB of hosts and patterns; what does not fit is left out, and the file is warned about")
    func size() throws {
        let paths = (0..<100).map { "/\($0)/" + String(repeating: "a", count: 240) }
        let domain = BrandDomain(host: "go.example", paths: paths.map { PathPattern($0) } + ["/z"])

        let rules = ServedLinkRules([domain], links: []).rules
        let warnings = Sample.warnings(
            adding: "domains: { brand: [{ host: a.example, paths: [/a] }, { host: go.example, paths: [\(paths.joined(separator: ", "))] }, { host: b.example, paths: [/b] }], universal: [example.com] }\n")

        #expect(rules.isValid)
        #expect(rules.brand[0].paths.count == 68)
        #expect(rules.brand[0].paths.last == "/z")
        #expect(warnings.count == 1 && warnings[0].message.contains("have more than 16384 bytes from here on"))
    }

    @Test("A short link on one of the domain's paths is warned about, once, at its place")
    func warning() {
        let warnings = Sample.warnings(
            adding: """
                domains: { brand: [{ host: go.example.com, paths: [/products/*] }], universal: [example.com] }
                links:
                  - { url: https://go.example.com/beach, to: https://example.com/beach }
                  - { url: https://go.example.com/products/sale, to: https://example.com/sale }

                """)

        #expect(warnings.count == 1)
        #expect(warnings.first?.message.hasPrefix("'go.example.com/products/sale' is a short link on one of the domain's 'paths'.") == true)
    }

    @Test("A first open brings them to a phone that names another version, and only to such a phone")
    func firstOpen() async throws {
        try await TestServer.run(configuration: Self.configuration([Self.domain("go.example", "/products/*")])) { server in
            let body = #"{"adToken":{"none":"noToken"},"placements":[{"id":"onboarding"}]}"#
            func rules(knowing version: String?) async throws -> [WireLinkRules] {
                let response = try await server.send(.post, WirePath.firstOpen, body, linkRules: version)
                #expect(try response.lines.first.map { if case .profile = $0 { true } else { false } } == true)
                return try response.lines.compactMap { if case .linkRules(let rules) = $0 { rules } else { nil } }
            }

            let first = try await rules(knowing: "0")
            let version = try #require(first.first?.version)

            #expect(first == [WireLinkRules(version: version, brand: [.init(host: "go.example", paths: ["/products/*"])])])
            #expect(try await rules(knowing: version).isEmpty)
            #expect(try await rules(knowing: nil).isEmpty)
            #expect(try await rules(knowing: "ffffffffffffffff").count == 1)
        }
    }

    @Test("A paywall's answer brings them in the same way, held or not", arguments: ["audience=default", "audience=matching", "after=99&wait=5000"])
    func paywall(query: String) async throws {
        try await TestServer.run(configuration: Self.configuration([Self.domain("go.example", "/products/*")])) { server in
            _ = try await server.firstOpen(#"{"adToken":{"none":"noToken"}}"#)
            func rules(knowing version: String?) async throws -> WireLinkRules? {
                try await server.send(.get, "/v1/placements/onboarding/paywall?\(query)", linkRules: version)
                    .decoded(PaywallAnswer.self).linkRules
            }

            let first = try await rules(knowing: "0")

            #expect(first?.brand == [.init(host: "go.example", paths: ["/products/*"])])
            #expect(try await rules(knowing: first?.version) == nil)
            #expect(try await rules(knowing: nil) == nil)
        }
    }

    @Test("If no path is named, a phone without rules gets none")
    func noPaths() async throws {
        try await TestServer.run { server in
            let lines = try await server.send(.post, WirePath.firstOpen, #"{"adToken":{"none":"noToken"}}"#, linkRules: "0").lines
            let earlier = try await server.send(.get, "/v1/placements/onboarding/paywall", linkRules: "3f9a0c1d2e4b5a69")
                .decoded(PaywallAnswer.self)

            #expect(!lines.contains { if case .linkRules = $0 { true } else { false } })
            #expect(earlier.linkRules == WireLinkRules(version: "0", brand: [.init(host: "brandname.go.link", paths: [])]))
        }
    }

    @Test("A version that is published while a stream is held brings its rules in the same stream")
    func published() throws {
        let before = Snapshot(Self.configuration([Self.domain("go.example", "/a")]), revision: 7)
        let after = Snapshot(Self.configuration([Self.domain("go.example", "/b")]), revision: 8)
        var session = FirstOpenSession(
            snapshot: before, wanted: [], tokens: PurchaseTokens(key: []), knownLinkRules: before.linkRules.rules.version, holdEndsAtMs: 2_000_000)

        let first = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: 1_000_000)
        session.goOn(with: after)
        let then = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: 1_000_001)
        let last = session.lines(for: .sample(), isTokenAnnounced: true, nowMs: 1_000_002)

        #expect(first.count == 2)
        #expect(then == [.linkRules(after.linkRules.rules)])
        #expect(last.isEmpty)
    }
}
