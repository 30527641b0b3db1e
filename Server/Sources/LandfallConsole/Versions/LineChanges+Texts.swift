// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension LineChanges {
    /// Unchanged lines around a change.
    static let context = 3
    /// Further lines are only counted.
    static let mostLines = 600
    /// Bytes of a line; the rest of it is left out.
    static let longestLine = 300

    init(from old: String, to new: String) {
        var numbering = TextLines.Numbering()
        let old = numbering.lines(of: old), new = numbering.lines(of: new)
        let stays = LineDifference(from: old, to: new).stays
        var gathering = HunkBuilder(old: old, new: new)
        var next = 0
        for line in stays.indices {
            guard let other = stays[line] else {
                gathering.remove(line, before: next)
                continue
            }
            while next < other {
                gathering.add(next, before: line)
                next += 1
            }
            gathering.keep(line, next)
            next += 1
        }
        while next < new.texts.count {
            gathering.add(next, before: old.texts.count)
            next += 1
        }
        self = gathering.changes
    }
}

/// Collects the lines of hunks in the order of the texts.
private struct HunkBuilder {
    let old: TextLines
    let new: TextLines
    private var hunks: [LineChanges.Hunk] = []
    private var lineCount = 0
    private var added = 0
    private var removed = 0
    private var leftOut = 0
    /// Unchanged lines since the last change.
    private var kept: [String] = []
    private var isOpen = false

    init(old: TextLines, new: TextLines) {
        self.old = old
        self.new = new
    }

    var changes: LineChanges { LineChanges(hunks: hunks, added: added, removed: removed, leftOut: leftOut) }

    mutating func keep(_ line: Int, _ other: Int) {
        // The text after the last line break is not a line.
        if line == old.texts.count - 1, other == new.texts.count - 1, old.texts[line].isEmpty { return }
        let text = Self.shown(old.texts[line])
        if isOpen, kept.count < LineChanges.context {
            hunks[hunks.count - 1].lines.append(.init(.same, text))
            lineCount += 1
        }
        kept.append(text)
        // The next change is so far that it begins a hunk of its own.
        if kept.count > 2 * LineChanges.context { isOpen = false }
        if kept.count > 4 * LineChanges.context { kept.removeFirst(2 * LineChanges.context) }
    }

    mutating func remove(_ line: Int, before other: Int) {
        removed += 1
        change(.init(.removed, Self.shown(old.texts[line])), at: (line, other))
    }

    mutating func add(_ line: Int, before other: Int) {
        added += 1
        change(.init(.added, Self.shown(new.texts[line])), at: (other, line))
    }

    private mutating func change(_ line: LineChanges.Line, at place: (old: Int, new: Int)) {
        guard lineCount < LineChanges.mostLines else {
            leftOut += 1
            return
        }
        if isOpen {
            // The first lines of the gap are in the hunk already.
            for text in kept.dropFirst(LineChanges.context) { hunks[hunks.count - 1].lines.append(.init(.same, text)) }
        } else {
            let before = kept.suffix(LineChanges.context)
            hunks.append(
                .init(
                    oldStart: place.old - before.count + 1, newStart: place.new - before.count + 1,
                    lines: before.map { .init(.same, $0) }))
        }
        hunks[hunks.count - 1].lines.append(line)
        lineCount += 1
        kept = []
        isOpen = true
    }

    private static func shown(_ line: String) -> String {
        line.utf8.count > LineChanges.longestLine ? line.cut(toBytes: LineChanges.longestLine) + "…" : line
    }
}
