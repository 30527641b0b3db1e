// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// The answer of a tool: texts for reading, and the same as JSON where there is a document.
struct ToolAnswer: Sendable {
    /// In bytes. Larger documents are left out: a reader of such an answer has to ask for less.
    static let largestDocument = 256 * 1024

    var texts: [String]
    var document: JSONValue?
    /// The tool could not do what was asked; the texts say why and what to do.
    var isError = false

    init(_ texts: String..., document: JSONValue? = nil) { (self.texts, self.document) = (texts, document) }

    /// As a command prints them: control characters of strangers' texts are visible.
    init(lines: [String], document: JSONValue? = nil) {
        self.init(lines.joined(separator: "\n").withoutControl, document: document)
    }

    /// - Parameter json: the answer of the server.
    init(lines: [String], json: [UInt8]) throws { self.init(lines: lines, document: try WireCoding.decode(JSONValue.self, from: Data(json))) }

    init(lines: [String], encoding document: some Encodable) throws {
        try self.init(lines: lines, json: Array(WireCoding.encode(document)))
    }

    static func failed(_ text: String, document: JSONValue? = nil) -> ToolAnswer {
        var answer = ToolAnswer(lines: [text], document: document)
        answer.isError = true
        return answer
    }

    /// The `result` of `tools/call`.
    func result(_ version: MCPVersion) throws -> JSONValue {
        var texts = texts, result: [String: JSONValue] = ["isError": .bool(isError)]
        if let document {
            let json = try WireCoding.encode(document)
            if json.count > Self.largestDocument {
                texts.append(
                    "The same as JSON has \(json.count) bytes and is left out: at most \(Self.largestDocument) fit. Ask for less, such as fewer days.")
            } else if version.hasStructure, case .object = document {
                result["structuredContent"] = document
            } else {
                texts.append(String(decoding: json, as: UTF8.self))
            }
        }
        result["content"] = .array(texts.map { ["type": "text", "text": .string($0)] })
        return .object(result)
    }
}
