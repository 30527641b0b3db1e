// SPDX-License-Identifier: Apache-2.0

/// A signed text after every check: who signed it, when, and its bytes. Only the verifier makes one.
package struct VerifiedJWS: Hashable, Sendable {
    /// As it came, in base64url.
    package let header: String
    /// JSON.
    package let payloadBytes: [UInt8]
    /// 64 bytes: r and s.
    package let signatureBytes: [UInt8]
    /// SHA-256 of ``header``: nearly all texts of one certificate share it.
    package let headerHash: [UInt8]
    /// SHA-256 of the whole text.
    package let hash: [UInt8]
    /// In Unix milliseconds, by Apple's clock.
    package let signedAtMs: Int64
}
