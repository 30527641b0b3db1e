// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import Landfall

@Suite("How long an ad token is good", .timeLimit(.minutes(1)))
struct AdTokenLifeTests {
    /// A token that the source gave at the start, and that no request has delivered since.
    private func undelivered() -> AdTokenState {
        var state = AdTokenState(hasSource: true)
        _ = state.begin(.first, now: .zero)
        state.found("old", now: .zero)
        return state
    }

    @Test("It is replaced from the end of its hour on, not a millisecond before", arguments: [(3_599_999, true), (3_600_000, false)])
    func replaced(milliseconds: Int, isKept: Bool) {
        var state = undelivered()

        state.resetRetries(now: .milliseconds(milliseconds))

        #expect((state.found == .value("old")) == isKept)
    }

    @Test(
        "Where the source has no other, it is sent until Apple would soon refuse it, and not at that instant",
        arguments: [(82_799_999, AdToken.value("old")), (82_800_000, AdToken.none(.noToken))])
    func longest(milliseconds: Int, sent: AdToken) {
        var state = undelivered()
        let returned = Duration.milliseconds(milliseconds)
        state.resetRetries(now: returned)

        state.giveUpIfLate(now: returned + AdTokenState.limit)

        #expect(state.found == sent)
    }

    @Test("The server is told that there is none after ten seconds, at the very instant", arguments: [(9_999, false), (10_000, true)])
    func givenUp(milliseconds: Int, isToldNone: Bool) {
        var state = AdTokenState(hasSource: true)
        _ = state.begin(.first, now: .zero)

        state.giveUpIfLate(now: .milliseconds(milliseconds))

        #expect((state.found == AdToken.none(.noToken)) == isToldNone)
    }
}
