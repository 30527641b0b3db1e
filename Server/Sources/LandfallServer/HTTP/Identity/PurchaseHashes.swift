// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules

/// Keyed hashes of chains and charges whose person was erased: by them the server recognises what comes again. Without the store's key
/// nobody can try ids.
struct PurchaseHashes: Sendable, Redacted {
    private let key: SymmetricKey

    /// - Parameter storeKey: see ``StoreMark``. The hashes have a key of their own, which follows from it.
    init(storeKey: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: storeKey), info: Data("erased purchases".utf8), outputByteCount: SHA256.byteCount)
    }

    func hash(ofChain chain: String) -> [UInt8] { code(["chain", chain]) }

    /// - Parameters:
    ///   - kind: see `charge.kind`.
    ///   - number: of several refunds of seats.
    func hash(ofCharge transaction: String, _ kind: String, _ number: Int64, in chain: String) -> [UInt8] {
        code(["charge", chain, transaction, kind, "\(number)"])
    }

    private func code(_ words: [String]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(words.joined(separator: "\n").utf8), using: key))
    }
}
