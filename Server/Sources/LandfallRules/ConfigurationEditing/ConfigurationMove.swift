// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Moves an element of a list to another index; the elements between move by one and keep their text. The comments directly above an
/// element, in its column, and behind its values move with it; all other bytes stay.
package struct ConfigurationMove: Hashable, Sendable {
    package let list: ConfigurationEditPath
    /// Its present and its new position, from 0.
    package let from: Int, to: Int

    package init(list: ConfigurationEditPath, from: Int, to: Int) {
        (self.list, self.from, self.to) = (list, from, to)
    }

    package func applied(to text: String) throws(ConfigurationEditRefusal) -> String {
        let old = try ConfigurationEdit.tree(text)
        let layout = ConfigurationLayout(lines: ConfigurationLines(text))
        let place = try layout.place(of: list, in: old)
        let line = layout.lines.line(of: place.start) + 1
        if place.isAlias { throw .repeated(list, line: line, definedIn: place.node.place.line) }
        guard case .list(var moved) = place.node.content, from != to, moved.indices.contains(from), moved.indices.contains(to) else {
            throw .absent(list)
        }
        moved.insert(moved.remove(at: from), at: to)
        let concerned = min(from, to)...max(from, to)
        var order = Array(0..<concerned.count)
        order.insert(order.remove(at: from - concerned.lowerBound), at: to - concerned.lowerBound)
        var writing = ByteReplacements(layout.lines)
        guard let extents = layout.children(Array(concerned), of: place), writing.put(extents, inOrder: order), let bytes = writing.result else {
            throw .unclear(list, line: line)
        }
        let new = String(decoding: bytes, as: UTF8.self)
        let expected = ConfigurationNode(place: place.node.place, content: .list(moved))
        guard let tree = try? ConfigurationEdit.tree(new), tree.saysTheSame(as: old, with: expected, at: list.steps[...]) else {
            throw .entangled(list, line: layout.lines.line(of: writing.firstChange) + 1)
        }
        return new
    }
}

/// Writes an entry anew, from the text that people wrote for it: with its key, and in the form in which the file is to have it.
package struct ConfigurationEntryWriter: Hashable, Sendable {
    /// Ends with the entry's key.
    package let path: ConfigurationEditPath
    /// Without the indentation of the file.
    package let entry: String

    package init(path: ConfigurationEditPath, entry: String) {
        (self.path, self.entry) = (path, entry)
    }

    package func applied(to text: String) throws(ConfigurationEditRefusal) -> String {
        let old = try ConfigurationEdit.tree(text)
        // A text below `|` ends with a line break where one follows it.
        let written = try ConfigurationEdit.tree(entry + "\n")
        guard case .key(let key)? = path.steps.last, case .mapping(let entries) = written.content, entries.count == 1,
            entries[0].key.hasSameBytes(as: key)
        else { throw .absent(path) }
        let value = entries[0].value
        let layout = ConfigurationLayout(lines: ConfigurationLines(text))
        let place = try layout.place(of: path, in: old)
        if place.isInFlow {
            guard let plain = ConfigurationValue(value) else { throw .unclear(path, line: layout.lines.line(of: place.start) + 1) }
            return try ConfigurationEdit.set(path, to: plain).applied(to: text)
        }
        var writing = ByteReplacements(layout.lines)
        writing.write(entry, at: place)
        let new = writing.result.map { String(decoding: $0, as: UTF8.self) }
        guard let new, let tree = try? ConfigurationEdit.tree(new), tree.saysTheSame(as: old, with: value, at: path.steps[...]) else {
            throw .entangled(path, line: layout.lines.line(of: place.start) + 1)
        }
        return new
    }
}

extension ByteReplacements {
    /// Puts each element where one of them is.
    /// - Parameters:
    ///   - elements: in the order of the file.
    ///   - order: the number of the element that comes to each place.
    /// - Returns: false if an element shares its first line with something else.
    fileprivate mutating func put(_ elements: [ConfigurationExtent], inOrder order: [Int]) -> Bool {
        let places = elements.compactMap { lines.movable($0) }
        guard places.count == elements.count, zip(places, places.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else {
            return false
        }
        for (place, element) in zip(places, order) { put(String(decoding: lines.bytes[places[element]], as: UTF8.self), in: place) }
        return true
    }

    fileprivate mutating func write(_ entry: String, at place: ConfigurationExtent) {
        let written = ConfigurationLines(entry)
        var texts = (0..<written.count).map { String(decoding: written.bytes[written.start(of: $0)..<written.end(of: $0)], as: UTF8.self) }
        while texts.last?.utf8.allSatisfy(\.isBlank) == true { texts.removeLast() }
        let margin = String(repeating: " ", count: max(0, place.column))
        let indented = texts.enumerated().map { $0 == 0 || $1.isEmpty ? $1 : margin + $1 }
        put(indented.joined(separator: lines.lineBreak), in: lines.bytes(of: place))
    }
}

extension ConfigurationLines {
    /// The bytes that move with an element: from its comments to the end of its last line.
    fileprivate func movable(_ element: ConfigurationExtent) -> Range<Int>? {
        let range = bytes(of: element)
        guard !element.isInFlow else { return range }
        var first = line(of: range.lowerBound)
        guard isBlank(start(of: first)..<range.lowerBound) else { return nil }
        while first > 0, firstMark(in: first - 1) == UInt8(ascii: "#"), indentation(of: first - 1) == element.column { first -= 1 }
        return start(of: first)..<range.upperBound
    }
}

extension ConfigurationNode {
    /// True if this is the other file with another value at the path.
    fileprivate func saysTheSame(
        as old: ConfigurationNode, with value: ConfigurationNode, at steps: ArraySlice<ConfigurationEditPath.Step>
    ) -> Bool {
        guard let step = steps.first else { return saysTheSame(as: value) }
        guard let index = old.index(of: step) else { return false }
        switch (content, old.content) {
        case (.mapping(let entries), .mapping(let others)):
            return entries.count == others.count
                && zip(entries, others).enumerated().allSatisfy { number, pair in
                    pair.0.key.hasSameBytes(as: pair.1.key)
                        && (number == index
                            ? pair.0.value.saysTheSame(as: pair.1.value, with: value, at: steps.dropFirst())
                            : pair.0.value.saysTheSame(as: pair.1.value))
                }
        case (.list(let elements), .list(let others)):
            return elements.count == others.count
                && zip(elements, others).enumerated().allSatisfy { number, pair in
                    number == index
                        ? pair.0.saysTheSame(as: pair.1, with: value, at: steps.dropFirst()) : pair.0.saysTheSame(as: pair.1)
                }
        default: return false
        }
    }
}
