// SPDX-License-Identifier: Apache-2.0
import Foundation
import JWTKit
import LandfallServer
import LandfallWire

/// The public keys by which the provider signs (JWK Set). Keys of unknown kinds are passed over.
struct ProviderKeys: Decodable, Sendable {
    static let most = 100

    private struct Listed: Decodable {
        let key: JWK?
        let use: String?

        private enum CodingKeys: String, CodingKey { case use }

        init(from decoder: any Decoder) throws {
            key = try? JWK(from: decoder)
            use = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
        }
    }

    private enum CodingKeys: String, CodingKey { case keys }

    private let keys: [JWK]

    init(from decoder: any Decoder) throws {
        let listed = try decoder.container(keyedBy: CodingKeys.self).decode([Listed].self, forKey: .keys)
        keys = listed.prefix(Self.most).filter { $0.use == nil || $0.use == "sig" }.compactMap(\.key)
    }

    /// Those that may have signed such a token. A token that names a key was signed by no other one.
    fileprivate func candidates(_ algorithm: IDToken.Algorithm, named id: String?) -> [JWK] {
        keys.filter { key in
            guard key.keyType == algorithm.keyType, key.algorithm == nil || key.algorithm == algorithm.jwk else { return false }
            if algorithm.keyType == .rsa, (key.modulus?.utf8.count ?? 0) < 342 { return false }  // 2048 bits.
            return id.map { named in key.keyIdentifier?.string.hasSameBytes(as: named) == true } ?? true
        }
    }
}

/// An ID token as it came, before anything of it is believed.
struct IDToken: Sendable {
    /// Bytes.
    static let longest = 32 * 1024

    /// The algorithms that are taken: `none` and those with a shared secret are not among them.
    enum Algorithm: String, CaseIterable, Sendable {
        case rs256 = "RS256", ps256 = "PS256", es256 = "ES256"

        var keyType: JWK.KeyType { self == .es256 ? .ecdsa : .rsa }

        var jwk: JWK.Algorithm {
            switch self {
            case .rs256: .rs256
            case .ps256: .ps256
            case .es256: .es256
            }
        }
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let crit: JSONValue?
    }

    private struct Claims: JWTPayload {
        let values: [String: JSONValue]

        init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode([String: JSONValue].self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(values)
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let text: String
    private let algorithm: Algorithm
    private let keyID: String?

    /// Nil for a text that is not a signed token, for other algorithms, and for extensions that must be understood.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 3, TokenHeader.isSafe(text),
            let head = TokenHeader.bytes(base64url: parts[0]), let body = TokenHeader.bytes(base64url: parts[1]),
            OpenIDDocument.decoded(Array(body), as: JSONValue.self) != nil,
            let header = OpenIDDocument.decoded(Array(head), as: Header.self), header.crit == nil,
            let algorithm = Algorithm(rawValue: header.alg)
        else { return nil }
        (self.text, self.algorithm, keyID) = (text, algorithm, header.kid)
    }

    /// What the token says, if one of these keys has signed it; nil otherwise.
    func claims(by keys: ProviderKeys) async -> [String: JSONValue]? {
        for key in keys.candidates(algorithm, named: keyID) {
            var key = key
            key.algorithm = algorithm.jwk
            key.keyIdentifier = JWKIdentifier(string: "key")
            (key.privateExponent, key.prime1, key.prime2) = (nil, nil, nil)
            let collection = JWTKeyCollection()
            guard (try? await collection.add(jwk: key)) != nil,
                let claims = try? await collection.verify(text, as: Claims.self)
            else { continue }
            return claims.values
        }
        return nil
    }
}
