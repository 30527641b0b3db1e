// SPDX-License-Identifier: Apache-2.0
import Crypto
import X509

/// Decides whether a text is a purchase of this app that the App Store signed.
///
/// It has no clock, no store and no network: the time comes with each call, and nothing is asked of Apple. Certificates are checked at
/// the time of the signature, so history stays genuine after its certificates have ended.
package final class AppStoreVerifier: Sendable {
    /// How far Apple's clock may be ahead of the server's.
    package static let mostAheadMs: Int64 = 5 * 60_000

    let app: AppStoreApp
    private let roots: [AppStoreRoot]
    private let takesStoreKitTesting: Bool
    private let known: TrustedChains

    /// - Parameter takesStoreKitTesting: accepts what Xcode signs with a key of the developer's machine, so from anybody.
    /// - Parameter mostChains: how many verified chains of certificates are remembered; one lasts for about two years.
    package init(
        app: AppStoreApp, roots: [AppStoreRoot] = [.apple], takesStoreKitTesting: Bool = false, mostChains: Int = 64
    ) {
        self.app = app
        self.roots = roots
        self.takesStoreKitTesting = takesStoreKitTesting
        known = TrustedChains(most: mostChains)
    }

    var knownChains: Int { known.count }

    /// The signature, its certificates and its time; not yet what the text says.
    /// - Parameter takesSelfSigned: false for notifications: Xcode sends none, and their environment is not where a transaction has it.
    func signed(
        _ text: String, nowMs: Int64, takesSelfSigned: Bool = true
    ) async throws(AppStoreRefusal) -> (jws: VerifiedJWS, fields: PayloadFields) {
        let segments = try JWSSegments(text)
        guard let fields = PayloadFields(json: segments.payloadBytes) else { throw .forged(.notJSON(.payload)) }
        guard let signedAtMs = fields.time("signedDate") else { throw .forged(.noSignedDate) }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: segments.signatureBytes) else {
            throw .forged(.signature)
        }
        let key: P256.Signing.PublicKey
        var found: TrustedChain?
        if let chain = known[segments.headerHash] {
            guard chain.wasValid(atMs: signedAtMs) else { throw .forged(.notValidWhenSigned) }
            key = chain.key
        } else {
            let header = try JWSHeader(segments.header)
            if header.certificates.count == 1 {
                guard takesSelfSigned else { throw .forged(.certificates(1)) }
                key = try selfSignedKey(header, fields: fields)
            } else {
                let chain = try await TrustedChain(header, roots: roots, signedAtMs: signedAtMs)
                (key, found) = (chain.key, chain)
            }
        }
        guard key.isValidSignature(signature, for: segments.digest) else { throw .forged(.signature) }
        if let found { known.remember(found, as: segments.headerHash) }
        // Last: only of a genuine text it is certain that this server's clock is behind.
        guard signedAtMs <= nowMs + Self.mostAheadMs else { throw .forged(.signedInFuture) }
        let jws = VerifiedJWS(
            header: segments.header, payloadBytes: segments.payloadBytes, signatureBytes: segments.signatureBytes,
            headerHash: segments.headerHash, hash: segments.hash, signedAtMs: signedAtMs)
        return (jws, fields)
    }

    /// Xcode signs with one certificate that it made itself. It proves nothing, so nothing about it is checked.
    private func selfSignedKey(_ header: JWSHeader, fields: PayloadFields) throws(AppStoreRefusal) -> P256.Signing.PublicKey {
        guard AppStoreEnvironment(rawValue: fields.text("environment") ?? "")?.isSelfSigned == true else {
            throw .forged(.certificates(1))
        }
        guard takesStoreKitTesting else { throw .environment(.storekitTesting) }
        guard let key = P256.Signing.PublicKey(try header.certificate(0).publicKey) else { throw .forged(.leafKey) }
        return key
    }

    func environment(_ name: String?) throws(AppStoreRefusal) -> AppStoreEnvironment {
        guard let name else { throw .environment(.missing) }
        guard let environment = AppStoreEnvironment(rawValue: name) else { throw .environment(.unknown(name)) }
        guard takesStoreKitTesting || !environment.isSelfSigned else { throw .environment(.storekitTesting) }
        return environment
    }

    /// - Parameter appleID: absent in the sandbox, and in transactions.
    func requireOwn(bundleID: String?, appleID: Int64?) throws(AppStoreRefusal) {
        guard let bundleID, bundleID.utf8.elementsEqual(app.bundleID.utf8) else { throw .foreign(.bundleID(bundleID)) }
        try requireOwn(appleID: appleID)
    }

    func requireOwn(appleID: Int64?) throws(AppStoreRefusal) {
        if let appleID, let own = app.appleID, appleID != own { throw .foreign(.appleID(appleID)) }
    }
}
