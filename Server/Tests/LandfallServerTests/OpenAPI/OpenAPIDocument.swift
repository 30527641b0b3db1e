// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

/// `docs/openapi.yaml`, as far as tests ask it.
struct OpenAPIDocument: Sendable {
    struct Operation: Sendable, CustomTestStringConvertible {
        /// In capitals.
        let method: String
        let path: String
        let value: JSONValue
        var testDescription: String { "\(method) \(path)" }
    }

    let root: JSONValue

    static func load() throws -> OpenAPIDocument {
        var text = ConfigurationText()
        var reader = ConfigurationReader(secrets: SecretEnvironment(value: { _ in nil }))
        let node = text.parse(try Sample.file("docs/openapi.yaml"))
        try #require(text.problems.isEmpty, "\(text.problems)")
        let root = reader.json(try #require(node))
        return OpenAPIDocument(root: try #require(root))
    }

    /// In the order of their paths.
    var operations: [Operation] {
        root["paths"].members.flatMap { path, item in
            item.members.map { Operation(method: $0.key.uppercased(), path: path, value: $0.value) }
        }
    }

    func operation(_ method: String, _ path: String) throws -> Operation {
        try #require(operations.first { $0.method == method && $0.path == path }, "\(method) \(path) is not documented")
    }

    /// The value that a `$ref` leads to; any other value unchanged. Nil if the reference is broken.
    func resolved(_ value: JSONValue?) -> JSONValue? {
        guard case .string(let reference)? = value?["$ref"] else { return value }
        guard reference.hasPrefix("#/") else { return nil }
        return resolved(reference.dropFirst(2).split(separator: "/").reduce(root as JSONValue?) { $0?[String($1)] })
    }

    /// Every `$ref` of the document.
    var references: [String] { Self.references(in: root) }

    /// Every schema with alternatives.
    var unions: [JSONValue] { Self.unions(in: root) }

    private static func unions(in value: JSONValue) -> [JSONValue] {
        (value["oneOf"] == nil ? [] : [value]) + value.members.flatMap { unions(in: $0.value) } + value.elements.flatMap { unions(in: $0) }
    }

    /// The properties that every value of the schema has, with the only value that they may have.
    func constants(_ schema: JSONValue?) -> [String: JSONValue] {
        guard let schema = resolved(schema) else { return [:] }
        let required = schema["required"].elements.compactMap(\.text)
        let own = required.map { ($0, schema["properties"]?[$0]?["const"]) }.compactMap { name, value in value.map { (name, $0) } }
        return schema["allOf"].elements.reduce(into: Dictionary(own) { $1 }) { $0.merge(constants($1)) { $1 } }
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let object):
            object.flatMap { key, value in
                if key == "$ref", case .string(let reference) = value { [reference] } else { references(in: value) }
            }
        case .array(let elements): elements.flatMap { references(in: $0) }
        default: []
        }
    }
}

extension JSONValue {
    /// A member of an object; nil for anything else.
    subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    /// Sorted by key.
    var members: [(key: String, value: JSONValue)] {
        if case .object(let object) = self { object.sorted { $0.key < $1.key } } else { [] }
    }
}

extension JSONValue? {
    var members: [(key: String, value: JSONValue)] { self?.members ?? [] }
    var elements: [JSONValue] { self?.elements ?? [] }
}
