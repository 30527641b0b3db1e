// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A tool of the server: what a client is told of it, and what a call does.
struct MCPTool: Sendable {
    /// What a call may change; a client asks its person by it.
    enum Effect: Sendable {
        case reads
        case adds
        case replaces
    }

    let name: String
    let title: String
    let about: String
    let effect: Effect
    let arguments: [ToolArgument]
    /// An error that it throws becomes an answer that says so.
    let run: @Sendable (ToolArguments) async throws -> ToolAnswer

    init(
        _ name: String, _ title: String, _ about: String, effect: Effect = .reads, _ arguments: [ToolArgument] = [],
        run: @escaping @Sendable (ToolArguments) async throws -> ToolAnswer
    ) {
        (self.name, self.title, self.about, self.effect, self.arguments, self.run) = (name, title, about, effect, arguments, run)
    }

    /// An element of `tools/list`.
    func description(_ version: MCPVersion) -> JSONValue {
        var description: [String: JSONValue] = [
            "name": .string(name), "description": .string(about), "inputSchema": ToolArgument.schema(arguments),
        ]
        if version.hasStructure { description["title"] = .string(title) }
        if version.hasAnnotations {
            description["annotations"] = [
                "title": .string(title), "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .replaces),
                "idempotentHint": .bool(effect == .reads), "openWorldHint": false,
            ]
        }
        return .object(description)
    }
}
