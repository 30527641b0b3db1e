// SPDX-License-Identifier: Apache-2.0
import Crypto
import SwiftASN1
import Testing
import X509

@testable import LandfallPurchases

@Suite(.timeLimit(.minutes(1)))
struct AppStoreRootTests {
    @Test("The root that Landfall trusts by itself has the fingerprint that Apple publishes")
    func fingerprint() throws {
        let bytes = try AppStoreRoot.apple.certificate.serializeAsPEM().derBytes

        let fingerprint = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()

        #expect(fingerprint == AppStoreRoot.appleFingerprint)
    }
}
