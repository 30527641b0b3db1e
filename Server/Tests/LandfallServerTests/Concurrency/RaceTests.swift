// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("The first of several outcomes", .timeLimit(.minutes(1)))
struct RaceTests {
    @Test("The first outcome wins, also if it comes before anybody waits; later ones are told so")
    func first() async {
        let race = Race<Int>()

        #expect(race.end(with: 1))
        #expect(!race.end(with: 2))

        #expect(await race.winner() == 1)
        #expect(await race.winner() == 1)
    }

    @Test("A waiting caller gets the first outcome, once, of many at the same time")
    func waiting() async {
        for _ in 0..<200 {
            let race = Race<Int>()
            async let winner = race.winner()
            let wins = await withTaskGroup(of: Int?.self) { group in
                for number in 1...8 { group.addTask { race.end(with: number) ? number : nil } }
                return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
            }

            let first = await winner
            #expect([first] == wins)
        }
    }
}
