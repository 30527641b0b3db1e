// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Detects text with too many combining marks in a row, like Unicode's Stream-Safe Text Format (UAX #15).
///
/// Comparing or hashing a `String` sorts the marks after each character, which takes time that grows with the square of their
/// number: one name of 64 KiB of marks took a second. Ordinary text has a few marks; more of them are an attack.
public enum CombiningMarks {
    /// Vietnamese has two, Hebrew four, decorated text a dozen.
    public static let mostInARow = 30

    /// False if there are more than ``mostInARow``. Linear.
    public static func areFew(in text: String) -> Bool {
        var native = text
        guard native.withUTF8({ mayHold(UnsafeRawBufferPointer($0)) }) else { return true }
        var run = Run()
        return text.unicodeScalars.allSatisfy { run.admits($0) }
    }

    /// The same for text in which `%CC%80` is a mark too.
    public static func areFew(percentEncoded text: String) -> Bool {
        guard areFew(in: text) else { return false }
        guard text.utf8.contains(UInt8(ascii: "%")) else { return true }
        // Bytes that are not UTF-8 are never compared as text.
        return PercentEncoding.text(ofUTF8: PercentEncoding.bytes(of: text[...])).map { areFew(in: $0) } ?? true
    }

    /// The same for JSON or YAML, in which `\u0300` is a mark too.
    public static func areFew(escaped text: Data) -> Bool {
        guard text.withUnsafeBytes({ mayHold($0) || holdsEscape($0) }) else { return true }
        var run = Run()
        var scalars = String(decoding: text, as: UTF8.self).unicodeScalars[...]
        var high: UInt32?
        while let scalar = scalars.popFirst() {
            guard scalar == "\\", let kind = scalars.popFirst() else {
                guard run.admits(scalar) else { return false }
                continue
            }
            // In YAML a backslash at the end of a line joins it with the next one, whose first blanks are left out.
            if lineEnds.contains(kind) {
                if kind == "\r", scalars.first == "\n" { scalars.removeFirst() }
                scalars = scalars.drop { $0 == " " || $0 == "\t" }
                continue
            }
            let length = kind == "u" ? 4 : kind == "U" ? 8 : 0
            guard let value = UInt32(String(String.UnicodeScalarView(scalars.prefix(length))), radix: 16) else {
                run = Run()
                continue
            }
            scalars = scalars.dropFirst(length)
            switch (value, high) {
            case (0xD800..<0xDC00, _): high = value
            case (0xDC00..<0xE000, let first?):
                guard run.admits(Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (value - 0xDC00))) else { return false }
                high = nil
            default:
                guard run.admits(Unicode.Scalar(value)) else { return false }
                high = nil
            }
        }
        return true
    }

    private struct Run {
        private var count = 0

        mutating func admits(_ scalar: Unicode.Scalar?) -> Bool {
            count = scalar.map(CombiningMarks.isMark) ?? false ? count + 1 : 0
            return count <= mostInARow
        }
    }

    private static let lineEnds: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        // These three are not marks themselves, but decompose into marks.
        return scalar.properties.canonicalCombiningClass != .notReordered || [0xF73, 0xF75, 0xF81].contains(scalar.value)
    }

    /// The first mark is U+0300, which begins with 0xCC: nearly all text is decided by this check.
    private static func mayHold(_ text: UnsafeRawBufferPointer) -> Bool { text.contains { $0 >= 0xCC } }

    private static func holdsEscape(_ text: UnsafeRawBufferPointer) -> Bool {
        var before: UInt8 = 0
        for byte in text {
            if before == UInt8(ascii: "\\"), byte | 0x20 == UInt8(ascii: "u") { return true }
            before = byte
        }
        return false
    }
}
