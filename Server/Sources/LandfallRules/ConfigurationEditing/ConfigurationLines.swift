// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file, in lines that are counted as the parser counts them.
package struct ConfigurationLines: Sendable {
    let bytes: [UInt8]
    /// The first byte of each line.
    private let starts: [Int]
    /// The line break of the file's first line; `\n` if there is none.
    let lineBreak: String

    package init(_ text: String) {
        let bytes = Array(text.utf8)
        var starts = [0]
        var lineBreak: String?
        var offset = 0
        while offset < bytes.count {
            let length = Self.lineBreak(in: bytes, at: offset)
            offset += max(1, length)
            guard length > 0 else { continue }
            starts.append(offset)
            lineBreak = lineBreak ?? String(decoding: bytes[(offset - length)..<offset], as: UTF8.self)
        }
        self.bytes = bytes
        self.starts = starts
        self.lineBreak = lineBreak ?? "\n"
    }

    /// The length of the line break at this byte; 0 if there is none. The parser reads YAML 1.1, which has three line breaks
    /// that other formats do not have.
    private static func lineBreak(in bytes: [UInt8], at offset: Int) -> Int {
        func has(_ others: UInt8...) -> Bool { bytes[offset...].dropFirst().starts(with: others) }
        return switch bytes[offset] {
        case 0x0A: 1
        case 0x0D: has(0x0A) ? 2 : 1
        case 0xC2: has(0x85) ? 2 : 0
        case 0xE2: has(0x80, 0xA8) || has(0x80, 0xA9) ? 3 : 0
        default: 0
        }
    }

    var count: Int { starts.count }

    /// - Parameter line: counted from 0; the line after the last one begins where the file ends.
    func start(of line: Int) -> Int { line < starts.count ? starts[line] : bytes.count }

    /// The place of the line's break.
    func end(of line: Int) -> Int {
        var end = start(of: line + 1)
        guard line + 1 < starts.count else { return end }
        end -= 1
        if bytes[end] == 0x0A, end > starts[line], bytes[end - 1] == 0x0D { return end - 1 }
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// The number of the line, from 0.
    func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    func offset(of place: ConfigurationNode.Place) -> Int {
        var offset = start(of: place.line - 1)
        for _ in 1..<max(1, place.column) {
            guard offset < bytes.count else { break }
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// The number of spaces at the start of a line.
    func indentation(of line: Int) -> Int { bytes[start(of: line)..<end(of: line)].prefix { $0 == UInt8(ascii: " ") }.count }

    /// The number of bytes before this one in its line.
    func column(of offset: Int) -> Int { offset - start(of: line(of: offset)) }

    /// The first byte of a line that is neither space nor tab; nil for a blank line.
    func firstMark(in line: Int) -> UInt8? { bytes[start(of: line)..<end(of: line)].first { !$0.isBlank } }

    func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy(\.isBlank) }

    /// The first byte after spaces, tabs, comments and line breaks.
    func skipping(from offset: Int, to limit: Int) -> Int {
        var offset = offset
        while offset < limit {
            if bytes[offset].isBlank {
                offset += 1
            } else if isComment(offset) {
                offset = min(limit, end(of: line(of: offset)))
            } else {
                let length = Self.lineBreak(in: bytes, at: offset)
                guard length > 0 else { return offset }
                offset += length
            }
        }
        return limit
    }

    /// A comment begins with a number sign at the start of a line or after a blank.
    func isComment(_ offset: Int) -> Bool {
        bytes[offset] == UInt8(ascii: "#") && (offset == 0 || bytes[offset - 1].isBlank || start(of: line(of: offset)) == offset)
    }

    /// The byte after the closing quote of a text that opens here; nil if the text does not end.
    func endOfQuoted(from start: Int, limit: Int) -> Int? {
        let quote = bytes[start]
        var offset = start + 1
        while offset < limit {
            if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                offset += 2
            } else if bytes[offset] != quote {
                offset += 1
            } else if quote == UInt8(ascii: "'"), offset + 1 < limit, bytes[offset + 1] == quote {
                offset += 2
            } else {
                return offset + 1
            }
        }
        return nil
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
