// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

extension LandfallTools {
    var explain: MCPTool {
        MCPTool(
            "explain", "Explain a paywall",
            "Says why an install sees what it sees at a placement: every audience in order, and each comparison with the compared value. Needs one of 'install' and 'profile', and a key that may read profiles.",
            [
                ToolArgument("install", ToolArgument.shortText, "The id of an install."),
                ToolArgument("profile", ToolArgument.shortText, "The id of a profile: its install that was seen last."),
                ToolArgument("placement", ToolArgument.shortText, "The placement.", isRequired: true),
                ToolArgument("exposure", ToolArgument.shortText, "The id of an event 'paywall_shown': what was known when it arrived (now)."),
            ]
        ) { arguments in
            guard (arguments.text("install") == nil) != (arguments.text("profile") == nil) else {
                throw ArgumentFault("Name one of them: 'install' or 'profile'.")
            }
            let body = try await get("/v1/explain", ["install", "profile", "placement", "exposure"].map { ($0, arguments.text($0)) })
            return try ToolAnswer(lines: ExplanationText(try JSONDecoder().decode(Explanation.self, from: Data(body))).lines, json: body)
        }
    }
}
