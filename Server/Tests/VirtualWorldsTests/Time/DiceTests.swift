// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("Dice", .timeLimit(.minutes(1)))
struct DiceTests {
    @Test("The same seed throws the same numbers")
    func repeats() {
        let one = Dice(seed: 7), other = Dice(seed: 7)

        #expect((0..<100).map { _ in one.next() } == (0..<100).map { _ in other.next() })
    }

    @Test("Neighbouring seeds share no number, not even a moment later")
    func neighbours() {
        let one = Dice(seed: 14), other = Dice(seed: 15)

        let numbers = Set((0..<1_000).map { _ in one.next() })

        #expect((0..<1_000).allSatisfy { _ in !numbers.contains(other.next()) })
    }

    @Test("Both ends of a range are thrown, and nothing outside of it", arguments: [0...0, 3...5, -2...2])
    func ends(range: ClosedRange<Int>) {
        let dice = Dice(seed: 1)

        let thrown = Set((0..<1_000).map { _ in dice.number(range) })

        #expect(thrown == Set(range))
    }
}
