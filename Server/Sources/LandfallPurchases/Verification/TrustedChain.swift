// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A key of which it is certain that it signs for the App Store, and when it does.
struct TrustedChain: Sendable {
    /// Apple's mark of certificates that sign transactions and notifications.
    static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Apple's mark of the authority that issues them. The same root issues keys to merchants of Apple Pay, which have neither mark.
    static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    let key: P256.Signing.PublicKey
    /// Unix seconds in which all three certificates are valid.
    private let validSeconds: ClosedRange<Int64>

    func wasValid(atMs ms: Int64) -> Bool { validSeconds.contains(Self.seconds(ms)) }

    /// - Parameter signedAtMs: Unix milliseconds; the certificates have to be valid then, not now.
    init(_ header: JWSHeader, roots: [AppStoreRoot], signedAtMs: Int64) async throws(AppStoreRefusal) {
        let leaf = try header.certificate(0), intermediate = try header.certificate(1)
        guard leaf.extensions[oid: Self.leafMark] != nil else { throw .forged(.unmarkedCertificate(index: 0)) }
        guard intermediate.extensions[oid: Self.intermediateMark] != nil else { throw .forged(.unmarkedCertificate(index: 1)) }
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else { throw .forged(.leafKey) }
        let certificates = roots.map(\.certificate)
        // The chain is the same at any time, so a text from outside the validity is told from one of another authority.
        guard
            let root = certificates.first(where: {
                $0.subject == intermediate.issuer && $0.publicKey.isValidSignature(intermediate.signature, for: intermediate)
            })
        else { throw .forged(.untrustedChain) }
        let chain = [leaf, intermediate, root]
        let begin = chain.map { Self.seconds($0.notValidBefore) }.max() ?? .max
        let end = chain.map { Self.seconds($0.notValidAfter) }.min() ?? .min
        guard begin <= end, (begin...end).contains(Self.seconds(signedAtMs)) else { throw .forged(.notValidWhenSigned) }

        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy(fixedExpiryValidationTime: Date(timeIntervalSince1970: Double(Self.seconds(signedAtMs))))
        }
        guard
            case .validCertificate(let found) = await verifier.validate(
                leaf: leaf, intermediates: CertificateStore([intermediate])),
            Array(found) == chain
        else { throw .forged(.untrustedChain) }
        self.key = key
        validSeconds = begin...end
    }

    private static func seconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970.rounded(.down)) }
    private static func seconds(_ ms: Int64) -> Int64 { ms >= 0 ? ms / 1000 : (ms - 999) / 1000 }
}
