// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Texts compared by lines", .timeLimit(.minutes(1)))
struct LineDifferenceTests {
    /// A small generator with a seed, so that a failure repeats.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static func longest(_ one: [Int], _ other: [Int]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
        for row in one.indices {
            for column in other.indices {
                table[row + 1][column + 1] =
                    one[row] == other[column] ? table[row][column] + 1 : max(table[row][column + 1], table[row + 1][column])
            }
        }
        return table[one.count][other.count]
    }

    @Test("As many lines stay as can, in their order", arguments: [1, 2, 3] as [UInt64])
    func shortest(seed: UInt64) {
        var numbers = Numbers(state: seed)
        for _ in 0..<500 {
            let kinds = Int.random(in: 1...5, using: &numbers)
            func lines() -> [Int] { (0..<Int.random(in: 0...12, using: &numbers)).map { _ in Int.random(in: 0..<kinds, using: &numbers) } }
            let old = lines(), new = lines()

            let stays = LineDifference(from: old, to: new).stays

            let pairs = stays.enumerated().compactMap { line, other in other.map { (line, $0) } }
            #expect(pairs.allSatisfy { old[$0.0] == new[$0.1] })
            #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.1 < $1.1 })
            #expect(pairs.count == Self.longest(old, new))
        }
    }

    @Test("Where the work reaches its bound, lines count as replaced, and equal ends stay")
    func bound() {
        let old = [1] + (0..<400).map { $0 * 7 % 101 } + [2], new = [1] + (1...400).map { $0 * 13 % 97 } + [2]

        let stays = LineDifference(from: old, to: new, mostSteps: 10).stays

        #expect(stays.first == 0 && stays.last == 401)
        #expect(stays.dropFirst().dropLast().allSatisfy { $0 == nil })
    }

    @Test("Hunks have three lines around a change, and the numbers of both texts")
    func hunks() {
        let old = (1...40).map { "line \($0)" }
        var new = old
        new[4] = "other"
        new.insert("more", at: 30)

        let changes = LineChanges(from: old.joined(separator: "\n") + "\n", to: new.joined(separator: "\n") + "\n")

        #expect(changes.added == 2 && changes.removed == 1 && changes.leftOut == 0)
        #expect(changes.hunks.map(\.oldStart) == [2, 28] && changes.hunks.map(\.newStart) == [2, 28])
        #expect(changes.hunks.first?.lines.map(\.text) == ["line 2", "line 3", "line 4", "line 5", "other", "line 6", "line 7", "line 8"])
        #expect(LineChanges(from: "a\n", to: "a\n").hunks.isEmpty)
    }

    @Test("A long difference is cut, and says how much is left out")
    func long() {
        let changes = LineChanges(from: "", to: (0..<5_000).map { "\($0)" + String(repeating: "x", count: 1_000) }.joined(separator: "\n"))

        #expect(changes.added == 5_000 && changes.removed == 1)
        #expect(changes.leftOut > 4_000)
        #expect(changes.hunks.allSatisfy { $0.lines.allSatisfy { $0.text.utf8.count <= LineChanges.longestLine + 3 } })
    }

    @Test(
        "Two changes of one text are put together; the same place is marked",
        arguments: [
            ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC", 0), ("a\nb\nc", "a\nb\nc", "a\nc", "a\nc", 0),
            ("a\nb\nc", "a\nX\nc", "a\nX\nc", "a\nX\nc", 0), ("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n", 0),
            ("a\nb\nc", "a\nX\nc", "a\nY\nc", "a\n<<<<<<< theirs\nX\n=======\nY\n>>>>>>> mine\nc", 1),
            ("", "a", "b", "<<<<<<< theirs\na\n=======\nb\n>>>>>>> mine", 1),
        ])
    func merge(base: String, theirs: String, mine: String, merged: String, conflicts: Int) {
        let merge = LineMerge(base: base, theirs: (theirs, "theirs"), mine: (mine, "mine"))

        #expect(merge.text == merged)
        #expect(merge.conflicts == conflicts)
    }

    @Test(
        "A text from a form has the line breaks of the text that was edited",
        arguments: [
            ("a\r\nb\r\n", "x\n", "a\nb\n"), ("a\r\nb", "x\r\ny\r\n", "a\r\nb"), ("a\r\nb\r\n", "a\r\nb\n", "a\r\nb\n"), ("a\rb", nil, "a\nb"),
        ] as [(String, String?, String)])
    func breaks(sent: String, base: String?, restored: String) {
        #expect(Array(EditedText.restored(sent, like: base).utf8) == Array(restored.utf8))
    }
}
