// SPDX-License-Identifier: Apache-2.0

extension DeferredLinkRequest {
    /// The longest token, in bytes.
    public static let longestToken = 512

    /// The token to send, from what an app found or a person typed: one rule for phone and server.
    ///
    /// White space around it is removed. Links are not changed otherwise. In other texts white space and dashes inside are
    /// removed too, because people type a code in the groups in which they read it, and full-width letters and digits become
    /// plain ones. Upper and lower case stay: a pasteboard token depends on them, and the server knows that a code does not.
    /// - Returns: nil for a text that cannot be a token: empty, longer than ``longestToken``, or not of visible ASCII
    ///   characters.
    public static func token(from text: String) -> String? {
        // Longer than any token with all its spaces and dashes.
        guard text.utf8.count <= 8 * longestToken else { return nil }
        let trimmed = String(trimming(text.unicodeScalars))
        let token = (try? LinkAddress(trimmed)) == nil ? bare(trimmed) : trimmed
        return isToken(token) ? token : nil
    }

    /// True for a text that the wire accepts as a token: visible ASCII characters, not too many.
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
