// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Recently used values", .timeLimit(.minutes(1)))
struct RecentValueTests {
    @Test("are at most twice the bound, however many are added")
    func bound() {
        var values = RecentValues<Int, Int>(most: 10)
        for number in 0..<1_000 {
            values[number] = number
            #expect(values.count <= 20)
        }
        #expect((990..<1_000).allSatisfy { values[$0] == $0 })
    }

    @Test("stay as long as they are used")
    func used() {
        var values = RecentValues<Int, Int>(most: 10)
        values[-1] = -1
        for number in 0..<1_000 {
            values[number] = number
            #expect(values[-1] == -1)
        }
        #expect(values[500] == nil)
    }

    @Test("are replaced, removed and dropped, old or young")
    func changed() {
        var values = RecentValues<Int, Int>(most: 2)
        for number in 0..<3 { values[number] = number }
        (values[0], values[2]) = (10, nil)
        #expect(values[0] == 10)
        #expect(values[2] == nil)

        values[3] = 3
        values.forget { key, _ in key < 2 }

        #expect([0, 1, 3].map { values[$0] } == [nil, nil, 3])
    }
}
