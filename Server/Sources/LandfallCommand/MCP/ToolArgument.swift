// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// An argument of a tool: for the client as JSON Schema, here as the check of a call.
struct ToolArgument: Sendable {
    indirect enum Kind: Sendable {
        /// At most this many bytes of UTF-8.
        case text(Int)
        /// As the configuration has names: letters, digits, dot, underscore and dash.
        case name
        case choice([String])
        case number(ClosedRange<Int64>)
        case flag
        /// At most this many elements.
        case list(Kind, Int)
        case object([ToolArgument])
    }

    static let shortText = Kind.text(512)

    let name: String
    let kind: Kind
    let about: String
    var isRequired = false

    init(_ name: String, _ kind: Kind, _ about: String, isRequired: Bool = false) {
        (self.name, self.kind, self.about, self.isRequired) = (name, kind, about, isRequired)
    }

    /// The schema of an object with these members and no others.
    static func schema(_ arguments: [ToolArgument]) -> JSONValue {
        var schema: [String: JSONValue] = ["type": "object", "additionalProperties": false]
        let members = arguments.map { argument in
            let schema = argument.kind.schema.merging(["description": .string(argument.about)]) { $1 }
            return (argument.name, JSONValue.object(schema))
        }
        schema["properties"] = .object(Dictionary(members) { $1 })
        let required = arguments.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }
}

extension ToolArgument.Kind {
    fileprivate var schema: [String: JSONValue] {
        switch self {
        // The standard counts characters; the bytes are checked here.
        case .text(let most): ["type": "string", "maxLength": .integer(Int64(most))]
        case .name: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
        case .choice(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .number(let range): ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .flag: ["type": "boolean"]
        case .list(let element, let most): ["type": "array", "items": .object(element.schema), "maxItems": .integer(Int64(most))]
        case .object(let members): ToolArgument.schema(members).object ?? [:]
        }
    }
}
