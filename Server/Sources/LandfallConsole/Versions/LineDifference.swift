// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The lines of texts. Lines of the same bytes have the same number.
struct TextLines: Sendable {
    let texts: [String]
    let numbers: [Int]

    /// Gives the same numbers to the lines of several texts.
    struct Numbering: Sendable {
        private var known: [ExactText: Int] = [:]

        mutating func lines(of text: String) -> TextLines {
            let texts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
            var numbers: [Int] = []
            numbers.reserveCapacity(texts.count)
            for text in texts {
                let number = known[ExactText(text)] ?? known.count
                known[ExactText(text)] = number
                numbers.append(number)
            }
            return TextLines(texts: texts, numbers: numbers)
        }
    }
}

/// Which lines of a text stay in another one: the longest common subsequence, by Myers' algorithm, whose memory is linear in the
/// number of lines.
///
/// The work has a bound. Where it is used up, the lines in question count as replaced, which is right too, only longer.
struct LineDifference: Sendable {
    /// How many places the search looks at.
    static let mostSteps = 4_000_000

    /// For each old line the new line that it is; nil if the new text lacks it.
    private(set) var stays: [Int?]

    private let old: [Int]
    private let new: [Int]
    private var steps: Int

    init(from old: TextLines, to new: TextLines, mostSteps: Int = LineDifference.mostSteps) {
        self.init(from: old.numbers, to: new.numbers, mostSteps: mostSteps)
    }

    init(from old: [Int], to new: [Int], mostSteps: Int = LineDifference.mostSteps) {
        self.old = old
        self.new = new
        steps = mostSteps
        stays = Array(repeating: nil, count: old.count)
        compare(old.indices, new.indices)
    }

    private mutating func compare(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
        var (start, end) = ((oldRange.lowerBound, newRange.lowerBound), (oldRange.upperBound, newRange.upperBound))
        while start.0 < end.0, start.1 < end.1, old[start.0] == new[start.1] {
            stays[start.0] = start.1
            start = (start.0 + 1, start.1 + 1)
        }
        while start.0 < end.0, start.1 < end.1, old[end.0 - 1] == new[end.1 - 1] {
            end = (end.0 - 1, end.1 - 1)
            stays[end.0] = end.1
        }
        guard start.0 < end.0, start.1 < end.1, let middle = middle(start.0..<end.0, start.1..<end.1) else { return }
        for (line, other) in zip(middle.old, middle.new) { stays[line] = other }
        compare(start.0..<middle.old.lowerBound, start.1..<middle.new.lowerBound)
        compare(middle.old.upperBound..<end.0, middle.new.upperBound..<end.1)
    }

    /// Equal lines in the middle of a shortest way from one text to the other, perhaps none; searched from both ends.
    /// - Returns: nil if the bound is reached.
    private mutating func middle(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> (old: Range<Int>, new: Range<Int>)? {
        let rows = oldRange.count, columns = newRange.count, delta = rows - columns
        let isOdd = !(rows + columns).isMultiple(of: 2)
        // The diagonals go from -columns to rows; each has the furthest old line that was reached on it.
        let zero = columns + 1
        var forward = [Int](repeating: 0, count: rows + columns + 3), backward = forward
        for edits in 0...(rows + columns + 1) / 2 {
            let lowest = -(edits - 2 * max(0, edits - columns)), highest = edits - 2 * max(0, edits - rows)
            for diagonal in stride(from: lowest, through: highest, by: 2) {
                let isDown = diagonal == -edits || diagonal != edits && forward[zero + diagonal - 1] < forward[zero + diagonal + 1]
                let first = isDown ? forward[zero + diagonal + 1] : forward[zero + diagonal - 1] + 1
                var row = first
                while row < rows, row - diagonal < columns,
                    old[oldRange.lowerBound + row] == new[newRange.lowerBound + row - diagonal]
                { row += 1 }
                forward[zero + diagonal] = row
                steps -= 1 + row - first
                let other = delta - diagonal
                if isOdd, other.magnitude < edits, row + backward[zero + other] >= rows {
                    let column = newRange.lowerBound - diagonal
                    return (oldRange.lowerBound + first..<oldRange.lowerBound + row, column + first..<column + row)
                }
            }
            for diagonal in stride(from: lowest, through: highest, by: 2) {
                let isDown = diagonal == -edits || diagonal != edits && backward[zero + diagonal - 1] < backward[zero + diagonal + 1]
                let first = isDown ? backward[zero + diagonal + 1] : backward[zero + diagonal - 1] + 1
                var row = first
                while row < rows, row - diagonal < columns,
                    old[oldRange.upperBound - 1 - row] == new[newRange.upperBound - 1 - row + diagonal]
                { row += 1 }
                backward[zero + diagonal] = row
                steps -= 1 + row - first
                let other = delta - diagonal
                if !isOdd, other.magnitude <= edits, row + forward[zero + other] >= rows {
                    let column = newRange.upperBound + diagonal
                    return (oldRange.upperBound - row..<oldRange.upperBound - first, column - row..<column - first)
                }
            }
            guard steps > 0 else { return nil }
        }
        return nil
    }
}
