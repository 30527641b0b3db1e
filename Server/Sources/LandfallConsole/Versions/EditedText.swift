// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A text that comes back from a form. Browsers send each line break as CR LF, whatever the text had.
enum EditedText {
    private static let carriageReturn = UInt8(ascii: "\r"), lineFeed = UInt8(ascii: "\n")

    /// The text with the line breaks of the one that was edited.
    static func restored(_ text: String, like base: String?) -> String {
        let plain = withLineFeeds(text)
        guard let base, base.utf8.contains(carriageReturn) else { return plain }
        // Mixed line breaks come back if nothing else was edited.
        if withLineFeeds(base).hasSameBytes(as: plain) { return base }
        let breaks = base.utf8.count(where: { $0 == lineFeed })
        let pairs = zip(base.utf8, base.utf8.dropFirst()).count(where: { $0 == carriageReturn && $1 == lineFeed })
        return breaks == pairs ? withPairs(plain) : plain
    }

    static func withLineFeeds(_ text: String) -> String {
        guard text.utf8.contains(carriageReturn) else { return text }
        var bytes: [UInt8] = [], last: UInt8 = 0
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == carriageReturn { bytes.append(lineFeed) } else if byte != lineFeed || last != carriageReturn { bytes.append(byte) }
            last = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func withPairs(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == lineFeed { bytes.append(carriageReturn) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
