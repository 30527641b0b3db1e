// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// The tools that a session has, and what it says of itself.
struct ServedTools: Sendable {
    let tools: [MCPTool]
    /// Tools that this session lacks, with the reason.
    var withheld: [String: String] = [:]
    /// For the reader of the tools.
    var instructions = ""

    /// The `result` of `initialize`.
    func greeting(_ version: MCPVersion) -> JSONValue {
        [
            "protocolVersion": .string(version.rawValue), "capabilities": ["tools": [:]],
            "serverInfo": ["name": "landfall", "title": "Landfall", "version": .string(LandfallVersion.current)],
            "instructions": .string(instructions),
        ]
    }

    /// The `result` of `tools/list`: one page.
    func list(_ parameters: [String: JSONValue], _ version: MCPVersion) throws(RPCFault) -> JSONValue {
        if let cursor = parameters["cursor"], !cursor.isNull {
            throw RPCFault(.wrongParameters, "The list of tools has one page. Leave 'cursor' out.")
        }
        return ["tools": .array(tools.map { $0.description(version) })]
    }

    /// The tool of a `tools/call`. Wrong arguments are the tool's answer, so that the caller reads it and corrects them.
    func call(_ parameters: [String: JSONValue]) throws(RPCFault) -> (MCPTool, Result<ToolArguments, ArgumentFault>) {
        guard let name = parameters["name"]?.string else {
            throw RPCFault(.wrongParameters, "'name' is missing. Name a tool of the list.")
        }
        guard let tool = tools.first(where: { $0.name == name }) else {
            if let reason = withheld[name] { throw RPCFault(.wrongParameters, reason) }
            throw RPCFault(
                .wrongParameters, "There is no tool '\(name.shortened)'.\(Suggestion.sentence(for: name, among: tools.map(\.name)))")
        }
        switch parameters["arguments"] {
        case nil, .null: return (tool, Self.checked([:], tool))
        case .object(let values): return (tool, Self.checked(values, tool))
        default: throw RPCFault(.wrongParameters, "'arguments' is not an object. Write the arguments by name.")
        }
    }

    private static func checked(_ values: [String: JSONValue], _ tool: MCPTool) -> Result<ToolArguments, ArgumentFault> {
        do throws(ArgumentFault) { return .success(try ToolArguments(values, of: tool.arguments)) } catch { return .failure(error) }
    }

    /// The answer of a tool that threw.
    static func answer(to error: any Error) -> ToolAnswer {
        guard let refusal = error as? BackendRefusal else { return .failed("\(error)".withoutSourcePlaces) }
        return .failed(SaidRefusal(refusal).description, document: try? WireCoding.decode(JSONValue.self, from: Data(refusal.document)))
    }
}
