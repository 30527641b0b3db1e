// SPDX-License-Identifier: Apache-2.0
import Crypto
import X509

/// A private key of a simulated chain.
package struct SigningKey: Sendable {
    package enum Curve: Hashable, Sendable { case p256, p384 }

    private enum Kind {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
    }
    private let kind: Kind

    package init(_ curve: Curve) {
        switch curve {
        case .p256: kind = .p256(P256.Signing.PrivateKey())
        case .p384: kind = .p384(P384.Signing.PrivateKey())
        }
    }

    /// r and s, one behind the other, as JWS has them: 64 bytes, or 96 for P-384.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        switch kind {
        case .p256(let key): [UInt8](try key.signature(for: bytes).rawRepresentation)
        case .p384(let key): [UInt8](try key.signature(for: bytes).rawRepresentation)
        }
    }

    var certificateKey: Certificate.PrivateKey {
        switch kind {
        case .p256(let key): Certificate.PrivateKey(key)
        case .p384(let key): Certificate.PrivateKey(key)
        }
    }

    /// How this key signs certificates.
    var certificateAlgorithm: Certificate.SignatureAlgorithm {
        switch kind {
        case .p256: .ecdsaWithSHA256
        case .p384: .ecdsaWithSHA384
        }
    }
}
