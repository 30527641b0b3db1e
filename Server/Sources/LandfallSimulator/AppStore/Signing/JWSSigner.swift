// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Signs payloads as the App Store does: JWS with ES256, whose header has exactly `alg` and `x5c`.
package struct JWSSigner: Sendable {
    /// In base64url; made once, as all JWS of one leaf have the same.
    package let header: String
    private let key: SigningKey

    /// - Parameters:
    ///   - algorithm: what the header claims; the signature is always the key's.
    ///   - certificates: what the header carries instead of the chain.
    package init(_ chain: SigningChain, algorithm: String = "ES256", certificates: [[UInt8]]? = nil) {
        let list = (certificates ?? chain.certificates).map { "\"\(Data($0).base64EncodedString())\"" }
        header = Data("{\"alg\":\"\(algorithm)\",\"x5c\":[\(list.joined(separator: ","))]}".utf8).base64URL
        key = chain.key
    }

    package func sign(_ payload: Data) throws -> String {
        let content = header + "." + payload.base64URL
        return content + "." + Data(try key.signature(of: Array(content.utf8))).base64URL
    }

    /// - Parameter payload: is encoded with its keys in order, so that equal payloads have equal bytes.
    package func sign(_ payload: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try sign(try encoder.encode(payload))
    }

    /// What is posted to a server: the notification, signed.
    func body(_ notification: NotificationPayload) throws -> Data {
        Data("{\"signedPayload\":\"\(try sign(notification))\"}".utf8)
    }
}

extension Data {
    /// Base64 as in URLs, without padding.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads what ``base64URL`` writes; nil for another text.
    init?(base64URL text: Substring) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
