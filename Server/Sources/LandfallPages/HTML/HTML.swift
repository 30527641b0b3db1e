// SPDX-License-Identifier: Apache-2.0

/// A piece of a page. Text becomes HTML only by being escaped, and markup only by the elements of this module: there is no way
/// to write a string as markup.
package struct HTML: Hashable, Sendable {
    /// The markup.
    package let markup: String

    /// Escapes the text.
    package init(_ text: String) { markup = Self.escaped(text) }

    init(markup: String) { self.markup = markup }

    package static let empty = HTML(markup: "")

    /// Safe between tags and inside quoted attributes.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Control characters are removed.
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Lists elements and texts one below the other. A text is escaped.
@resultBuilder
package enum HTMLBuilder {
    package static func buildExpression(_ html: HTML) -> HTML { html }
    package static func buildExpression(_ html: HTML?) -> HTML { html ?? .empty }
    package static func buildExpression(_ text: String) -> HTML { HTML(text) }
    package static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }
    package static func buildArray(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
    package static func buildOptional(_ part: HTML?) -> HTML { part ?? .empty }
    package static func buildEither(first part: HTML) -> HTML { part }
    package static func buildEither(second part: HTML) -> HTML { part }
}
