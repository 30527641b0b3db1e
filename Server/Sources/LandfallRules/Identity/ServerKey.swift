// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// A secret key of the team's own backend (`sk_…`). Only its hash is kept in memory.
package struct ServerKey: Hashable, Sendable, Redacted {
    /// The permissions of a key: each call of a backend needs one of them.
    package enum Scope: String, CaseIterable, Sendable { case links, configuration, reports, profiles, access, erase, webhooks }

    /// The scopes of a key without `may`.
    static let usualScopes: Set<Scope> = [.links]

    /// SHA-256 of the whole text. A plain hash is enough, because the text holds 128 random bits or more.
    package let hash: [UInt8]
    /// Unix milliseconds by the server's clock; from then on the key is invalid. Nil: never.
    package let expiresAtMs: Int64?
    package let scopes: Set<Scope>
    /// The variable that holds it.
    package let name: String

    /// - Returns: nil unless the text starts with `sk_` and has 24 to 256 characters after it.
    init?(_ text: String, scopes: Set<Scope> = usualScopes, expiresAtMs: Int64? = nil, name: String = "") {
        guard text.hasPrefix("sk_"), (27...259).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        hash = Self.hash(of: text)
        self.expiresAtMs = expiresAtMs
        self.scopes = scopes
        self.name = name
    }

    /// Takes constant time.
    package func opens(_ text: String, nowMs: Int64) -> Bool {
        let difference = zip(hash, Self.hash(of: text)).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 && (expiresAtMs.map { nowMs < $0 } ?? true)
    }

    private static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
