// SPDX-License-Identifier: Apache-2.0
/// Finds keys that are made of aliases, before the parser sees them.
///
/// The parser hashes keys as whole trees to find duplicates. A key of nested aliases is a tree of exponential size, and there
/// is no limit that could be set inside. This check is rough on purpose: it may refuse a strange file that is harmless, never
/// the reverse. A file without aliases is never refused.
struct AliasedKeys {
    /// The first key that is not a plain scalar, in a file that has aliases.
    static func first(in text: String) -> ConfigurationNode.Place? {
        var look = AliasedKeys()
        for byte in text.utf8 { look.take(byte) }
        return look.hasAlias ? look.firstKey : nil
    }

    private var line = 1
    private var column = 0
    private var hasAlias = false
    private var firstKey: ConfigurationNode.Place?
    /// What stands before this byte in its line; the second without blanks.
    private var previous: UInt8?
    private var previousMark: UInt8?
    /// The last word of the line so far is `*name`.
    private var isAfterAlias = false
    private var isStarFree = false

    private mutating func take(_ byte: UInt8) {
        column += 1
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            (line, column) = (byte == UInt8(ascii: "\n") ? line + 1 : line, 0)
            (previous, previousMark, isAfterAlias) = (nil, nil, false)
            return
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            previous = byte
            return
        case UInt8(ascii: "*"):
            isStarFree = previous.map { !Self.isName($0) } ?? true
            isAfterAlias = false
        case UInt8(ascii: ":"):
            // `*name :`, `[…] :`, `{…} :`
            if isAfterAlias || previousMark == UInt8(ascii: "]") || previousMark == UInt8(ascii: "}") { noteKey() }
            isAfterAlias = false
        case UInt8(ascii: "?"):
            if previous.map({ " \t{[,".utf8.contains($0) }) ?? true { noteKey() }
            isAfterAlias = false
        case _ where Self.isName(byte):
            let beginsAlias = previous == UInt8(ascii: "*") && isStarFree
            isAfterAlias = beginsAlias || isAfterAlias && previous.map(Self.isName) ?? false
            hasAlias = hasAlias || beginsAlias
        default: isAfterAlias = false
        }
        (previous, previousMark) = (byte, byte)
    }

    private mutating func noteKey() {
        if firstKey == nil { firstKey = ConfigurationNode.Place(line: line, column: column) }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
