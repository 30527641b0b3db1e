// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Reads `application/x-www-form-urlencoded`, in time linear in its length.
package enum FormText {
    /// - Returns: nil for bytes that are not a form, for too many fields, and for too many combining marks: a dictionary would sort them.
    ///   Of a repeated name the first value counts.
    package static func fields(_ text: String, most: Int) -> [String: String]? {
        var fields: [String: String] = [:]
        for (count, pair) in text.utf8.split(separator: UInt8(ascii: "&")).enumerated() {
            guard count < most else { return nil }
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : Substring("").utf8) else { return nil }
            if fields[name] == nil { fields[name] = value }
        }
        return fields
    }

    /// How many fields the text has.
    static func count(_ text: String) -> Int { text.utf8.split(separator: UInt8(ascii: "&")).count }

    private static func decoded(_ bytes: Substring.UTF8View) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        // No engine stores U+0000.
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self).flatMap { CombiningMarks.areFew(in: $0) ? $0 : nil }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
