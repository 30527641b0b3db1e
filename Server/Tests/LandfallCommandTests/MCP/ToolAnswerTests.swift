// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallCommand

@Suite("Answers of tools", .timeLimit(.minutes(1)))
struct ToolAnswerTests {
    @Test("have the document as JSON, or as a text in a revision without structure", arguments: MCPVersion.allCases)
    func document(version: MCPVersion) throws {
        let result = try ToolAnswer("Two rows.", document: ["rows": 2]).result(version)

        #expect(result["structuredContent"] == (version.hasStructure ? ["rows": 2] : nil))
        let texts = result["content"]?.array?.compactMap { $0["text"]?.string }
        #expect(texts == (version.hasStructure ? ["Two rows."] : ["Two rows.", #"{"rows":2}"#]))
    }

    @Test("leave a document out that is too large, and say so")
    func large() throws {
        let document: JSONValue = ["text": .string(String(repeating: "x", count: ToolAnswer.largestDocument))]
        let result = try ToolAnswer("Much.", document: document).result(.june2025)

        #expect(result["structuredContent"] == nil)
        #expect(result["content"]?[1]?["text"]?.string?.contains("is left out") == true)
    }

    @Test("show control characters in lines, and keep a text of a file as it is")
    func control() throws {
        let lines = try ToolAnswer(lines: ["a\u{1B}[2J", "b"]).result(.june2025), text = try ToolAnswer("a\u{1B}[2J").result(.june2025)
        let failed = try ToolAnswer.failed("a\u{202E}b").result(.june2025)

        #expect(lines["content"]?[0]?["text"] == "a\\u001b[2J\nb")
        #expect(text["content"]?[0]?["text"] == "a\u{1B}[2J")
        #expect(failed["content"]?[0]?["text"] == "a\\u202eb")
        #expect(failed["isError"] == true)
    }

    @Test("describe a tool as its revision does", arguments: MCPVersion.allCases)
    func description(version: MCPVersion) {
        let description = MCPTool("publish", "Publish", "Publishes.", effect: .replaces) { _ in ToolAnswer("") }.description(version)

        #expect(description["name"] == "publish")
        #expect(description["title"] == (version.hasStructure ? "Publish" : nil))
        #expect(description["annotations"]?["readOnlyHint"] == (version.hasAnnotations ? false : nil))
        #expect(description["annotations"]?["destructiveHint"] == (version.hasAnnotations ? true : nil))
    }
}
