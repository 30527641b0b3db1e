// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("The line of ids", .timeLimit(.minutes(1)))
struct IDLineTests {
    @Test("has no place for what was left out, and every other value once")
    func gaps() {
        var line = IDLine(from: 10, through: 29)
        line.leaveOut(from: 12, through: 14)
        line.leaveOut(from: 20, through: 28)
        line.leaveOut(from: 16, through: 16)

        #expect(line.length == 7)
        #expect((0..<7).map { line.value(at: $0) } == [10, 11, 15, 17, 18, 19, 29])
    }

    @Test("holds all ids", arguments: [(UInt128.min, UInt128.max), (.max, .max), (0, 0)])
    func ends(lowest: UInt128, highest: UInt128) {
        let line = IDLine(from: lowest, through: highest)

        #expect(line.length > 0)
        #expect(line.value(at: 0) == lowest)
        #expect(highest - line.value(at: line.length - 1) <= 1)
    }

    @Test("Ids and numbers stand in one order", arguments: ["00000000-0000-0000-0000-000000000000", "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "ffffffff-ffff-ffff-ffff-ffffffffffff"])
    func numbers(text: String) {
        #expect(IDNumber(text)?.text == text)
        #expect(IDNumber(text + "0") == nil)
        #expect(IDNumber(text.uppercased() + " ") == nil)
    }
}
