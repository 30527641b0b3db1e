// SPDX-License-Identifier: Apache-2.0

/// A signed text after every check: who signed it, when, and its bytes. Only the verifier makes one, and the store when it reads what
/// it once accepted.
package struct VerifiedJWS: Hashable, Sendable {
    /// The three parts as they came, in base64url. Between points they are the text again, byte for byte.
    package let header: String
    package let payload: String
    package let signature: String
    /// SHA-256 of ``header``: nearly all texts of one certificate share it.
    package let headerHash: [UInt8]
    /// SHA-256 of the whole text.
    package let hash: [UInt8]
    /// In Unix milliseconds, by Apple's clock.
    package let signedAtMs: Int64

    package var text: String { "\(header).\(payload).\(signature)" }

    /// 64 bytes: r and s.
    package var signatureBytes: [UInt8] { Base64URL.bytes(signature.utf8) ?? [] }
    /// JSON.
    package var payloadBytes: [UInt8] { Base64URL.bytes(payload.utf8) ?? [] }
}
