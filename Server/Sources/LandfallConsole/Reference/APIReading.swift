// SPDX-License-Identifier: Apache-2.0
import Yams

/// Reads the nodes of an OpenAPI description. It is the project's own file, so what it does not have is left out, not reported.
struct APIReading {
    private static let methods = ["get", "post", "put", "patch", "delete"]
    /// References that lead to references; the description has one step.
    private static let mostSteps = 5

    private let root: Node

    init?(_ root: Node) {
        guard root["paths"]?.mapping != nil, root["components"]?.mapping != nil else { return nil }
        self.root = root
    }

    var version: String { root["info"]?["version"]?.string ?? "" }
    var about: String { root["info"]?["description"]?.string ?? "" }

    var groups: [APIReference.Group] {
        let all = operations
        return (root["tags"]?.array() ?? []).compactMap { tag in
            guard let name = tag["name"]?.string else { return nil }
            return APIReference.Group(
                name: name, about: tag["description"]?.string ?? "", operations: all.filter { $0.tag == name }.map(\.operation))
        }
    }

    var types: [String: APIReference.Named] {
        let pairs = entries(root["components"]?["schemas"]).map { name, node in
            (name, APIReference.Named(name: name, type: type(node), about: about(node), fields: fields(node)))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private var operations: [(tag: String, operation: APIReference.Operation)] {
        var found: [(tag: String, operation: APIReference.Operation)] = []
        for (path, item) in entries(root["paths"]) {
            let shared = item["parameters"]?.array() ?? []
            for method in Self.methods {
                guard let node = item[method], let tag = node["tags"]?.array().first?.string else { continue }
                found.append((tag, operation(node, method, path, shared)))
            }
        }
        return found
    }

    private func operation(_ node: Node, _ method: String, _ path: String, _ shared: [Node]) -> APIReference.Operation {
        APIReference.Operation(
            id: node["operationId"]?.string ?? method + path, method: method.uppercased(), path: path, summary: node["summary"]?.string ?? "",
            about: node["description"]?.string ?? "",
            access: (node["security"] ?? root["security"])?.array().map { entries($0).map(\.name) }.filter { !$0.isEmpty } ?? [],
            parameters: (shared + (node["parameters"]?.array() ?? [])).map { parameter(resolved($0)) },
            body: node["requestBody"].flatMap { contents(resolved($0)).first },
            answers: entries(node["responses"]).map { status, node in
                let answer = resolved(node), name = node["$ref"]?.string?.split(separator: "/").last.map(String.init)
                return APIReference.Answer(status: status, name: name, about: about(answer), content: contents(answer))
            })
    }

    var shared: [APIReference.Answer] {
        entries(root["components"]?["responses"]).map { name, node in
            APIReference.Answer(status: "", name: name, about: about(node), content: contents(node))
        }
    }

    private func parameter(_ node: Node) -> APIReference.Parameter {
        APIReference.Parameter(
            name: node["name"]?.string ?? "", place: node["in"]?.string ?? "", isRequired: node["required"]?.bool ?? false,
            type: node["schema"].map { type($0) } ?? APIReference.TypeText(text: "", names: []), about: about(node))
    }

    private func contents(_ node: Node) -> [APIReference.Content] {
        entries(node["content"]).map { mediaType, node in
            let schema = node["schema"]
            let example = node["example"] ?? node["examples"].flatMap { entries($0).first?.node["value"] }
            return APIReference.Content(
                mediaType: mediaType, type: schema.map { type($0) } ?? APIReference.TypeText(text: "", names: []),
                fields: schema.map { name(of: $0) == nil ? fields($0) : [] } ?? [],
                example: example.map { mediaType.hasSuffix("json") ? APIExample.json($0) : $0.string ?? APIExample.json($0) })
        }
    }

    /// The fields of an object; those of all its parts, where it is several at once.
    private func fields(_ node: Node) -> [APIReference.Field] {
        let required = Set(node["required"]?.array().compactMap(\.string) ?? [])
        let own = entries(node["properties"]).map { name, node in
            APIReference.Field(name: name, isRequired: required.contains(name), type: type(node), about: about(node))
        }
        let parts = node["allOf"]?.array().filter { name(of: $0) == nil }.flatMap { fields($0) } ?? []
        return own + parts
    }

    private func about(_ node: Node) -> String { node["description"]?.string ?? "" }

    /// `list of Link`, `text (date)`: words of JSON, not of the page's language.
    private func type(_ node: Node) -> APIReference.TypeText {
        if let name = name(of: node) { return APIReference.TypeText(text: name, names: [name]) }
        let choices = ["oneOf", "anyOf"].compactMap { node[$0]?.array() }.first
        if let choices { return joined(choices.map { type($0) }, " | ") }
        if let parts = node["allOf"]?.array(), !parts.isEmpty { return joined(parts.map { type($0) }, " & ") }
        if let values = node["enum"]?.array() { return plain(values.map { $0.string ?? "null" }.joined(separator: " | ")) }
        if let value = node["const"]?.string { return plain(value) }
        if let items = node["items"] { return prefixed("array of ", type(items)) }
        if let values = node["additionalProperties"], values.mapping != nil { return prefixed("object of ", type(values)) }
        let names = node["type"]?.array().compactMap(\.string) ?? []
        let text = names.isEmpty ? node["type"]?.string ?? "object" : names.joined(separator: " | ")
        return plain(text + (node["format"]?.string.map { " (\($0))" } ?? "") + bounds(node))
    }

    private func bounds(_ node: Node) -> String {
        let words = ["minimum", "maximum", "minLength", "maxLength", "default"].compactMap { key in node[key]?.string.map { "\(key) \($0)" } }
        return words.isEmpty ? "" : ", " + words.joined(separator: ", ")
    }

    private func plain(_ text: String) -> APIReference.TypeText { APIReference.TypeText(text: text, names: []) }

    private func prefixed(_ words: String, _ type: APIReference.TypeText) -> APIReference.TypeText {
        APIReference.TypeText(text: words + type.text, names: type.names)
    }

    private func joined(_ types: [APIReference.TypeText], _ sign: String) -> APIReference.TypeText {
        APIReference.TypeText(text: types.map(\.text).joined(separator: sign), names: types.flatMap(\.names))
    }

    /// Of a reference to a type.
    private func name(of node: Node) -> String? {
        guard let way = node["$ref"]?.string, way.hasPrefix("#/components/schemas/") else { return nil }
        return way.split(separator: "/").last.map(String.init)
    }

    private func resolved(_ node: Node) -> Node {
        var node = node
        for _ in 0..<Self.mostSteps {
            guard let way = node["$ref"]?.string else { return node }
            var found: Node? = root
            for part in way.split(separator: "/").dropFirst() { found = found?[String(part)] }
            guard let found else { return node }
            node = found
        }
        return node
    }

    private func entries(_ node: Node?) -> [(name: String, node: Node)] {
        node?.mapping.map { mapping in mapping.compactMap { pair in pair.key.string.map { ($0, pair.value) } } } ?? []
    }
}
