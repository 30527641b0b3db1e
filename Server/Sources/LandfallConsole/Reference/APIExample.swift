// SPDX-License-Identifier: Apache-2.0
import Yams

/// Examples of calls.
enum APIExample {
    /// The node as JSON on one line.
    static func json(_ node: Node) -> String {
        if let mapping = node.mapping {
            return "{" + mapping.map { quoted($0.key.string ?? "") + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
        if let list = node.sequence { return "[" + list.map { json($0) }.joined(separator: ",") + "]" }
        guard let scalar = node.scalar else { return "null" }
        let text = scalar.string
        let isBare = scalar.style == .plain && (Int64(text) != nil || Double(text)?.isFinite == true || ["true", "false", "null"].contains(text))
        return isBare ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A line for a shell. What the caller has to replace is in variables and in capitals.
    static func curl(_ operation: APIReference.Operation) -> String {
        var path = operation.path
        for parameter in operation.parameters where parameter.place == "path" {
            path = path.replacing("{\(parameter.name)}", with: parameter.name.uppercased())
        }
        let query = operation.parameters.filter { $0.place == "query" && $0.isRequired }.map { "\($0.name)=\($0.name.uppercased())" }
        var words = ["curl"]
        if operation.method != "GET" { words.append("-X \(operation.method)") }
        words.append("\"$LANDFALL_SERVER\(path)\(query.isEmpty ? "" : "?" + query.joined(separator: "&"))\"")
        let needed = operation.access.first ?? []
        if needed.contains("serverKey") { words.append("-H \"Authorization: Bearer $LANDFALL_SERVER_KEY\"") }
        if needed.contains("sdkKey") { words.append("-H \"Authorization: Bearer $SDK_KEY\"") }
        if needed.contains("profile") { words.append("-H \"Landfall-Profile: $INSTALL_ID.$SECRET\"") }
        if let body = operation.body {
            words.append("-H \"Content-Type: \(body.mediaType)\"")
            let text = (body.example ?? (body.mediaType.hasSuffix("json") ? "{}" : "@FILE"))
            words.append("--data '\(text.replacing("'", with: "'\\''"))'")
        }
        return words.joined(separator: " \\\n  ")
    }
}
