// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// A piece of a page. Text becomes HTML only by being escaped, and markup only by the elements of this module: there is no way
/// to write a string as markup.
package struct HTML: Hashable, Sendable {
    /// The markup.
    package let markup: String

    /// Escapes the text.
    init(_ text: String) { markup = text.escapedForHTML }

    init(markup: String) { self.markup = markup }

    static let empty = HTML(markup: "")
}

/// Lists elements and texts one below the other. A text is escaped.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ html: HTML) -> HTML { html }
    static func buildExpression(_ html: HTML?) -> HTML { html ?? .empty }
    static func buildExpression(_ text: String) -> HTML { HTML(text) }
    static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }
    static func buildArray(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
    static func buildOptional(_ part: HTML?) -> HTML { part ?? .empty }
    static func buildEither(first part: HTML) -> HTML { part }
    static func buildEither(second part: HTML) -> HTML { part }
}
