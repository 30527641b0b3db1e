// SPDX-License-Identifier: Apache-2.0

/// A text that is compared byte by byte, for all identifiers.
///
/// `==` of `String` treats texts as equal that Unicode calls equivalent: the Kelvin sign in `\u{212A}ate` and the K of `Kate`,
/// or the two ways to write `é`. A database compares bytes, so the two comparisons would disagree about identities.
public struct ExactText: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public init(_ text: String) { self.text = text }

    public var description: String { text }

    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// True if both are the same bytes of UTF-8. Unicode's equivalence is ignored.
    public func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// A hash that is consistent with ``hasSameBytes(as:)``.
    public func hashBytes(into hasher: inout Hasher) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
        // Separates one text from the next: 0xFF does not occur in UTF-8.
        hasher.combine(0xFF as UInt8)
    }
}
