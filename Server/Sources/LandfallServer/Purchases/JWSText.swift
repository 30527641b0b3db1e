// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A signed text from the parts that the store keeps.
enum JWSText {
    /// - Parameter header: in base64url already.
    static func joined(_ header: String, _ payload: [UInt8], _ signature: [UInt8]) -> String {
        "\(header).\(base64URL(payload)).\(base64URL(signature))"
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: Array(text), as: UTF8.self)
    }
}
