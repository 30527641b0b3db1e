// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The part of JSON Schema that `docs/openapi.yaml` uses. An unknown keyword is a fault, so that every keyword is really
/// checked. Stricter than the standard in one point: a field that a schema with properties does not name is a fault, because
/// the document has to name everything that the server sends.
struct JSONSchema {
    private static let silent: Set<String> = ["description", "summary", "examples", "example", "default", "format"]

    let schema: JSONValue
    let document: OpenAPIDocument

    /// The faults of the value, each with its path; empty if it fits.
    func faults(_ value: JSONValue, at path: String = "$") -> [String] {
        guard let schema = document.resolved(schema) else { return ["\(path): the schema leads nowhere"] }
        return faults(value, schema, path, mayHaveMore: false)
    }

    private func faults(_ value: JSONValue, _ schema: JSONValue, _ path: String, mayHaveMore: Bool) -> [String] {
        var faults = schema.members.flatMap { keyword, rule in fault(keyword, rule, value, schema, path) }
        if !mayHaveMore, case .object(let object) = value, let known = knownMembers(schema) {
            faults += object.keys.filter { !known.contains($0) }.sorted().map { "\(path).\($0): is not documented" }
        }
        return faults
    }

    private func fault(
        _ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue, _ path: String
    ) -> [String] {
        switch keyword {
        case "type":
            let types = rule.text.map { [$0] } ?? rule.elements.compactMap(\.text)
            return types.contains { value.isOf(type: $0) } ? [] : ["\(path): is no \(types.joined(separator: " or "))"]
        case "const": return value == rule ? [] : ["\(path): is another value"]
        case "enum": return rule.elements.contains(value) ? [] : ["\(path): is not one of the values"]
        case "required":
            return rule.elements.compactMap(\.text).filter { value[$0] == nil }.map { "\(path).\($0): is missing" }
        case "properties":
            return rule.members.flatMap { name, schema in
                value[name].map { JSONSchema(schema: schema, document: document).faults($0, at: "\(path).\(name)") } ?? []
            }
        case "additionalProperties":
            let named = Set(schema["properties"].members.map(\.key))
            return value.members.filter { !named.contains($0.key) }.flatMap {
                JSONSchema(schema: rule, document: document).faults($0.value, at: "\(path).\($0.key)")
            }
        case "items":
            return value.elements.enumerated().flatMap {
                JSONSchema(schema: rule, document: document).faults($0.element, at: "\(path)[\($0.offset)]")
            }
        case "oneOf":
            let results = rule.elements.map { JSONSchema(schema: $0, document: document).faults(value, at: path) }
            let fitting = results.count(where: \.isEmpty)
            return fitting == 1 ? [] : ["\(path): fits \(fitting) of \(results.count) alternatives: \(results)"]
        case "discriminator":
            guard let variant = rule["propertyName"]?.text.flatMap({ value[$0]?.text }).flatMap({ rule["mapping"]?[$0] }) else {
                return ["\(path): names no variant"]
            }
            return JSONSchema(schema: .object(["$ref": variant]), document: document).faults(value, at: path)
        case "allOf":
            return rule.elements.flatMap { part in
                document.resolved(part).map { faults(value, $0, path, mayHaveMore: true) } ?? ["\(path): leads nowhere"]
            }
        case "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties":
            return isWithin(keyword, rule, value) ? [] : ["\(path): is beyond \(keyword)"]
        case "propertyNames":
            return value.members.flatMap {
                JSONSchema(schema: rule, document: document).faults(.string($0.key), at: "\(path): the name \($0.key)")
            }
        case "pattern":
            guard let text = value.text, let pattern = rule.text.flatMap({ try? Regex($0) }) else {
                return ["\(path): has no text"]
            }
            return text.wholeMatch(of: pattern) == nil ? ["\(path): does not match the pattern"] : []
        default: return Self.silent.contains(keyword) ? [] : ["\(path): the keyword '\(keyword)' is not known here"]
        }
    }

    private func isWithin(_ keyword: String, _ rule: JSONValue, _ value: JSONValue) -> Bool {
        if case .number(let limit) = rule {
            switch value {
            case .integer(let number): return keyword == "minimum" ? Double(number) >= limit : Double(number) <= limit
            case .number(let number): return keyword == "minimum" ? number >= limit : number <= limit
            default: return true
            }
        }
        guard case .integer(let limit) = rule else { return false }
        switch (keyword, value) {
        case ("minimum", .integer(let number)): return number >= limit
        case ("maximum", .integer(let number)): return number <= limit
        case ("minLength", .string(let text)): return text.unicodeScalars.count >= limit
        case ("maxLength", .string(let text)): return text.unicodeScalars.count <= limit
        case ("minItems", .array(let elements)): return elements.count >= limit
        case ("maxItems", .array(let elements)): return elements.count <= limit
        case ("maxProperties", .object(let object)): return object.count <= limit
        default: return true  // a limit for another type says nothing
        }
    }

    /// Nil where any member is allowed: the schema names none.
    private func knownMembers(_ schema: JSONValue) -> Set<String>? {
        if schema["additionalProperties"] != nil || schema["oneOf"] != nil { return nil }
        var known = schema["properties"].map { Set($0.members.map(\.key)) }
        for part in schema["allOf"].elements {
            guard let more = document.resolved(part).flatMap({ knownMembers($0) }) else { return nil }
            known = (known ?? []).union(more)
        }
        return known
    }
}

extension JSONValue {
    fileprivate func isOf(type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }
}
