// SPDX-License-Identifier: Apache-2.0

extension ConfigurationLines {
    /// The byte after the comments that directly follow a value of several lines and are indented further than its key.
    func endWithComments(_ place: ConfigurationExtent) -> Int {
        var end = place.value.upperBound
        guard place.form == .block else { return end }
        var line = self.line(of: end)
        let last = line
        while line < count, start(of: line) < place.limit {
            if line == last || firstMark(in: line) == UInt8(ascii: "#") && indentation(of: line) > place.column {
                end = self.end(of: line)
            } else {
                break
            }
            line += 1
        }
        return end
    }

    /// The bytes of an entry with its key or dash. Outside of brackets these are whole lines, with the comments behind the values.
    func bytes(of place: ConfigurationExtent) -> Range<Int> {
        guard !place.isInFlow else { return place.start..<max(place.start, place.value.upperBound) }
        let end = max(place.head, endWithComments(place))
        return place.start..<max(place.start, self.end(of: line(of: end)))
    }

    /// The text of an entry, without the indentation of its lines. A line break of the file becomes `\n`.
    package func text(of place: ConfigurationExtent) -> String {
        let range = bytes(of: place)
        let first = line(of: range.lowerBound), last = line(of: range.upperBound)
        var text: [UInt8] = []
        for line in first...last {
            let start = line == first ? range.lowerBound : self.start(of: line) + min(indentation(of: line), max(0, column(of: place.start)))
            if line != first { text.append(UInt8(ascii: "\n")) }
            text += bytes[start..<max(start, line == last ? range.upperBound : end(of: line))]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ConfigurationLayout {
    /// The place of an entry in the text.
    package func place(of path: ConfigurationEditPath, in tree: ConfigurationNode) throws(ConfigurationEditRefusal) -> ConfigurationExtent {
        guard var place = root(tree) else { throw .unclear(path, line: 1) }
        for step in path.steps {
            let line = lines.line(of: place.start) + 1
            if place.isAlias { throw .repeated(path, line: line, definedIn: place.node.place.line) }
            guard let index = place.node.index(of: step) else { throw .absent(path) }
            guard let next = children([index], of: place)?.first else { throw .unclear(path, line: line) }
            place = next
        }
        return place
    }
}
