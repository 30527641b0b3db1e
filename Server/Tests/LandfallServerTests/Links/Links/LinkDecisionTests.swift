// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("The kind of a brand domain's link", .timeLimit(.minutes(1)))
struct LinkDecisionTests {
    private static let beach = StoredLink.sample("/beach")
    private static let patterns = [PathPattern("/summer-clothes"), PathPattern("/bea*"), PathPattern("/v1/*")]

    private func decision(_ path: String, stored: StoredLink? = nil, nowMs: Int64 = 0) throws -> LinkDecision {
        let address = try LinkAddress("https://go.example.com" + path)
        return LinkDecision(
            address, path: try LinkPath(address), stored: stored, patterns: Self.patterns,
            parameters: try LinkParameters(address), nowMs: nowMs
        )
    }

    @Test("A reserved path comes before everything", arguments: ["/v1/first-open", "/robots.txt?adj_t=abc", "/.well-known/x"])
    func reserved(path: String) throws {
        #expect(try decision(path, stored: Self.beach) == .reserved)
    }

    @Test("A stored link comes before a pattern and a tracker", arguments: ["/beach", "/beach?lf_t=abc"])
    func stored(path: String) throws {
        #expect(try decision(path, stored: Self.beach) == .stored(Self.beach))
    }

    @Test("A stored link expires at its instant, and does not become another kind of link")
    func expiry() throws {
        var link = Self.beach
        link.expiresAtMs = 1000

        #expect(try decision("/beach?lf_t=abc", stored: link, nowMs: 999) == .stored(link))
        #expect(try decision("/beach?lf_t=abc", stored: link, nowMs: 1000) == .expired(link))
    }

    @Test("A stored link starts at its instant, and one that has ended does not start again")
    func start() throws {
        var link = Self.beach
        link.startsAtMs = 1000

        #expect(try decision("/beach", stored: link, nowMs: 999) == .early(link))
        #expect(try decision("/beach", stored: link, nowMs: 1000) == .stored(link))
        link.expiresAtMs = 500
        #expect(try decision("/beach", stored: link, nowMs: 999) == .expired(link))
    }

    @Test(
        "A pattern comes before a tracker, whatever the path looks like", arguments: ["/beaaaaaa", "/summer-clothes?adj_t=abc"])
    func ownPath(path: String) throws {
        #expect(try decision(path) == .ownPath)
    }

    @Test("A pattern matches the same paths as on the phone", arguments: try PathPatternTable.rows())
    func pattern(row: PathPatternTable.Row) throws {
        let link = try LinkAddress("https://go.example.com" + row.path)

        let decision = LinkDecision(
            link, path: try LinkPath(link), stored: nil, patterns: [PathPattern(row.pattern)],
            parameters: try LinkParameters(link), nowMs: 0
        )

        #expect((decision == .ownPath) == row.isMeant)
    }

    @Test(
        "A tracker makes a link of any other path",
        arguments: [
            "/fryYl?lf_t=abc", "/fryYl?adj_t=abc", "/a/b/c?adjust_t=abc", "?deep_link=myapp&adj_t=1fwu6wmd", "/?x=1?adj_t=a",
        ])
    func tracked(path: String) throws {
        #expect(try decision(path) == .tracked)
    }

    @Test(
        "Everything else is not found", arguments: ["", "/", "/fryYl", "/markets?lf_campaign=x", "/markets?t=abc", "/markets?lf_t="])
    func notFound(path: String) throws {
        #expect(try decision(path) == .notFound)
    }
}

/// The table that the phone's tests read too.
enum PathPatternTable {
    struct Row: Hashable, Sendable, CustomTestStringConvertible {
        let pattern: String
        let path: String
        let isMeant: Bool
        var testDescription: String { "\(pattern) \(isMeant ? "means" : "does not mean") \(path)" }
    }

    static func rows() throws -> [Row] {
        try Sample.file("Tests/Tables/path-patterns.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count == 3 && ["yes", "no"].contains(words[2]), "\(line)")
            return Row(pattern: words[0], path: words[1], isMeant: words[2] == "yes")
        }
    }
}

extension StoredLink {
    static func sample(
        _ path: String, to destination: String = "https://example.com/summer?promo=beach", labels: LinkLabels = LinkLabels()
    ) -> StoredLink {
        StoredLink(host: "go.example.com", path: LinkPath(stored: path), destination: destination, labels: labels)
    }
}
