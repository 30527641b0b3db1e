// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The facts of a row, as ``WebhookFact/text(of:)`` has written them.
struct StoredWebhookFacts: Sendable {
    struct Fact: Decodable, Sendable {
        let type: String
        let atMs: Int64
        let data: [String: JSONValue]
    }

    let facts: [Fact]
}

/// Nearly all rows are plain. `Codable` tries each value as several types.
extension StoredWebhookFacts: PlainlyReadable {
    init(from decoder: any Decoder) throws { facts = try [Fact](from: decoder) }

    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var facts: [Fact] = []
        try json.list { json throws(PlainJSON.NotPlain) in facts.append(try Fact(plain: &json)) }
        self.facts = facts
    }
}

extension StoredWebhookFacts.Fact {
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var type: String?, atMs: Int64?, data: [String: JSONValue]?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "atMs": try atMs.set(json.integer())
            case "data": try data.set([String: JSONValue](fields: &json))
            case "type": try type.set(json.string())
            default: throw PlainJSON.NotPlain()
            }
        }
        guard let type, let atMs, let data else { throw PlainJSON.NotPlain() }
        self.init(type: type, atMs: atMs, data: data)
    }
}

extension [String: JSONValue] {
    fileprivate init(fields json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var fields: [String: JSONValue] = [:]
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            guard fields.updateValue(try JSONValue(plain: &json), forKey: key) == nil else { throw PlainJSON.NotPlain() }
        }
        self = fields
    }
}

extension JSONValue {
    /// Recursive: the server has written what it reads, and it writes nothing deep.
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        switch json.next {
        case UInt8(ascii: "\""): self = .string(try json.string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try json.flag())
        case UInt8(ascii: "{"): self = .object(try [String: JSONValue](fields: &json))
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try json.list { json throws(PlainJSON.NotPlain) in elements.append(try JSONValue(plain: &json)) }
            self = .array(elements)
        default: self = .integer(try json.integer())
        }
    }
}
