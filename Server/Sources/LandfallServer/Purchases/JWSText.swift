// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A signed text from the parts that the store keeps.
enum JWSText {
    /// - Parameter header: in base64url already.
    static func joined(_ header: String, _ payload: [UInt8], _ signature: [UInt8]) -> String {
        "\(header).\(Data(payload).base64URL).\(Data(signature).base64URL)"
    }
}
