// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The counted attempts of tokens", .timeLimit(.minutes(1)))
struct TokenAttemptsTests {
    @Test("are counted separately")
    func apart() {
        var attempts = TokenAttempts()

        let counts = [attempts.next("a"), attempts.next("a"), attempts.next("b"), attempts.next("a")]

        #expect(counts == [0, 1, 0, 2])
    }

    @Test("stay within the limit, and the newest are remembered")
    func bounded() {
        var attempts = TokenAttempts(limit: 10)

        for number in 0..<1_000 { _ = attempts.next("token \(number)") }

        #expect(attempts.rememberedTokens <= 20)
        #expect(attempts.next("token 999") == 1)
        #expect(attempts.next("token 0") == 0)
    }

    @Test("survive a change of generation while a token is in use")
    func inUse() {
        var attempts = TokenAttempts(limit: 2)

        var counts: [Int] = []
        for number in 0..<6 {
            counts.append(attempts.next("used"))
            _ = attempts.next("other \(number)")
        }

        #expect(counts == [0, 1, 2, 3, 4, 5])
    }
}
