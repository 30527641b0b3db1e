// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

extension P256.Signing.PrivateKey {
    /// A JWT that this key has signed, by ES256. Equal claims have equal bytes before the signature.
    /// - Parameter keyID: by which the other server finds the public key.
    func token(_ claims: some Encodable, keyID: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(["alg": "ES256", "kid": keyID, "typ": "JWT"])
        let content = try header.base64URL + "." + encoder.encode(claims).base64URL
        return try content + "." + signature(for: Data(content.utf8)).rawRepresentation.base64URL
    }
}
