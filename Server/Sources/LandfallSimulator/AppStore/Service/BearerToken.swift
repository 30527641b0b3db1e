// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The token of a call to the App Store Server API. What it says is read; the signature is not, because the simulator knows no key.
struct BearerToken {
    private struct Header: Decodable { let alg, kid, typ: String }
    private struct Claims: Decodable {
        let iss, aud, bid: String
        let iat, exp: Double
    }

    /// What Apple would refuse; nil if nothing.
    static func fault(_ header: String?, app: SimulatedApp, at now: Int64) -> String? {
        guard let header, header.hasPrefix("Bearer ") else { return "The header Authorization is not 'Bearer TOKEN'." }
        let parts = header.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let first = Data(base64URL: parts[0]), let second = Data(base64URL: parts[1]), Data(base64URL: parts[2])?.count == 64,
            let head = try? JSONDecoder().decode(Header.self, from: first), let claims = try? JSONDecoder().decode(Claims.self, from: second)
        else { return "The token is not a JWT with alg, kid, typ, iss, aud, bid, iat and exp, signed by ES256." }
        let seconds = Double(now) / 1_000
        if head.alg != "ES256" || head.typ != "JWT" { return "The token's header has alg '\(head.alg)' and typ '\(head.typ)'; it has to be ES256 and JWT." }
        if claims.aud != "appstoreconnect-v1" { return "The token's aud is '\(claims.aud)'; it has to be appstoreconnect-v1." }
        if claims.bid != app.bundleID { return "The token's bid is '\(claims.bid)'; this app is \(app.bundleID)." }
        if claims.exp <= seconds || claims.iat > seconds + 60 { return "The token is not valid now." }
        if claims.exp - claims.iat > 3_600 { return "The token is valid for more than 60 minutes." }
        return nil
    }
}
