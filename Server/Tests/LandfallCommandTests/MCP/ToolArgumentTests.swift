// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallCommand

@Suite("Arguments of tools", .timeLimit(.minutes(1)))
struct ToolArgumentTests {
    private static let arguments = [
        ToolArgument("text", .text(4), "A text.", isRequired: true), ToolArgument("name", .name, "A name."),
        ToolArgument("choice", .choice(["a", "b"]), "One of two."), ToolArgument("number", .number(1...9), "A number."),
        ToolArgument("flag", .flag, "Yes or no."), ToolArgument("list", .list(.text(2), 2), "A list."),
        ToolArgument("object", .object([ToolArgument("to", .text(9), "Where.", isRequired: true)]), "An object."),
    ]

    private static func fault(_ values: [String: JSONValue]) -> String? {
        do throws(ArgumentFault) {
            _ = try ToolArguments(values.merging(["text": "x"]) { given, _ in given }, of: arguments)
            return nil
        } catch { return error.description }
    }

    @Test(
        "that fit are taken, a null as an absent one",
        arguments: [
            [:], ["text": "ää"], ["name": "spring-price_2.1"], ["choice": "b"], ["number": 1], ["number": 9.0], ["flag": false], ["list": []],
            ["list": ["ab", "c"]], ["object": ["to": "x"]], ["name": .null, "number": .null],
        ] as [[String: JSONValue]])
    func right(values: [String: JSONValue]) {
        #expect(Self.fault(values) == nil)
    }

    @Test(
        "that do not fit are named",
        arguments: [
            (["text": .null], "The argument 'text' is missing. A text."), (["text": 1], "'text' is not a text."),
            (["text": "äää"], "'text' has 6 bytes; at most 4 fit. Shorten it."),
            (["name": "../links"], "'name' is not a name of 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'."),
            (["name": ".."], "'name' is not a name of 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'."),
            (["name": ""], "'name' is not a name of 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'."),
            (["choice": "c"], "'choice' has to be one of 'a', 'b'."), (["number": 0], "'number' has to be a whole number from 1 to 9."),
            (["number": 1.5], "'number' has to be a whole number from 1 to 9."), (["number": "1"], "'number' has to be a whole number from 1 to 9."),
            (["flag": "true"], "'flag' has to be true or false."), (["list": "a"], "'list' is not a list."),
            (["list": ["a", "b", "c"]], "'list' has 3 elements; at most 2 fit."), (["list": ["a", 1]], "'list[1]' is not a text."),
            (["object": "a"], "'object' is not an object."), (["object": [:]], "The argument 'object.to' is missing. Where."),
            (["object": ["to": "x", "too": "y"]], "There is no argument 'object.too'. Did you mean 'to'?"),
            (["nam": "a"], "There is no argument 'nam'. Did you mean 'name'?"),
        ] as [([String: JSONValue], String)])
    func wrong(values: [String: JSONValue], said: String) {
        #expect(Self.fault(values) == said)
    }

    @Test("have a schema that refuses others")
    func schema() {
        let schema = ToolArgument.schema(Self.arguments)

        #expect(schema["type"] == "object")
        #expect(schema["additionalProperties"] == false)
        #expect(schema["required"] == ["text"])
        #expect(schema["properties"]?["number"] == ["type": "integer", "minimum": 1, "maximum": 9, "description": "A number."])
        #expect(schema["properties"]?["list"]?["items"]?["type"] == "string")
        #expect(schema["properties"]?["object"]?["required"] == ["to"])
        #expect(ToolArgument.schema([])["required"] == nil)
    }
}
