// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
import LandfallWire

/// The token that an app hands to StoreKit with a purchase, so that Apple's signature says later whose the purchase is.
///
/// It is the profile's id under a keyed permutation: no profile needs a row for it, every node makes the same, and it can be read back. Who
/// lacks the key learns nothing from it. A profile id has 122 free bits, as many as the random UUID (version 4) that others expect.
struct PurchaseTokens: Sendable, Redacted {
    /// Which ids there are. Each kind is permuted with a key of its own, so that ids of two kinds give different tokens.
    private enum Kind: UInt8, CaseIterable {
        case firstOrdered = 1
        case firstRandom = 2
        case fresh = 3

        var prefix: String { self == .fresh ? "s_" : "i_" }
        /// Of the UUID in the id.
        var version: UInt64 { self == .firstRandom ? 4 : 7 }
    }

    private let key: SymmetricKey
    /// Of the same store.
    let hashes: PurchaseHashes

    /// - Parameter key: the store's, see ``StoreMark``.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
        hashes = PurchaseHashes(storeKey: key)
    }

    /// Nil for an id that no install of the SDK has.
    func token(of profile: ProfileID) -> String? {
        for kind in Kind.allCases where profile.rawValue.hasPrefix(kind.prefix) {
            let id = profile.rawValue.dropFirst(kind.prefix.utf8.count)
            if let bits = FreeBits(String(id), version: kind.version) { return permuted(bits, kind, Array(0..<Self.rounds)).text(version: 4) }
        }
        return nil
    }

    /// The ids that the token may stand for: at most one of them exists. Empty for a text that is no random UUID. Letters count
    /// without case, because StoreKit writes capitals.
    func profiles(of token: String) -> [ProfileID] {
        guard let bits = FreeBits(token.lowercased(), version: 4) else { return [] }
        return Kind.allCases.map { kind in
            // Read from the other side, a Feistel network with its rounds turned round undoes itself.
            let id = permuted(bits.swapped, kind, (0..<Self.rounds).reversed()).swapped.text(version: kind.version)
            return ProfileID(kind.prefix + id)
        }
    }

    private static let rounds: UInt8 = 6

    private func permuted(_ bits: FreeBits, _ kind: Kind, _ rounds: [UInt8]) -> FreeBits {
        rounds.reduce(bits) { bits, round in
            var authentication = HMAC<SHA256>(key: key)
            authentication.update(data: [kind.rawValue, round] + (0..<8).map { UInt8(truncatingIfNeeded: bits.right >> (8 * $0)) })
            let mix = authentication.finalize().prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return FreeBits(left: bits.right, right: (bits.left ^ mix) & FreeBits.half)
        }
    }
}

/// The bits of a UUID that its version leaves free, in two halves of 61.
private struct FreeBits {
    static let half: UInt64 = (1 << 61) - 1

    let left: UInt64
    let right: UInt64

    init(left: UInt64, right: UInt64) { (self.left, self.right) = (left, right) }

    var swapped: FreeBits { FreeBits(left: right, right: left) }

    /// - Parameter text: a UUID in lower case; nil for another text, and for another version or variant.
    init?(_ text: String, version: UInt64) {
        guard let uuid = UUID(uuidString: text), uuid.uuidString.lowercased() == text else { return nil }
        let numbers = withUnsafeBytes(of: uuid.uuid) { bytes in
            (0..<2).map { number in bytes[8 * number..<8 * number + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) } }
        }
        let (high, low) = (numbers[0], numbers[1])
        guard high >> 12 & 0xF == version, low >> 62 == 0b10 else { return nil }
        let above = (high >> 16) << 12 | high & 0xFFF
        left = above << 1 | low >> 61 & 1
        right = low & Self.half
    }

    func text(version: UInt64) -> String {
        let above = left >> 1
        let high = (above >> 12) << 16 | version << 12 | above & 0xFFF
        let low: UInt64 = 0b10 << 62 | (left & 1) << 61 | right
        let bytes = [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
