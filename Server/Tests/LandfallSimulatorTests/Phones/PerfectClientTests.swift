// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("What a perfect client could have known in time", .timeLimit(.minutes(1)))
struct PerfectClientTests {
    private typealias Life = PerfectClient.ServerLife
    /// Token after 100 ms, round trip 400 ms, one more to connect: its request is at the server after 700 ms.
    private let client = PerfectClient(
        tokenDelay: .milliseconds(100), roundTrip: .milliseconds(400), setUp: .milliseconds(400))

    @Test("With one server the answer is at the phone half a round trip after it was at the server")
    func calm() {
        #expect(told(3_000, [Life(from: .seconds(-9))]) == .milliseconds(3_200))
    }

    @Test("A server that is killed later has sent the answer")
    func laterKill() {
        #expect(told(3_000, [life(-9_000, 3_001), life(3_002)]) == .milliseconds(3_200))
    }

    @Test("A kill before the answer costs half a round trip to notice it, a connection and a question")
    func kill() {
        #expect(told(2_100, [life(-9_000, 2_000), life(2_050)]) == .milliseconds(3_000))
        #expect(told(4_000, [life(-9_000, 2_000), life(2_050)]) == .milliseconds(4_200))
    }

    @Test("While no server lives there is no answer")
    func gap() {
        #expect(told(2_100, [life(-9_000, 2_000), life(3_000)]) == .milliseconds(3_800))
        #expect(told(2_100, [life(-9_000, 2_000)]) == nil)
        #expect(told(2_100, []) == nil)
    }

    @Test("A kill before the phone connected changes nothing for it")
    func earlierKill() {
        #expect(told(3_000, [life(-9_000, 90), life(95)]) == .milliseconds(3_200))
    }

    @Test("A phone whose server was killed is counted only if the second connection could have brought the answer")
    func deadline() throws {
        // Seed 777, phone 67: killed at 2.65 s, its close is at the phone at 3.33 s, and no answer before 6 s.
        let slow = PerfectClient(
            tokenDelay: .milliseconds(192), roundTrip: .milliseconds(1_344), setUp: .milliseconds(1_344))

        let told = try #require(slow.told(.milliseconds(3_258), lives: [life(-9_000, 2_653), life(2_700)]))

        #expect(told > .seconds(5))
    }

    private func told(_ answered: Int, _ lives: [Life]) -> Duration? { client.told(.milliseconds(answered), lives: lives) }

    private func life(_ from: Int, _ until: Int? = nil) -> Life {
        Life(from: .milliseconds(from), until: until.map { .milliseconds($0) })
    }
}
