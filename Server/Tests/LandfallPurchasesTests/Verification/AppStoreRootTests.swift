// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite(.timeLimit(.minutes(1)))
struct AppStoreRootTests {
    @Test("The root that Landfall trusts by itself has the fingerprint that Apple publishes")
    func fingerprint() {
        #expect(AppStoreRoot.apple.fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        #expect(AppStoreRoot.apple.isApple)
    }

    @Test(
        "A file that is not a certificate in PEM form is not a root",
        arguments: ["", "root", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func text(_ text: String) {
        #expect(throws: AppStoreRoot.Mistake.notPEM) { try AppStoreRoot(pem: text) }
    }
}
