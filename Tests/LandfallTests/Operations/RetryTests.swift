// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Landfall

@Suite("A retry", .timeLimit(.minutes(1)))
struct RetryTests {
    @Test(
        "waits twice as long after each failure, at most 15 minutes, each ± 20 %",
        arguments: [(1, 1), (2, 2), (3, 4), (10, 512), (11, 900), (40, 900), (1_000, 900)]
    )
    func delays(failures: Int, seconds: Int) {
        #expect(Retry.delay(afterFailures: failures, chance: 0.5) == .seconds(seconds))
        #expect(Retry.delay(afterFailures: failures, chance: 0) == .milliseconds(seconds * 800))
        #expect(Retry.delay(afterFailures: failures, chance: 1) == .milliseconds(seconds * 1_200))
    }

    @Test("is at once after a success, and for a new reason, which keeps the length of the next pause")
    func dueNow() {
        var retry = Retry()
        retry.failed(now: .seconds(10), chance: 0.5)
        #expect(retry.notBefore == .seconds(11))

        retry.dueNow()
        #expect(retry.notBefore == .zero)
        retry.failed(now: .seconds(10), chance: 0.5)
        #expect(retry.notBefore == .seconds(12))

        retry.reset()
        #expect(retry == Retry())
    }

    @Test("that would be too late for a caller comes forward once, and not into its grace")
    func comesForward() {
        var retry = Retry()
        for _ in 0..<4 { retry.failed(now: .zero, chance: 0.5) }

        retry.comeForward(before: .seconds(5), grace: .seconds(1), now: .seconds(1))
        #expect(retry.notBefore == .seconds(4))

        retry.failed(now: .milliseconds(4_500), chance: 0.5)
        let later = retry.notBefore
        retry.comeForward(before: .seconds(5), grace: .seconds(1), now: .milliseconds(4_500))
        #expect(retry.notBefore == later)
    }

    @Test(
        "leaves a quarter of a call's limit for the first answer, at most a second",
        arguments: [(0, 0), (2, 500), (4, 1_000), (60, 1_000)]
    )
    func grace(seconds: Int, milliseconds: Int) {
        #expect(Retry.grace(within: .seconds(seconds)) == .milliseconds(milliseconds))
    }
}
