// SPDX-License-Identifier: Apache-2.0
import Foundation
import JWTKit
import LandfallRules
import LandfallWire

/// Verifies identity tokens of the team's backend: a JWT with `sub` = customer id, `aud` = bundle id, `iat` and `exp`.
struct IdentityTokens: Sendable {
    static let longestLifetime: Double = 600
    /// How far the backend's clock may be ahead of this server's, in seconds.
    static let clockTolerance: Double = 60

    let keys: [IdentityKey]
    let bundleID: String

    /// Returns if the token proves that the caller is this customer.
    /// - Throws: `invalid_identity_token` for everything else.
    func verify(_ token: String, customerID: CustomerID, nowMs: Int64) async throws(IdentityTokenRefusal) {
        guard !keys.isEmpty else { throw .noKeys }
        guard token.utf8.count <= Limits.identityToken, Self.isReadable(token), TokenHeader.isSafe(token),
            let parsed = try? DefaultJWTParser().parse([UInt8](token.utf8), as: IdentityClaims.self)
        else { throw .malformed }
        // RFC 7515, 4.1.11: a verifier must understand every extension in `crit`, and this server knows none.
        guard parsed.header.fields["crit"] == nil else { throw .critical }
        guard let algorithm = parsed.header.alg.flatMap(IdentityKey.Algorithm.init) else { throw .algorithm }

        let candidates = keys.filter { key in
            guard let id = key.id, let named = parsed.header.kid else { return key.algorithm == algorithm }
            return key.algorithm == algorithm && id.hasSameBytes(as: named)
        }
        for key in candidates {
            guard let claims = try? await key.collection().verify(token, as: IdentityClaims.self) else { continue }
            return try check(claims, customerID: customerID, now: Double(nowMs) / 1000)
        }
        throw candidates.isEmpty ? .algorithm : .signature
    }

    /// False if its header or its claims are not JSON, or if comparing their keys would take long, see `CombiningMarks`.
    private static func isReadable(_ token: String) -> Bool {
        token.utf8.split(separator: UInt8(ascii: ".")).prefix(2).allSatisfy { (part: Substring.UTF8View) -> Bool in
            var base64 = part.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
            while base64.count % 4 > 0 { base64.append(UInt8(ascii: "=")) }
            guard let bytes = Data(base64Encoded: Data(base64)) else { return false }
            return CombiningMarks.areFew(escaped: bytes) && (try? WireCoding.decode(Unread.self, from: bytes)) != nil
        }
    }

    /// Any JSON: the JWT library reads the values, but overlooks faults in those that it skips.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) {}
    }

    private func check(_ claims: IdentityClaims, customerID: CustomerID, now: Double) throws(IdentityTokenRefusal) {
        guard claims.audiences.contains(where: bundleID.hasSameBytes) else { throw .audience }
        guard CustomerID(claims.sub) == customerID else { throw .subject }
        guard claims.exp > now else { throw .expired }
        guard claims.iat <= now + Self.clockTolerance else { throw .notYetValid }
        guard claims.exp > claims.iat, claims.exp - claims.iat <= Self.longestLifetime else { throw .lifetime }
        if let notBefore = claims.nbf, notBefore > now + Self.clockTolerance { throw .notYetValid }
    }
}

/// Numbers, not dates: the caller passes the time, and no claim is checked before the signature.
private struct IdentityClaims: JWTPayload {
    let sub: String
    let aud: Audience
    let iat: Double
    let exp: Double
    let nbf: Double?

    /// RFC 7519 allows one text or a list.
    enum Audience: Codable, Sendable {
        case one(String)
        case several([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self =
                if let text = try? container.decode(String.self) { .one(text) } else {
                    .several(try container.decode([String].self))
                }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let text): try container.encode(text)
            case .several(let texts): try container.encode(texts)
            }
        }
    }

    var audiences: [String] {
        switch aud {
        case .one(let text): [text]
        case .several(let texts): texts
        }
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// Why an identity token was refused. The sentence never repeats the token.
enum IdentityTokenRefusal: Refusal, Hashable, CaseIterable {
    case noKeys, malformed, critical, algorithm, signature, audience, subject, expired, notYetValid, lifetime

    var code: ErrorCode { .invalidIdentityToken }

    var description: String {
        switch self {
        case .noKeys: "The configuration has no identity keys. Add one under 'identity', or identify without a token."
        case .malformed: "The identity token is not a JWT with sub, aud, iat and exp. Let the backend make a new one."
        case .critical: "The identity token's header has 'crit', and this server knows no extension. Sign without it."
        case .algorithm: "No identity key fits the token's algorithm and key id. Sign with a key that landfall.yaml lists."
        case .signature: "The identity token's signature does not fit. Sign with a key that landfall.yaml lists."
        case .audience: "The identity token is for another app. Set aud to the app's bundle id."
        case .subject: "The identity token is for another customer. Set sub to the customer id of the call."
        case .expired: "The identity token has expired. Fetch a new one for every call."
        case .notYetValid: "The identity token is from the future. Compare the backend's clock with this server's."
        case .lifetime: "The identity token is valid for more than 10 minutes. Set exp to at most iat + 600."
        }
    }
}
