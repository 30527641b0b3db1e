// SPDX-License-Identifier: Apache-2.0

/// A place in a bucket: `s3://BUCKET/PREFIX`.
package struct S3Place: Hashable, Sendable, CustomStringConvertible {
    package static let scheme = "s3://"
    /// Of the prefix, in bytes. The longest name of an object has 1,024, and a file's own name comes behind the prefix.
    private static let longestPrefix = 800
    private static let bucketLengths = 3...63

    package let bucket: String
    /// Without slashes at its ends; empty for the bucket itself.
    package let prefix: String

    /// Nil for any other text. A slash at the end changes nothing.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = String(parts[0])
        var prefix = parts.count > 1 ? parts[1] : ""
        if prefix.last == "/" { prefix.removeLast() }
        self.prefix = String(prefix)
        guard Self.isBucket(bucket), Self.isPrefix(self.prefix) else { return nil }
    }

    /// The name of an object in this place.
    package func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + "/" + name }

    package var description: String { "\(Self.scheme)\(bucket)/\(prefix)" }

    private static func isBucket(_ name: String) -> Bool {
        let bytes = Array(name.utf8), ends = [bytes.first, bytes.last].compactMap(\.self)
        return bucketLengths.contains(bytes.count) && bytes.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            && ends.allSatisfy(isLowerOrDigit)
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// An address keeps none of `//`, `/./` and `/../`.
    private static func isPrefix(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        return text.utf8.count <= longestPrefix && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
    }
}
