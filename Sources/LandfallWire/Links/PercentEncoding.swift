// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding for links: the same result on every platform, independent of its URL type.
enum PercentEncoding {
    /// RFC 3986, section 2.3.
    static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    static let segment = unreserved.union("!$&'()*+,;=:@".utf8)
    /// Without `?` and `+`: parsers disagree about them.
    static let queryName = unreserved.union("!$'()*,;:@/".utf8)
    static let queryValue = queryName.union("=".utf8)
    static let fragment = segment.union("/?".utf8)

    static func encoded(_ text: String, _ allowed: Set<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if allowed.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += escaped(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    static func decoded(_ encoded: Substring) throws(InvalidLink) -> String {
        let bytes = bytes(of: encoded)
        guard !bytes.contains(0), let decoded = text(ofUTF8: bytes), CombiningMarks.areFew(in: decoded) else {
            throw InvalidLink(.invalidEncoding)
        }
        return decoded
    }

    /// As forms write a space.
    static func plusAsSpace(_ encoded: Substring) -> Substring {
        Substring(decoding: encoded.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// - Returns: nil if the bytes are not UTF-8. `String(validating:as:)` does not exist on the oldest systems of the SDK.
    static func text(ofUTF8 bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// A `%` without two hexadecimal digits after it stands for itself.
    static func bytes(of text: Substring) -> [UInt8] {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if let byte = byte(at: index, in: source) {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return bytes
    }

    static func escaped(_ byte: UInt8) -> [UInt8] { [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)] }

    /// The byte that is encoded here; nil if none is.
    static func byte(at index: Int, in source: [UInt8]) -> UInt8? {
        guard source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = value(source[index + 1]),
            let low = value(source[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 55 + nibble }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 87
        default: nil
        }
    }
}
