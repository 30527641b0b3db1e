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
                var bits: UInt32 = 0, held: UInt32 = 0, wrong: UInt8 = 0
                for character in text {
                    let value = values[Int(character)]
                    wrong |= value
                    bits = bits << 6 | UInt32(value & 63)
                    held += 6
                    if held >= 8 {
                        held -= 8
                        bytes[count] = UInt8(truncatingIfNeeded: bits >> held)
                        count += 1
                    }
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
