// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// The `schema` of a paywall.
    /// - Returns: nil if it has problems of its own.
    mutating func remoteConfigSchema(_ node: ConfigurationNode) -> RemoteConfigSchema? {
        let noted = problems.count
        var schema = RemoteConfigSchemaReader()
        schema.read(node, &self)
        return problems.count == noted ? RemoteConfigSchema(rules: schema.rules) : nil
    }
}

/// Reads the rules of one schema into one list, so that a reference is an index.
private struct RemoteConfigSchemaReader {
    typealias Rule = RemoteConfigSchema.Rule

    private(set) var rules: [Rule] = []
    private var definitions: [ExactText: Int] = [:]
    /// References that are looked up when all definitions are known.
    private var references: [(rule: Int, name: ConfigurationNode, text: String)] = []

    mutating func read(_ root: ConfigurationNode, _ reader: inout ConfigurationReader) {
        _ = rule(root, isRoot: true, &reader)
        for reference in references {
            if reference.text == "#" {
                rules[reference.rule].reference = 0
            } else if let definition = definition(reference.text) {
                rules[reference.rule].reference = definition
            } else {
                reader.note(
                    reference.name.place,
                    "'$ref' cannot be '\(reference.text.shortened)'. Write '#/$defs/NAME' with a name below '$defs' of this schema, or '#'."
                        + Suggestion.sentence(for: reference.text, among: definitions.keys.map { "#/$defs/\($0.text)" }))
            }
        }
        for reference in references where chain(from: reference.rule) > RemoteConfigSchema.longestReference {
            reader.note(
                reference.name.place,
                "This '$ref' leads to another one, more than \(RemoteConfigSchema.longestReference) times. Name the last of them here.")
        }
    }

    private func definition(_ text: String) -> Int? {
        let prefix = "#/$defs/"
        guard text.hasPrefix(prefix) else { return nil }
        return definitions[ExactText(String(text.dropFirst(prefix.count)))]
    }

    /// How many rules stand for one value; more than the most in a circle.
    private func chain(from rule: Int) -> Int {
        var count = 0
        var next = rules[rule].reference
        while let rule = next, count <= RemoteConfigSchema.longestReference {
            count += 1
            next = rules[rule].reference
        }
        return count
    }

    /// - Returns: the number of the rule.
    private mutating func rule(_ node: ConfigurationNode, isRoot: Bool = false, _ reader: inout ConfigurationReader) -> Int {
        let number = rules.count
        rules.append(Rule())
        if case .scalar("true", isQuoted: false) = node.content { return number }
        if case .scalar("false", isQuoted: false) = node.content {
            rules[number].allowsNothing = true
            return number
        }
        guard let entries = reader.entries(node, of: "A schema") else { return number }
        for entry in entries { keyword(entry, of: number, isRoot: isRoot, &reader) }
        return number
    }

    private mutating func keyword(
        _ entry: ConfigurationNode.Entry, of number: Int, isRoot: Bool, _ reader: inout ConfigurationReader
    ) {
        let node = entry.value
        switch entry.key {
        case "type": rules[number].kinds = kinds(node, &reader)
        case "properties":
            for property in reader.entries(node, of: "'properties'") ?? [] {
                rules[number].properties[ExactText(property.key)] = rule(property.value, &reader)
            }
        case "required": rules[number].required = names(node, &reader)
        case "additionalProperties": rules[number].additional = rule(node, &reader)
        case "items": rules[number].items = rule(node, &reader)
        case "enum": values(reader.list(node, of: "'enum'") ?? [], of: number, at: node.place, &reader)
        case "const": values([node], of: number, at: node.place, &reader)
        case "minimum": rules[number].minimum = bound(node, "'minimum'", &reader)
        case "maximum": rules[number].maximum = bound(node, "'maximum'", &reader)
        case "minLength", "maxLength": rules[number].lengths = range(entry, rules[number].lengths, &reader)
        case "minItems", "maxItems": rules[number].counts = range(entry, rules[number].counts, &reader)
        case "$ref":
            if let text = reader.text(node, "'$ref'") { references.append((number, node, text)) }
        case "$defs" where isRoot:
            for definition in reader.entries(node, of: "'$defs'") ?? [] {
                definitions[ExactText(definition.key)] = rule(definition.value, &reader)
            }
        case "$schema" where isRoot:
            if let text = reader.text(node, "'$schema'"), text != RemoteConfigSchema.dialect {
                reader.note(node.place, "'$schema' cannot be '\(text.shortened)'. Write \(RemoteConfigSchema.dialect), or leave it out.")
            }
        case "$defs", "$schema":
            reader.note(entry.keyPlace, "'\(entry.key)' is allowed only at the top of a schema. Move it there.")
        case "$comment", "default", "deprecated", "description", "examples", "format", "readOnly", "title", "writeOnly": break
        default:
            reader.note(
                entry.keyPlace,
                "'\(entry.key.shortened)' of JSON Schema is not supported here. Remove it."
                    + Suggestion.sentence(for: entry.key, among: RemoteConfigSchema.keywords))
        }
    }

    private func kinds(_ node: ConfigurationNode, _ reader: inout ConfigurationReader) -> Set<RemoteConfigSchema.Kind>? {
        var elements = [node]
        if case .list(let listed) = node.content { elements = listed }
        if elements.isEmpty { reader.note(node.place, "'type' is empty, so no value fits. Name a type.") }
        return Set(elements.compactMap { kind($0, &reader) })
    }

    private func kind(_ node: ConfigurationNode, _ reader: inout ConfigurationReader) -> RemoteConfigSchema.Kind? {
        // A plain null is not a text, but it is the name of a type.
        if case .scalar("null", _) = node.content { return .null }
        return reader.choice(node, "A type", as: RemoteConfigSchema.Kind.self)
    }

    private func names(_ node: ConfigurationNode, _ reader: inout ConfigurationReader) -> [String] {
        (reader.list(node, of: "'required'") ?? []).compactMap { reader.text($0, "A name in 'required'", longest: .max) }
    }

    private mutating func values(
        _ nodes: [ConfigurationNode], of number: Int, at place: ConfigurationNode.Place, _ reader: inout ConfigurationReader
    ) {
        if nodes.isEmpty { reader.note(place, "'enum' is empty, so no value fits. List the values.") }
        let values = nodes.compactMap { reader.json($0) }
        let found = Set(values.map { ExactJSON($0) })
        rules[number].values = rules[number].values.map { $0.intersection(found) } ?? found
        rules[number].listed = nodes.prefix(10).compactMap(\.text).map(\.shortened)
    }

    private func bound(_ node: ConfigurationNode, _ what: String, _ reader: inout ConfigurationReader) -> JSONValue? {
        let value = reader.json(node)
        if value?.double != nil { return value }
        reader.note(node.place, "\(what) is not a number. Write one without quotes.")
        return nil
    }

    private func range(
        _ entry: ConfigurationNode.Entry, _ range: ClosedRange<Int>, _ reader: inout ConfigurationReader
    ) -> ClosedRange<Int> {
        guard let count = reader.json(entry.value)?.integer, count >= 0 else {
            reader.note(entry.value.place, "'\(entry.key)' is not a whole number of 0 or more. Write one without quotes.")
            return range
        }
        let (least, most) = entry.key.hasPrefix("min") ? (count, range.upperBound) : (range.lowerBound, count)
        guard least <= most else {
            reader.note(entry.keyPlace, "No value fits between \(least) and \(most). Correct one of the two.")
            return range
        }
        return least...most
    }
}
