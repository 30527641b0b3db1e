// SPDX-License-Identifier: Apache-2.0
/// One SQL text with its values: `$1…$n`, the subset that SQLite and PostgreSQL share.
package struct Statement: Hashable, Sendable {
    package let text: String
    package let values: [SQLValue]

    /// - Parameter text: never built from input; everything variable is a bound value.
    package init(_ text: String, _ values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    /// The placeholders of a list of values for `IN`: `$2, $3` for 2..<4.
    package static func places(_ numbers: Range<Int>) -> String { numbers.map { "$\($0)" }.joined(separator: ", ") }
}

/// A value as both engines store it: TEXT, BIGINT, DOUBLE PRECISION, BYTEA.
package enum SQLValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int64)
    case real(Double)
    case blob([UInt8])

    package static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
    package static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
    package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}
