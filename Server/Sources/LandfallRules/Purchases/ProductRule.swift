// SPDX-License-Identifier: Apache-2.0

/// What a product of the App Store opens.
package struct ProductRule: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
        case exactly(String)
        /// All products whose ids begin so; written `sim.*`.
        case prefix(String)

        package init(_ text: String) { self = text.hasSuffix("*") ? .prefix(String(text.dropLast())) : .exactly(text) }

        /// Without the star.
        package var text: String {
            switch self {
            case .exactly(let text), .prefix(let text): text
            }
        }

        package func covers(_ product: String) -> Bool {
            switch self {
            case .exactly(let text): product.utf8.elementsEqual(text.utf8)
            case .prefix(let text): product.utf8.starts(with: text.utf8)
            }
        }
    }

    package let name: Name
    /// In the order of the file; empty for what is only counted, such as coins.
    package var access: [AccessLevel]
    /// For non-renewing subscriptions, whose end Apple does not know. Nil: such a purchase opens nothing.
    package var durationMs: Int64?

    package init(name: Name, access: [AccessLevel], durationMs: Int64? = nil) {
        self.name = name
        self.access = access
        self.durationMs = durationMs
    }
}
