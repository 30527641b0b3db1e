// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Hummingbird
import LandfallServer

/// A sign-in that has begun in one browser. Its cookie has 256 random bits, from which state, nonce and verifier follow: the server keeps
/// nothing, so every node takes the answer, and nobody fills a table by beginning.
struct OpenIDFlow: Hashable, Sendable {
    enum Purpose: String, Sendable {
        case signIn = "s"
        /// A member proves once more who they are.
        case confirm = "c"
    }

    /// The prefix makes browsers refuse it without `Secure`, for another path or with a domain.
    static let cookie = "__Host-landfall-openid"
    static let longestMs: Int64 = 10 * 60_000

    let seed: SessionToken
    let startedAtMs: Int64
    let purpose: Purpose
    /// Where to go afterwards.
    let next: Place

    init(seed: SessionToken = .drawn(), startedAtMs: Int64, purpose: Purpose, next: Place) {
        (self.seed, self.startedAtMs, self.purpose, self.next) = (seed, startedAtMs, purpose, next)
    }

    /// The flow of a request that comes back; nil if it has none, or began too long ago.
    init?(in request: Request, nowMs: Int64) {
        guard let parts = ConsoleCookie.value(Self.cookie, in: request)?.split(separator: ".", omittingEmptySubsequences: false),
            parts.count == 4, let seed = SessionToken(parts[0]), let startedAtMs = Int64(parts[1]), let purpose = Purpose(rawValue: String(parts[2])),
            let bytes = TokenHeader.bytes(base64url: parts[3].utf8), let text = String(validating: bytes, as: UTF8.self),
            let next = Place(next: text), startedAtMs >= 0,
            // It may have begun at another node, whose clock is ahead.
            startedAtMs <= nowMs + IDClaims.leewayMs, nowMs - startedAtMs < Self.longestMs
        else { return nil }
        self.init(seed: seed, startedAtMs: startedAtMs, purpose: purpose, next: next)
    }

    private var text: String { "\(seed.text).\(startedAtMs).\(purpose.rawValue).\(Data(next.text.utf8).base64URL)" }

    /// `Lax`: the answer is a navigation from the provider's site.
    var setCookie: String { "\(Self.cookie)=\(text); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=\(Self.longestMs / 1000)" }
    static let noCookie = "\(cookie)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"

    var state: String { derived("state") }
    var nonce: String { derived("nonce") }
    /// Of PKCE (RFC 7636): 43 characters.
    var verifier: String { derived("verifier") }
    var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }

    private func derived(_ name: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(name) \(text)".utf8), using: SymmetricKey(data: Data(seed.text.utf8)))
        return Data(code).base64URL
    }

    /// Takes the same time wherever two texts differ.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        SHA256.hash(data: Data(one.utf8)) == SHA256.hash(data: Data(other.utf8))
    }
}
