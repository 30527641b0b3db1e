// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// A secret that an endpoint and the server share, as Standard Webhooks writes it: `whsec_` and base64 of 24 to 64 bytes.
package struct WebhookSecret: Hashable, Sendable, Redacted {
    static let prefix = "whsec_"
    private static let lengths = 24...64

    private let bytes: [UInt8]

    /// Nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            Self.lengths.contains(data.count)
        else { return nil }
        bytes = Array(data)
    }

    /// - Parameter seconds: since 1970, as in `webhook-timestamp`.
    /// - Returns: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
    package func signature(of body: [UInt8], id: String, seconds: Int64) -> String {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Data("\(id).\(seconds).".utf8))
        code.update(data: body)
        return "v1," + Data(code.finalize()).base64EncodedString()
    }
}
