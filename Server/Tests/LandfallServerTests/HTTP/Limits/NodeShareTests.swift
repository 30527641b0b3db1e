// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Metrics
import Synchronization
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("A node's share of a limit", .timeLimit(.minutes(1)))
struct NodeShareTests {
    private static let home = ClientAddress("192.0.2.7")

    @Test(
        "is an equal part of it, rounded up, and no less than three where the limit itself is three",
        arguments: [
            (1, 100, 100), (2, 100, 50), (3, 100, 34), (33, 100, 4), (34, 100, 3), (1_000, 100, 3), (4, 10, 3), (10, 10, 3), (9, 3, 3),
            (9, 2, 2), (3, 1, 1), (0, 100, 100), (-1, 100, 100),
        ])
    func part(living: Int, most: Int, share: Int) {
        #expect(NodeShare { living }.of(most) == share)
    }

    @Test("changes with the number of nodes, also for an address that has called already")
    func changes() throws {
        let living = Mutex(1)
        let limit = AddressLimit(.unprovenClicksByAddress, most: 10, of: "calls", share: NodeShare { living.withLock(\.self) })
        for _ in 0..<5 { try limit.take(Self.home, nowMs: 0) }

        living.withLock { $0 = 2 }
        #expect(throws: LimitReached.self) { try limit.check(Self.home, nowMs: 0) }
        #expect(!limit.admits(Self.home, nowMs: 0))
        living.withLock { $0 = 1 }
        try limit.take(Self.home, nowMs: 0)
    }

    @Test("holds for clicks, for wrong codes of an install and for questions about old links")
    func all() async throws {
        let third = NodeShare { 3 }
        let clicks = ClickAdmission(share: third)
        func stored(isInvented: Bool) -> Int {
            (0..<2_000).count { _ in clicks.refusal(isInvented: isInvented, from: Self.home, nowMs: 0) == nil }
        }
        #expect(stored(isInvented: true) == ClickAdmission.mostInventedByAddress / 3)
        #expect(stored(isInvented: false) == (ClickAdmission.mostByAddress - ClickAdmission.mostInventedByAddress) / 3)

        let tokens = WrongTokens(share: third), install = Credential.mayasPhone.installID
        for second: Int64 in 0..<3 { tokens.wrong(TestStore.app, install, nowMs: second * 1_000) }
        try tokens.check(TestStore.app, install, nowMs: 3_000)
        tokens.wrong(TestStore.app, install, nowMs: 3_000)
        let refusal = #expect(throws: LimitReached.self) { try tokens.check(TestStore.app, install, nowMs: 3_000) }
        #expect(refusal?.retryAfter == 3_597)

        let asked = Count()
        let resolver = BoundedLinkResolver(factory: PrometheusRegistry(), share: third, onLimit: { _ in }) { _ in
            asked.increment()
            return LinkResolverReply(status: 404, location: nil)
        }
        for number in 0..<40 {
            let link = try LinkAddress("https://old.example.com/\(number)")
            _ = await resolver.target(of: link, from: Self.home, nowMs: 0)
        }
        #expect(asked.value == 34)
    }
}
