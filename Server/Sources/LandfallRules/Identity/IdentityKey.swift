// SPDX-License-Identifier: Apache-2.0
package import JWTKit

/// A key of the team's backend, with the only algorithm that it may be used with.
package struct IdentityKey: Sendable, Redacted {
    package enum Algorithm: String, CaseIterable, Sendable { case hs256 = "HS256", es256 = "ES256", rs256 = "RS256" }

    private enum Material: Sendable {
        case secret(HMACKey)
        case p256(ES256PublicKey)
        case rsa(Insecure.RSA.PublicKey)
    }

    /// The `kid` of the tokens that it signs; nil if the backend sends none.
    package let id: String?
    package let algorithm: Algorithm
    private let material: Material

    /// - Parameter secret: 32 bytes or more.
    init?(id: String?, secret: String) {
        guard secret.utf8.count >= 32 else { return nil }
        self.id = id
        algorithm = .hs256
        material = .secret(HMACKey(from: secret))
    }

    /// - Parameter publicKey: PEM; P-256 for ES256, at least 2048 bits for RS256.
    init(id: String?, algorithm: Algorithm, publicKey: String) throws {
        self.id = id
        self.algorithm = algorithm
        material =
            switch algorithm {
            case .rs256: .rsa(try Insecure.RSA.PublicKey(pem: publicKey))
            default: .p256(try ES256PublicKey(pem: publicKey))
            }
    }

    /// A collection with only this key, so that a token is never checked with a key of another algorithm.
    package func collection() async -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        switch material {
        case .secret(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
        case .p256(let key): await keys.add(ecdsa: key)
        case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
        }
        return keys
    }
}
