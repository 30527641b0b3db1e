// SPDX-License-Identifier: Apache-2.0

/// The place of one entry of a mapping, or of one element of a list, in the text.
package struct ConfigurationExtent: Sendable {
    enum Form: Sendable {
        /// The entry has no value.
        case nothing
        /// The value is in brackets or braces, in quotes, an alias, or plain words.
        case inLine
        /// The value is a mapping or list in separate lines, or a text below `|` or `>`.
        case block
    }

    package let node: ConfigurationNode
    /// The first byte of the key, the dash, or the element between commas.
    let start: Int
    /// The first byte after the colon or the dash.
    let head: Int
    /// The bytes of the value, with its anchor; if there is no value, empty and at `head`.
    let value: Range<Int>
    let form: Form
    package let isAlias: Bool
    /// True between brackets or braces.
    let isInFlow: Bool
    /// No byte of the entry is here or later.
    let limit: Int
    /// The column of the key or dash.
    let column: Int
}

/// Finds the places of values in the text, by the places that the parser gave them and the bytes between.
package struct ConfigurationLayout: Sendable {
    package let lines: ConfigurationLines

    package init(lines: ConfigurationLines) {
        self.lines = lines
    }

    /// The whole file as if it were the value of something.
    func root(_ node: ConfigurationNode) -> ConfigurationExtent? {
        let limit = lines.bytes.count
        let start = lines.offset(of: node.place)
        return extent(of: node, start: start, head: start, column: -1, limit: limit, beginsAt: start)
    }

    /// Entries of a mapping or elements of a list: the text of their container is read once.
    /// - Returns: nil if one of them is not there, or is written in a form that is not supported here.
    func children(_ indices: [Int], of container: ConfigurationExtent) -> [ConfigurationExtent]? {
        guard !indices.isEmpty else { return [] }
        let found: [ConfigurationExtent]
        switch container.node.content {
        case .scalar: return nil
        case .mapping(let entries):
            guard indices.allSatisfy(entries.indices.contains) else { return nil }
            if let items = flowItems(container) {
                guard items.count == entries.count else { return nil }
                found = indices.map { flowEntry(items[$0], entries[$0].value) }
            } else {
                found = indices.compactMap { entry($0, among: entries, limit: container.limit) }
            }
        case .list(let elements):
            guard indices.allSatisfy(elements.indices.contains) else { return nil }
            if let items = flowItems(container) {
                guard items.count == elements.count else { return nil }
                found = indices.map { flowElement(items[$0].range, elements[$0]) }
            } else {
                let dashes = dashes(of: container)
                guard dashes.count == elements.count else { return nil }
                found = indices.compactMap { index in
                    let limit = index + 1 < dashes.count ? lineStart(dashes[index + 1]) : container.limit
                    guard dashes[index] < limit else { return nil }
                    return extent(
                        of: elements[index], start: dashes[index], head: dashes[index] + 1, column: lines.column(of: dashes[index]), limit: limit)
                }
            }
        }
        return found.count == indices.count ? found : nil
    }

    private func entry(_ index: Int, among entries: [ConfigurationNode.Entry], limit: Int) -> ConfigurationExtent? {
        let start = lines.offset(of: entries[index].keyPlace)
        let limit = index + 1 < entries.count ? lineStart(lines.offset(of: entries[index + 1].keyPlace)) : limit
        guard start < limit, let head = endOfKey(start, limit: limit) else { return nil }
        return extent(of: entries[index].value, start: start, head: head, column: lines.column(of: start), limit: limit)
    }

    /// The items between the brackets or braces of this value; nil if the value has none.
    func flowItems(_ container: ConfigurationExtent) -> [FlowItems.Item]? {
        let start = withoutProperties(container.value.lowerBound, limit: container.limit)
        guard start < container.limit, "[{".utf8.contains(lines.bytes[start]), container.form == .inLine else { return nil }
        return FlowItems(lines, from: start, limit: container.limit)?.items
    }

    private func flowElement(_ range: Range<Int>, _ node: ConfigurationNode) -> ConfigurationExtent {
        ConfigurationExtent(
            node: node, start: range.lowerBound, head: range.lowerBound, value: range, form: .inLine,
            isAlias: lines.bytes[range.lowerBound] == UInt8(ascii: "*"), isInFlow: true, limit: range.upperBound, column: 0)
    }

    private func flowEntry(_ item: FlowItems.Item, _ node: ConfigurationNode) -> ConfigurationExtent {
        let head = item.colon.map { $0 + 1 } ?? item.range.upperBound
        let start = min(lines.skipping(from: head, to: item.range.upperBound), item.range.upperBound)
        let value = start < item.range.upperBound ? start..<item.range.upperBound : head..<head
        return ConfigurationExtent(
            node: node, start: item.range.lowerBound, head: head, value: value, form: value.isEmpty ? .nothing : .inLine,
            isAlias: !value.isEmpty && lines.bytes[value.lowerBound] == UInt8(ascii: "*"), isInFlow: true, limit: item.range.upperBound,
            column: 0)
    }

    /// - Parameter limit: the start of a line, or the end of the file.
    private func extent(
        of node: ConfigurationNode, start: Int, head: Int, column: Int, limit: Int, beginsAt: Int? = nil
    ) -> ConfigurationExtent? {
        func found(_ value: Range<Int>, _ form: ConfigurationExtent.Form, isAlias: Bool = false) -> ConfigurationExtent {
            ConfigurationExtent(
                node: node, start: start, head: head, value: value, form: form, isAlias: isAlias, isInFlow: false, limit: limit,
                column: column)
        }
        let first = beginsAt ?? lines.skipping(from: head, to: limit)
        if isNothing(node), first == limit || isEndOfDocument(first) { return found(head..<head, .nothing) }
        let mark = withoutProperties(first, limit: limit)
        if mark == limit { return isNothing(node) ? found(first..<endOfWords(first, limit: limit), .inLine) : nil }
        let byte = lines.bytes[mark]
        if byte == UInt8(ascii: "*"), beginsAt == nil {
            return found(first..<endOfWord(mark, limit: limit), .inLine, isAlias: true)
        }
        switch node.content {
        case .mapping(let entries) where byte != UInt8(ascii: "{"):
            let block = found(first..<limit, .block)
            guard let last = children([entries.count - 1], of: block)?.first else { return nil }
            return found(first..<max(first, last.value.upperBound), .block)
        case .list(let elements) where byte != UInt8(ascii: "["):
            let block = found(first..<limit, .block)
            guard let last = children([elements.count - 1], of: block)?.first else { return nil }
            return found(first..<max(first, last.value.upperBound), .block)
        case .mapping, .list:
            return FlowItems(lines, from: mark, limit: limit).map { found(first..<$0.end, .inLine) }
        case .scalar where byte.isQuote:
            return lines.endOfQuoted(from: mark, limit: limit).map { found(first..<$0, .inLine) }
        case .scalar where byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">"):
            return found(first..<endOfBlockText(mark, column: column, limit: limit), .block)
        case .scalar: return found(first..<endOfWords(mark, limit: limit), .inLine)
        }
    }

    private func isNothing(_ node: ConfigurationNode) -> Bool {
        if case .scalar("", isQuoted: false) = node.content { true } else { false }
    }

    private func lineStart(_ offset: Int) -> Int { lines.start(of: lines.line(of: offset)) }

    /// The byte after the colon of a key.
    private func endOfKey(_ start: Int, limit: Int) -> Int? {
        var offset = start
        if lines.bytes[start].isQuote {
            guard let end = lines.endOfQuoted(from: start, limit: limit) else { return nil }
            offset = end
        } else if "?&!*".utf8.contains(lines.bytes[start]) {
            return nil
        } else {
            let end = lines.end(of: lines.line(of: start))
            while offset < end, lines.bytes[offset] != UInt8(ascii: ":") || offset + 1 < end && !lines.bytes[offset + 1].isBlank {
                offset += 1
            }
        }
        while offset < limit, lines.bytes[offset].isBlank { offset += 1 }
        return offset < limit && lines.bytes[offset] == UInt8(ascii: ":") ? offset + 1 : nil
    }

    /// The dashes of a list in lines: each dash is in the column of the first.
    private func dashes(of list: ConfigurationExtent) -> [Int] {
        let first = withoutProperties(list.value.lowerBound, limit: list.limit)
        let column = lines.column(of: first)
        var dashes = [first]
        var line = lines.line(of: first) + 1
        while line < lines.count, lines.start(of: line) < list.limit {
            let dash = lines.start(of: line) + column
            if lines.indentation(of: line) == column, lines.firstMark(in: line) == UInt8(ascii: "-"),
                dash + 1 >= lines.end(of: line) || lines.bytes[dash + 1].isBlank
            {
                dashes.append(dash)
            }
            line += 1
        }
        return dashes
    }

    /// The byte after an anchor and a tag.
    private func withoutProperties(_ start: Int, limit: Int) -> Int {
        var offset = start
        while offset < limit, lines.bytes[offset] == UInt8(ascii: "&") || lines.bytes[offset] == UInt8(ascii: "!") {
            offset = lines.skipping(from: endOfWord(offset, limit: limit), to: limit)
        }
        return offset
    }

    private func endOfWord(_ start: Int, limit: Int) -> Int {
        let end = min(limit, lines.end(of: lines.line(of: start)))
        return lines.bytes[start..<end].firstIndex(where: \.isBlank) ?? end
    }

    /// The byte after plain words, which may continue in further lines, up to a comment.
    private func endOfWords(_ start: Int, limit: Int) -> Int {
        var end = start
        var line = lines.line(of: start)
        var from = start
        while from < limit {
            let lineEnd = min(limit, lines.end(of: line))
            let comment = (from..<max(from, lineEnd)).first { lines.isComment($0) }
            let last = lines.bytes[from..<(comment ?? max(from, lineEnd))].lastIndex { !$0.isBlank }
            if let last, !isEndOfDocument(from) { end = last + 1 }
            if comment != nil || isEndOfDocument(from) { return end }
            line += 1
            guard line < lines.count else { return end }
            from = lines.start(of: line)
        }
        return end
    }

    private func isEndOfDocument(_ offset: Int) -> Bool {
        lines.bytes[offset...].starts(with: "...".utf8) && lineStart(offset) == offset
    }

    /// The byte after a text below `|` or `>`: its lines are blank, or indented at least as far as the first of them.
    private func endOfBlockText(_ start: Int, column: Int, limit: Int) -> Int {
        let headLine = lines.line(of: start)
        let header = lines.bytes[start..<lines.end(of: headLine)].prefix { !$0.isBlank }
        var indentation = header.first { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
            .map { max(0, column) + Int($0 - UInt8(ascii: "0")) }
        let keepsBlankLines = header.contains(UInt8(ascii: "+"))
        var end = lines.end(of: headLine)
        var line = headLine + 1
        while line < lines.count, lines.start(of: line) < limit {
            if lines.isBlank(lines.start(of: line)..<lines.end(of: line)) {
                if keepsBlankLines, lines.start(of: line) < lines.bytes.count { end = lines.end(of: line) }
            } else {
                let own = lines.indentation(of: line)
                if indentation == nil { indentation = max(own, column + 1) }
                guard own >= indentation ?? 0 else { break }
                end = lines.end(of: line)
            }
            line += 1
        }
        return end
    }
}
