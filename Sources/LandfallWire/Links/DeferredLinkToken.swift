// SPDX-License-Identifier: Apache-2.0

extension DeferredLinkRequest {
    /// Of a token, in bytes.
    public static let longestToken = 512

    /// A token as it is sent, from what an app found or a person typed: the one rule of phone and server.
    ///
    /// White space around it is dropped. A link is left as it is otherwise; of anything else white space and dashes within
    /// go too, because people type a code in the groups in which they read it, and full-width letters and digits become
    /// plain ones. Upper and lower case stay: a token of the pasteboard depends on them, and of a code the server knows that
    /// it does not.
    /// - Returns: nil for what can be no token: empty, longer than ``longestToken``, or not of visible ASCII characters.
    public static func token(from text: String) -> String? {
        // More than any token with all its spaces and dashes.
        guard text.utf8.count <= 8 * longestToken else { return nil }
        let trimmed = String(trimming(text.unicodeScalars))
        let token = (try? LinkAddress(trimmed)) == nil ? bare(trimmed) : trimmed
        return isToken(token) ? token : nil
    }

    /// What the wire takes as a token, whether or not it can be one: visible ASCII characters, not too many.
    public static func isToken(_ text: String) -> Bool {
        (1...longestToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func trimming(_ scalars: String.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var rest = scalars[...].drop { $0.properties.isWhitespace }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return rest
    }

    private static func bare(_ text: String) -> String {
        var bare = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace && !scalar.properties.isDash {
            // U+FF01…U+FF5E are the printable ASCII characters at full width, in their order.
            let isWide = (0xFF01...0xFF5E).contains(scalar.value)
            bare.append(isWide ? Unicode.Scalar(UInt8(scalar.value - 0xFEE0)) : scalar)
        }
        return String(bare)
    }
}
