// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("How long an ad token counts as coming, and as fresh", .timeLimit(.minutes(1)))
struct TokenTimesTests {
    @Test(
        "An announced one is awaited until the hold of its announcement ends, not at that instant",
        arguments: [(2_999, true), (3_000, false)] as [(Int64, Bool)])
    func coming(nowMs: Int64, isComing: Bool) {
        var install = Install.sample()
        install.tokenComingUntilMs = 3_000

        #expect(install.isTokenComing(nowMs: nowMs) == isComing)
    }

    @Test(
        "One that is here is fresh for five minutes, not at the end of them",
        arguments: [(0, true), (299_999, true), (300_000, false)] as [(Int64, Bool)])
    func fresh(afterMs: Int64, isFresh: Bool) {
        var install = Install.sample()
        install.exchange = AppleAdsExchange(tokenHash: TokenHash(of: "t"), state: .organic, receivedAtMs: 7)

        #expect(install.hasFreshToken(nowMs: 7 + afterMs) == isFresh)
    }

    @Test(
        "A phone that called its token off after an instant did so not at that instant",
        arguments: [(4, false), (5, false), (6, true)] as [(Int64, Bool)])
    func calledOff(atMs: Int64, isCalledOff: Bool) {
        var install = Install.sample()
        install.tokenCalledOffAtMs = atMs

        #expect(install.isTokenCalledOff(after: 5) == isCalledOff)
    }
}
