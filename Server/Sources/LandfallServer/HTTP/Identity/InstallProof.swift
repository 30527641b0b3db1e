// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
package import LandfallWire

/// An install's id as a number: half the size of its text, and fast to hash.
package struct InstallKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Nil unless the id is a lower-case UUID.
    package init?(_ id: InstallID) {
        var text = id.rawValue
        guard let key = text.withUTF8({ InstallKey(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = key
    }

    /// - Parameter text: the canonical form of a UUID in lower case; nil for anything else.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for (place, byte) in text.enumerated() {
            switch place {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default:
                let digit: UInt8
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
                default: return nil
                }
                halves.0 = halves.0 << 4 | halves.1 >> 60
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
        }
        (high, low) = halves
    }

    /// The id as the install wrote it.
    package var id: InstallID {
        InstallID(
            String(unsafeUninitializedCapacity: 36) { text in
                var place = 0
                for number in [high, low] {
                    for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
                        if place == 8 || place == 13 || place == 18 || place == 23 {
                            text[place] = UInt8(ascii: "-")
                            place += 1
                        }
                        let digit = UInt8(truncatingIfNeeded: number >> shift) & 15
                        text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                        place += 1
                    }
                }
                return place
            })
    }
}

/// SHA-256 of an install's secret, stored inline without an allocation.
struct SecretHash: Sendable, Redacted {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Nil unless there are exactly 32 bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self) }
        words = (word(0), word(1), word(2), word(3))
    }

    init?(_ bytes: [UInt8]) {
        guard let hash = bytes.withUnsafeBytes({ SecretHash($0) }) else { return nil }
        self = hash
    }

    var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// Takes constant time, so that timing reveals nothing about the hash.
    func matches(_ other: SecretHash) -> Bool {
        (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.2 ^ other.words.2) | (words.3 ^ other.words.3) == 0
    }
}

/// The caller, like ``Credential``, but read from the bytes of a request's head.
package struct InstallProof: Sendable {
    let key: InstallKey
    let secretHash: SecretHash

    init(key: InstallKey, secretHash: SecretHash) {
        self.key = key
        self.secretHash = secretHash
    }

    var installID: InstallID { key.id }

    private static let idLength = 36
    private static let secretLength = 43

    /// Reads `<install id>.<secret>`: a lower-case UUID and 32 bytes of base64url without padding. Nil for anything else.
    init?(_ header: UnsafeRawBufferPointer) {
        guard header.count == Self.idLength + 1 + Self.secretLength, header[Self.idLength] == UInt8(ascii: "."),
            let key = InstallKey(UnsafeRawBufferPointer(rebasing: header[..<Self.idLength])),
            let hash = Self.hash(ofSecret: UnsafeRawBufferPointer(rebasing: header[(Self.idLength + 1)...]))
        else { return nil }
        self.key = key
        secretHash = hash
    }

    private static func hash(ofSecret text: UnsafeRawBufferPointer) -> SecretHash? {
        withUnsafeTemporaryAllocation(byteCount: 33, alignment: 8) { secret in
            var bits: UInt32 = 0, count = 0, written = 0
            for byte in text {
                guard let six = sixBits(byte) else { return nil }
                bits = bits << 6 | six
                count += 6
                guard count >= 8 else { continue }
                count -= 8
                secret[written] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
                written += 1
            }
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: secret[..<written]))
            return hash.finalize().withUnsafeBytes { SecretHash($0) }
        }
    }

    private static func sixBits(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
