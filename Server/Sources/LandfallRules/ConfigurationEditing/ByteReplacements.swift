// SPDX-License-Identifier: Apache-2.0

/// Replaces bytes of a file. All other bytes stay.
struct ByteReplacements: Sendable {
    let lines: ConfigurationLines
    private var changes: [(range: Range<Int>, text: String)] = []

    init(_ lines: ConfigurationLines) { self.lines = lines }

    /// Nil if two changes are about the same bytes.
    var result: [UInt8]? {
        var result: [UInt8] = []
        var copied = 0
        // Texts for the same place stay in the order in which they came.
        let ordered = changes.enumerated().sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
        for (_, change) in ordered {
            guard copied <= change.range.lowerBound else { return nil }
            result += lines.bytes[copied..<change.range.lowerBound]
            result += change.text.utf8
            copied = change.range.upperBound
        }
        return result + lines.bytes[copied...]
    }

    var hasChanges: Bool { !changes.isEmpty }

    var firstChange: Int { changes.lazy.map(\.range.lowerBound).min() ?? 0 }

    mutating func put(_ text: String, in range: Range<Int>) { changes.append((range, text)) }

    // MARK: Setting

    mutating func replace(_ place: ConfigurationExtent, with value: ConfigurationValue) {
        guard !place.isInFlow else { return replaceInFlow(place, value) }
        let isElement = lines.bytes[place.start] == UInt8(ascii: "-") && place.head == place.start + 1
        var text = value.text(indentation: indentation(below: place, isElement: isElement))
        let beginsBelow = lines.line(of: place.value.lowerBound) > lines.line(of: place.head)
        // An entry that was in one line stays in one line if possible.
        if place.form == .inLine, !text.body.isEmpty, place.hasBrackets(lines), place.node.count != 0, !isLarge(value) {
            text = ConfigurationValueText(head: value.inLine)
        }
        if isElement, text.head.isEmpty, let first = text.body.first {
            text.head = String(first.drop { $0 == " " })
            text.body.removeFirst()
        }
        if beginsBelow, place.form == .inLine, text.body.isEmpty { return put(text.head, in: place.value) }
        if !beginsBelow { return replaceBehindHead(place, text) }
        if !text.head.isEmpty { put(" " + text.head, in: place.head..<place.head) }
        let first = lines.start(of: lines.line(of: place.value.lowerBound))
        let end = lines.endWithComments(place)
        if text.body.isEmpty {
            put("", in: first..<lines.start(of: lines.line(of: end) + 1))
        } else {
            put(text.body.joined(separator: lines.lineBreak), in: first..<end)
        }
    }

    private mutating func replaceBehindHead(_ place: ConfigurationExtent, _ text: ConfigurationValueText) {
        let space = place.form == .nothing ? " " : String(decoding: lines.bytes[place.head..<place.value.lowerBound], as: UTF8.self)
        let end = place.form == .block ? lines.endWithComments(place) : place.value.upperBound
        put(text.head.isEmpty ? "" : (space.isEmpty ? " " : space) + text.head, in: place.head..<end)
        guard !text.body.isEmpty else { return }
        let lineEnd = lines.end(of: lines.line(of: end))
        put(lines.lineBreak + text.body.joined(separator: lines.lineBreak), in: lineEnd..<lineEnd)
    }

    private mutating func replaceInFlow(_ place: ConfigurationExtent, _ value: ConfigurationValue) {
        guard place.form == .nothing else { return put(value.inLine, in: place.value) }
        let hasColon = place.head > place.start && lines.bytes[place.head - 1] == UInt8(ascii: ":")
        var end = place.head
        while end < lines.bytes.count, lines.bytes[end].isBlank { end += 1 }
        if end == lines.bytes.count || lines.bytes[end] != UInt8(ascii: ",") { end = place.head }
        put((hasColon ? " " : ": ") + value.inLine, in: place.head..<end)
    }

    /// The indentation of lines below a key or a dash.
    private func indentation(below place: ConfigurationExtent, isElement: Bool) -> Int {
        if place.form == .block, "|>".utf8.contains(lines.bytes[place.value.lowerBound]) == false, place.value.lowerBound > place.head {
            return lines.column(of: place.value.lowerBound)
        }
        return max(0, place.column) + 2
    }

    private func isLarge(_ value: ConfigurationValue) -> Bool { value.inLine.utf8.count > 100 }

    // MARK: Adding

    mutating func add(_ member: ConfigurationValue.Member, behind last: ConfigurationExtent) {
        if last.isInFlow {
            let text = ", \(ConfigurationValue.scalar(member.name, inFlow: true)): \(member.value.inLine)"
            return put(text, in: last.limit..<last.limit)
        }
        let margin = String(repeating: " ", count: last.column)
        let key = margin + ConfigurationValue.scalar(member.name, inFlow: false) + ":"
        addLines(member.value.lines(after: key, indentation: last.column + 2), behind: last)
    }

    mutating func add(_ element: ConfigurationValue, behind last: ConfigurationExtent) {
        guard !last.isInFlow else { return put(", " + element.inLine, in: last.limit..<last.limit) }
        let dash = String(repeating: " ", count: last.column) + "-"
        addLines(element.lines(after: dash, indentation: last.column + 2, isElement: true), behind: last)
    }

    private mutating func addLines(_ added: [String], behind last: ConfigurationExtent) {
        let end = lines.end(of: lines.line(of: max(lines.endWithComments(last), last.value.upperBound)))
        put(lines.lineBreak + added.joined(separator: lines.lineBreak), in: end..<end)
    }

    // MARK: Removing

    /// - Parameter removed: some entries of one mapping or list, in the order of the file.
    /// - Returns: false if the lines cannot be removed.
    mutating func remove(_ removed: [(index: Int, place: ConfigurationExtent)], from parent: ConfigurationExtent) -> Bool {
        if removed.count == parent.node.count {
            guard parent.column >= 0 || parent.isInFlow || parent.form == .inLine else { return false }
            replace(parent, with: parent.node.isList ? .list([]) : .mapping([]))
            return true
        }
        var rest = removed[...]
        while let first = rest.first {
            // Those that follow each other are removed together where they share a line or commas.
            var count = 1
            while count < rest.count, rest[rest.startIndex + count].index == first.index + count { count += 1 }
            let together = rest.prefix(count).map(\.place)
            rest = rest.dropFirst(count)
            if first.place.isInFlow { removeFromFlow(together) } else if !removeLines(together) { return false }
        }
        return true
    }

    /// - Parameter places: of entries that follow each other.
    private mutating func removeLines(_ places: [ConfigurationExtent]) -> Bool {
        // If something is before the first one on its line, that is a dash: the next entry that stays takes its place there.
        guard let first = places.first, !lines.isBlank(lines.start(of: lines.line(of: first.start))..<first.start) else {
            for place in places { put("", in: lines.start(of: lines.line(of: place.start))..<startOfNextLine(place)) }
            return true
        }
        var end = first.start
        for place in places {
            let after = startOfNextLine(place)
            let isNextKey = after < place.limit || lines.line(of: after) > lines.line(of: lines.endWithComments(place))
            guard isNextKey, after < lines.bytes.count, let mark = lines.firstMark(in: lines.line(of: after)), mark != UInt8(ascii: "#") else {
                return false
            }
            end = after + lines.indentation(of: lines.line(of: after))
        }
        put("", in: first.start..<end)
        return true
    }

    private func startOfNextLine(_ place: ConfigurationExtent) -> Int { lines.start(of: lines.line(of: lines.endWithComments(place)) + 1) }

    /// - Parameter places: of entries that follow each other, with the commas between.
    private mutating func removeFromFlow(_ places: [ConfigurationExtent]) {
        guard let first = places.first, let last = places.last else { return }
        var start = first.start
        var end = last.limit
        while end < lines.bytes.count, lines.bytes[end].isBlank { end += 1 }
        if end < lines.bytes.count, lines.bytes[end] == UInt8(ascii: ",") {
            end += 1
            while end < lines.bytes.count, lines.bytes[end].isBlank { end += 1 }
        } else {
            end = last.limit
            while start > 0, lines.bytes[start - 1].isBlank { start -= 1 }
            if start > 0, lines.bytes[start - 1] == UInt8(ascii: ",") { start -= 1 } else { start = first.start }
            if start == first.start { while end < lines.bytes.count, lines.bytes[end].isBlank { end += 1 } }
        }
        // If the lines have nothing else, they are removed too.
        let line = lines.line(of: end)
        if lines.isBlank(lines.start(of: lines.line(of: start))..<start), end == lines.end(of: line) {
            (start, end) = (lines.start(of: lines.line(of: start)), lines.start(of: line + 1))
        }
        put("", in: start..<end)
    }
}

extension ConfigurationExtent {
    fileprivate func hasBrackets(_ lines: ConfigurationLines) -> Bool {
        !value.isEmpty && "[{".utf8.contains(lines.bytes[value.lowerBound])
    }
}

extension ConfigurationNode {
    /// Of the entries or elements; nil for a scalar.
    fileprivate var count: Int? {
        switch content {
        case .list(let elements): elements.count
        case .mapping(let entries): entries.count
        case .scalar: nil
        }
    }
}
