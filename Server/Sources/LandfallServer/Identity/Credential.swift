// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire

/// Who is calling: an install id, and proof that the caller made it. Only the secret's hash is ever kept.
struct Credential: Hashable, Sendable, Discreet {
    let installID: InstallID
    /// SHA-256 of the secret's 32 bytes. A plain hash is enough, because the secret is 256 random bits.
    let secretHash: [UInt8]

    /// Reads `<install id>.<secret>`: a lower-case UUID and 32 bytes of base64url without padding. Anything else is nil.
    init?(header: String) {
        let parts = header.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let id = String(parts[0]), id.isLowerCaseUUID,
            let secret = Self.bytes(base64url: parts[1]), secret.count == 32
        else { return nil }
        installID = InstallID(id)
        secretHash = Array(SHA256.hash(data: secret))
    }

    init(installID: InstallID, secretHash: [UInt8]) {
        self.installID = installID
        self.secretHash = secretHash
    }

    /// Takes the same time wherever the first difference is, so that nobody finds a hash byte by byte.
    func matches(_ storedHash: [UInt8]) -> Bool {
        guard storedHash.count == secretHash.count else { return false }
        return zip(storedHash, secretHash).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func bytes(base64url text: Substring.UTF8View) -> Data? {
        guard text.count == 43 else { return nil }
        var standard: [UInt8] = []
        standard.reserveCapacity(44)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        standard.append(UInt8(ascii: "="))
        return Data(base64Encoded: Data(standard))
    }
}

extension String {
    /// The canonical text form of a UUID, digits in lower case: what ids look like at the wire and in the store.
    var isLowerCaseUUID: Bool {
        guard utf8.count == 36 else { return false }
        return utf8.enumerated().allSatisfy { position, byte in
            switch position {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default:
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        }
    }
}
