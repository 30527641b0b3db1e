// SPDX-License-Identifier: Apache-2.0

/// The items between the brackets or braces of one value of the file, found in one pass.
struct FlowItems: Sendable {
    struct Item: Sendable {
        /// The bytes of the item, without blanks and comments around it.
        var range: Range<Int>
        /// For an entry of a mapping: the colon after its key.
        var colon: Int?
    }

    private(set) var items: [Item] = []
    /// The byte after the closing bracket.
    private(set) var end = 0

    /// Nil if the brackets do not close before the limit.
    init?(_ lines: ConfigurationLines, from start: Int, limit: Int) {
        var depth = 0
        var current: Item?
        // A quote or an indicator counts only at a place where a value may begin: the quote in `it's` is a letter.
        var mayBegin = true
        var offset = start
        func take(to end: Int) {
            guard depth == 1 else { return }
            current = Item(range: (current?.range.lowerBound ?? offset)..<end, colon: current?.colon)
        }
        while offset < limit {
            let byte = lines.bytes[offset]
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                take(to: offset + 1)
                depth += 1
                mayBegin = true
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 {
                    if let current { items.append(current) }
                    end = offset + 1
                    return
                }
                take(to: offset + 1)
                mayBegin = false
            case UInt8(ascii: ","):
                if depth == 1 {
                    guard let item = current else { return nil }
                    items.append(item)
                    current = nil
                }
                mayBegin = true
            case _ where byte.isQuote && mayBegin:
                guard let end = lines.endOfQuoted(from: offset, limit: limit) else { return nil }
                take(to: end)
                offset = end
                mayBegin = false
                continue
            case UInt8(ascii: "#") where lines.isComment(offset):
                offset = lines.skipping(from: offset, to: limit)
                continue
            case UInt8(ascii: ":"):
                take(to: offset + 1)
                if depth == 1, current?.colon == nil, isColon(offset, lines.bytes, limit) { current?.colon = offset }
                mayBegin = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            default:
                take(to: offset + 1)
                mayBegin = false
            }
            offset += 1
        }
        return nil
    }
}

/// A colon ends a key if a blank, the end of a line or an indicator follows, and after quotes.
private func isColon(_ offset: Int, _ bytes: [UInt8], _ limit: Int) -> Bool {
    guard offset + 1 < limit else { return true }
    return " \t\r\n,[]{}".utf8.contains(bytes[offset + 1]) || offset > 0 && bytes[offset - 1].isQuote
}
