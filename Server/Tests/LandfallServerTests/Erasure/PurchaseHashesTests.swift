// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Testing

@testable import LandfallServer

@Suite("The keyed hash of what an erased person bought", .timeLimit(.minutes(1)))
struct PurchaseHashesTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    @Test("is another one for each chain and environment, for each charge, and under each store's key")
    func distinct() {
        let hashes = [PurchaseHashes(storeKey: Self.key), PurchaseHashes(storeKey: [UInt8](repeating: 8, count: 32))].flatMap { hashes in
            ["Production:1", "Production:2", "Sandbox:1"].flatMap { chain in
                [
                    hashes.hash(ofChain: chain), hashes.hash(ofCharge: "1", "purchase", 0, in: chain),
                    hashes.hash(ofCharge: "1", "refund", 0, in: chain), hashes.hash(ofCharge: "2", "purchase", 0, in: chain),
                    hashes.hash(ofCharge: "1", "seatRefund", 1, in: chain), hashes.hash(ofCharge: "1", "seatRefund", 2, in: chain),
                ]
            }
        }

        #expect(hashes.count == 36 && Set(hashes).count == 36)
        #expect(hashes.allSatisfy { $0.count == 32 })
    }

    @Test("is the same in every process of a store, and cannot be made without its key")
    func keyed() {
        let chain = "Production:1", made = PurchaseHashes(storeKey: Self.key).hash(ofChain: chain)

        #expect(PurchaseHashes(storeKey: Self.key).hash(ofChain: chain) == made)
        // Nor with the key of purchase tokens.
        let words = Data("chain\n\(chain)".utf8)
        #expect(Array(SHA256.hash(data: words)) != made)
        #expect(Array(HMAC<SHA256>.authenticationCode(for: words, using: SymmetricKey(data: Self.key))) != made)
    }
}
