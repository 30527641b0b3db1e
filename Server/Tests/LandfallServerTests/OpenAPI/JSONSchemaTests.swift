// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The schema check in these tests", .timeLimit(.minutes(1)))
struct JSONSchemaTests {
    private func faults(_ schema: String, _ value: String) throws -> [String] {
        let schema = try WireCoding.decode(JSONValue.self, from: Data(schema.utf8))
        let value = try WireCoding.decode(JSONValue.self, from: Data(value.utf8))
        let root: JSONValue = ["text": ["type": "string"], "named": ["properties": ["a": ["const": "b"]]]]
        return JSONSchema(schema: schema, document: OpenAPIDocument(root: root)).faults(value)
    }

    @Test(
        "accepts what fits and reports what does not",
        arguments: [
            (#"{"type":"string"}"#, #""a""#, "1"), (#"{"type":["string","null"]}"#, "null", "1"),
            (#"{"type":"number"}"#, "1.5", "true"),
            (#"{"type":"integer","minimum":0}"#, "0", "-1"), (#"{"enum":["a","b"]}"#, #""b""#, #""c""#),
            (#"{"const":"a"}"#, #""a""#, "1"),
            (#"{"type":"object","required":["a"],"properties":{"a":{"type":"boolean"}}}"#, #"{"a":true}"#, "{}"),
            (#"{"properties":{"a":{"type":"boolean"}}}"#, #"{"a":true}"#, #"{"a":1}"#),
            (#"{"properties":{"a":{}}}"#, "{}", #"{"b":1}"#),
            (#"{"additionalProperties":{"type":"string"}}"#, #"{"x":"y"}"#, #"{"x":1}"#),
            (##"{"items":{"$ref":"#/text"}}"##, #"["a"]"#, "[1]"), (#"{"minItems":1,"maxItems":2}"#, "[1]", "[1,2,3]"),
            (#"{"maxLength":2}"#, #""ab""#, #""abc""#), (#"{"pattern":"^[a-z]+$"}"#, #""abc""#, #""ab1""#),
            (#"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, "1", "true"),
            (##"{"discriminator":{"propertyName":"a","mapping":{"b":"#/named"}}}"##, #"{"a":"b"}"#, #"{"a":"c"}"#),
            (##"{"discriminator":{"propertyName":"a","mapping":{"b":"#/named"}}}"##, #"{"a":"b"}"#, #"{"a":"b","c":1}"#),
            (#"{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}"#, #"{"a":1,"b":2}"#, #"{"c":1}"#),
            (##"{"$ref":"#/text"}"##, #""a""#, "1"),
        ] as [(String, String, String)])
    func check(schema: String, right: String, wrong: String) throws {
        #expect(try faults(schema, right) == [])
        #expect(try !faults(schema, wrong).isEmpty)
    }

    @Test("fails on an unknown keyword, or on a broken reference")
    func unknown() throws {
        #expect(try faults(#"{"multipleOf":2}"#, "2") == ["$: the keyword 'multipleOf' is not known here"])
        #expect(try faults(##"{"$ref":"#/nowhere"}"##, "2") == ["$: the schema leads nowhere"])
    }
}
