// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The two ends of a link", .timeLimit(.minutes(1)))
struct LinkTimesTests {
    private static let url = "https://go.example.com/a"

    /// From 1,000 on, up to 2,000.
    private func link() -> StoredLink {
        var link = StoredLink(
            host: "go.example.com", path: LinkPath(stored: "/a"), destination: "https://example.com/a", expiresAtMs: 2_000)
        link.startsAtMs = 1_000
        return link
    }

    @Test(
        "It leads somewhere from the very instant of its start on, and nowhere from the very instant of its end on",
        arguments: [(999, .scheduled), (1_000, .live), (1_999, .live), (2_000, .expired), (2_001, .expired)] as [(Int64, LinkFilter.State)])
    func ends(nowMs: Int64, state: LinkFilter.State) throws {
        let link = link(), address = try LinkAddress(Self.url)

        let decision = LinkDecision(
            address, path: link.path, stored: link, patterns: [], parameters: try LinkParameters(address), nowMs: nowMs)

        #expect(link.state(nowMs: nowMs) == state)
        #expect(link.isExpired(nowMs: nowMs) == (state == .expired))
        #expect(link.isEarly(nowMs: nowMs) == (state == .scheduled))
        #expect(decision.isOpen == (state == .live))
    }

    @Test("Without an end it never expires, and without a start it is never early", arguments: [.min, 0, .max] as [Int64])
    func endless(nowMs: Int64) {
        let link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/a"), destination: "https://example.com/a")

        #expect(link.state(nowMs: nowMs) == .live)
    }
}
