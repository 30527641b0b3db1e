// SPDX-License-Identifier: Apache-2.0

/// Two changes of one text in one text, by lines. Places that both changed, and differently, are marked as other tools mark them.
struct LineMerge: Sendable {
    let text: String
    /// How many places are marked.
    let conflicts: Int

    /// - Parameters:
    ///   - theirs: one side, with its name in marks.
    ///   - mine: the other side.
    init(base: String, theirs: (text: String, name: String), mine: (text: String, name: String)) {
        var numbering = TextLines.Numbering()
        let base = numbering.lines(of: base), other = numbering.lines(of: theirs.text), own = numbering.lines(of: mine.text)
        let inOther = LineDifference(from: base, to: other).stays, inOwn = LineDifference(from: base, to: own).stays
        var lines: [String] = [], conflicts = 0
        var (baseStart, otherStart, ownStart) = (0, 0, 0)

        /// The lines up to the next ones that both sides keep.
        func add(_ baseEnd: Int, _ otherEnd: Int, _ ownEnd: Int) {
            let before = base.numbers[baseStart..<baseEnd]
            let after = other.numbers[otherStart..<otherEnd], wanted = own.numbers[ownStart..<ownEnd]
            if wanted.elementsEqual(before) || wanted.elementsEqual(after) {
                lines += other.texts[otherStart..<otherEnd]
            } else if after.elementsEqual(before) {
                lines += own.texts[ownStart..<ownEnd]
            } else {
                conflicts += 1
                lines.append("<<<<<<< " + theirs.name)
                lines += other.texts[otherStart..<otherEnd]
                lines.append("=======")
                lines += own.texts[ownStart..<ownEnd]
                lines.append(">>>>>>> " + mine.name)
            }
        }

        for line in base.numbers.indices {
            guard let otherLine = inOther[line], let ownLine = inOwn[line] else { continue }
            add(line, otherLine, ownLine)
            lines.append(base.texts[line])
            (baseStart, otherStart, ownStart) = (line + 1, otherLine + 1, ownLine + 1)
        }
        add(base.numbers.count, other.numbers.count, own.numbers.count)
        text = lines.joined(separator: "\n")
        self.conflicts = conflicts
    }
}
