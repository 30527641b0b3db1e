// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What the remote config of a paywall must look like: a part of JSON Schema 2020-12 that is checked in one pass over a value.
///
/// Other keywords (`pattern`, `anyOf`, …) are refused when they are read, because an unchecked rule would be a false
/// promise. A format, a title and a default are for people and are not checked, as in the standard.
struct RemoteConfigSchema: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case null, boolean, object, array, number, integer, string
    }

    /// The rule for one value. A schema that is `true` has no rule; `false` allows nothing.
    struct Rule: Hashable, Sendable {
        var allowsNothing = false
        var kinds: Set<Kind>?
        /// The number of the rule that applies here too.
        var reference: Int?
        var properties: [ExactText: Int] = [:]
        var required: [String] = []
        /// The rule for members that `properties` does not name.
        var additional: Int?
        var items: Int?
        var values: Set<ExactJSON>?
        /// For messages: the values as they are written, if there are only a few.
        var listed: [String] = []
        var minimum: JSONValue?
        var maximum: JSONValue?
        var lengths = 0...Int.max
        var counts = 0...Int.max
    }

    /// The first one is the schema's own.
    var rules: [Rule]

    static let keywords = [
        "$comment", "$defs", "$ref", "$schema", "additionalProperties", "const", "default", "deprecated", "description", "enum",
        "examples", "format", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "properties",
        "readOnly", "required", "title", "type", "writeOnly",
    ]
    static let dialect = "https://json-schema.org/draft/2020-12/schema"
    /// The most rules that check one value at the same time.
    static let longestReference = 8
}

/// A JSON value that compares as JSON Schema does: `1` and `1.0` are equal, texts by their bytes, members in any order.
indirect enum ExactJSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(ExactText)
    case list([ExactJSON])
    case mapping([ExactText: ExactJSON])

    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .flag(flag)
            case .integer(let integer): .integer(integer)
            case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
            case .string(let text): .text(ExactText(text))
            case .array(let elements): .list(elements.map { ExactJSON($0) })
            case .object(let members):
                .mapping(Dictionary(members.map { (ExactText($0.key), ExactJSON($0.value)) }) { first, _ in first })
            }
    }
}
