// SPDX-License-Identifier: Apache-2.0

/// Base64 with the alphabet of URLs and without padding (RFC 7515). Strict: each sequence of bytes has one text, so a text that is
/// stored in parts can be put together again byte for byte.
enum Base64URL {
    /// Nil for a foreign character, padding, an impossible length and unused bits that are not zero.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withContiguousStorageIfAvailable(decoded) ?? Array(text).withUnsafeBufferPointer(decoded)
    }

    private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var isValid = true
        let bytes = values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 2) { bytes, count in
                var wrong: UInt8 = 0
                func value(_ place: Int) -> UInt32 {
                    let value = values[Int(text[place])]
                    wrong |= value
                    return UInt32(value & 63)
                }
                let whole = text.count & ~3
                for place in stride(from: 0, to: whole, by: 4) {
                    let bits = value(place) << 18 | value(place + 1) << 12 | value(place + 2) << 6 | value(place + 3)
                    bytes[count] = UInt8(truncatingIfNeeded: bits >> 16)
                    bytes[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    bytes[count + 2] = UInt8(truncatingIfNeeded: bits)
                    count += 3
                }
                // Two or three characters are one or two bytes, and bits that have to be zero.
                var bits: UInt32 = 0, held: UInt32 = 0
                for place in whole..<text.count { (bits, held) = (bits << 6 | value(place), held + 6) }
                while held >= 8 {
                    held -= 8
                    bytes[count] = UInt8(truncatingIfNeeded: bits >> held)
                    count += 1
                }
                isValid = wrong < 64 && bits & (1 << held - 1) == 0
            }
        }
        return isValid ? bytes : nil
    }

    /// The value of each character; 255 for those that are none of the alphabet.
    private static let values: [UInt8] = {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
