// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// What the provider says of itself (OpenID Connect Discovery 1.0).
struct OpenIDDocument: Decodable, Sendable {
    let issuer: String
    let authorization: String
    let token: String
    let keys: String
    /// Left out: `client_secret_basic`.
    let tokenMethods: [String]?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorization = "authorization_endpoint"
        case token = "token_endpoint"
        case keys = "jwks_uri"
        case tokenMethods = "token_endpoint_auth_methods_supported"
    }

    /// Where it is: a slash at the end of the issuer is not repeated.
    static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// - Throws: `unreachable` for bytes that are not such a document, `discovery` for one of another issuer.
    static func read(_ body: [UInt8], of issuer: String) throws(OpenIDRefusal) -> OpenIDDocument {
        guard let document = decoded(body, as: OpenIDDocument.self) else { throw .unreachable }
        guard document.issuer.hasSameBytes(as: issuer),
            [document.authorization, document.token, document.keys].allSatisfy({ isAskable($0, of: issuer) })
        else { throw .discovery }
        return document
    }

    /// A provider elsewhere names no address of this machine; and every byte can stand in a header.
    private static func isAskable(_ address: String, of issuer: String) -> Bool {
        NotificationReceiver(url: address) != nil && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
            && (address.lowercased().hasPrefix("https://") || issuer.lowercased().hasPrefix("http://"))
    }

    /// True where the secret goes into a header, false where it goes into the form.
    var takesBasic: Bool {
        let methods = tokenMethods ?? ["client_secret_basic"]
        return methods.contains("client_secret_basic") || !methods.contains("client_secret_post")
    }

    /// The address of the authorization request: what the endpoint has already stays.
    func authorizing(_ fields: [(String, String)]) -> String {
        let pairs = fields.map { $0.percentEncoded + "=" + $1.percentEncoded }.joined(separator: "&")
        return authorization + (authorization.contains("?") ? "&" : "?") + pairs
    }

    /// Nil for bytes that are not JSON of this form.
    static func decoded<Value: Decodable>(_ body: [UInt8], as type: Value.Type) -> Value? {
        let data = Data(body)
        return CombiningMarks.areFew(escaped: data) ? try? WireCoding.decode(type, from: data) : nil
    }
}
