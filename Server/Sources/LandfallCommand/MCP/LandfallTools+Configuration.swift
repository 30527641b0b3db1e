// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

extension LandfallTools {
    private static let file = "landfall.yaml"
    private static let yaml = ToolArgument("yaml", .text(ConfigurationText.largest), "The whole text of landfall.yaml.", isRequired: true)
    private static let version = ToolArgument.Kind.number(1...Int64.max)
    private static let path = PublishingRoutes.path

    var configuration: [MCPTool] { [read, versions, check, diff, impact] }

    private var read: MCPTool {
        MCPTool(
            "read_configuration", "Read the configuration",
            "The text of landfall.yaml as it was published: keys, audiences, placements, paywalls, experiments, links; epochs that the server counts are written in. The first text says the version's number.",
            [ToolArgument("version", Self.version, "The version (the newest).")]
        ) { arguments in
            let number = if let number = arguments.number("version") { number } else { try await newest() }
            let text = try await get("\(PublishingRoutes.versionsPath)/\(number)")
            return ToolAnswer("This is version \(number).", String(decoding: text, as: UTF8.self))
        }
    }

    private func newest() async throws -> Int64 {
        let list = try JSONDecoder().decode([VersionEntry].self, from: Data(try await get(PublishingRoutes.versionsPath, [("limit", "1")])))
        guard let number = list.lazy.compactMap(\.version).first else { throw NoVersion() }
        return number
    }

    private struct NoVersion: Error, CustomStringConvertible {
        let description = "The server has no version of the configuration yet. Publish one with 'landfall apply landfall.yaml'."
    }

    private var versions: MCPTool {
        MCPTool(
            "list_versions", "List versions", "Versions of the configuration, newest first, with author and reason, and what is scheduled.",
            [
                ToolArgument("before", Self.version, "Only versions before this one."),
                ToolArgument("limit", .number(1...1_000), "The most versions to list (20)."),
            ]
        ) { arguments in
            let limit = arguments.number("limit") ?? 20
            let body = try await get(
                PublishingRoutes.versionsPath, [("before", arguments.number("before").map(String.init)), ("limit", "\(limit)")])
            let lines = try JSONDecoder().decode([VersionEntry].self, from: Data(body)).map(VersionsCommand.line)
            let list = try WireCoding.decode(JSONValue.self, from: Data(body))
            return ToolAnswer(lines: lines, document: ["versions": list])
        }
    }

    private var check: MCPTool {
        MCPTool(
            "check_configuration", "Check a configuration",
            "Says whether a text can be served, with line, column and advice for every problem, and warns of probable mistakes. Nothing is published.",
            [
                Self.yaml,
                ToolArgument(
                    "at", .choice(["server", "here"]),
                    "Who reads it (server): the server knows its own secrets and how many installs lack a value; 'here' sends the text nowhere, and looks for the secrets that it names in the environment of this program."),
            ]
        ) { arguments in
            let yaml = arguments.text("yaml") ?? ""
            let isLocal = arguments.text("at") == "here"
            let check = isLocal ? ConfigurationCheck(yaml: yaml, file: Self.file, nowMs: ServerTime.live.nowMs()) : try await reached(yaml)
            return try ToolAnswer(lines: [check.description] + PublishingCall.lines(check.warnings), encoding: check)
        }
    }

    private func reached(_ yaml: String) async throws -> ConfigurationCheck {
        do {
            return ConfigurationCheck(file: Self.file, answer: try JSONDecoder().decode(PublishingAnswer.self, from: Data(try await dryRun(yaml))))
        } catch let refusal as BackendRefusal {
            guard let check = ConfigurationCheck(file: Self.file, refusal: refusal) else { throw refusal }
            return check
        }
    }

    /// What publishing would do; it does nothing.
    private func dryRun(_ yaml: String, base: Int64? = nil) async throws -> [UInt8] {
        try await reach.call(
            BackendCall("POST", Self.path + "?dryRun=true", body: Array(yaml.utf8), fields: PublishingCall.fields(message: nil, base: base)))
    }

    private var diff: MCPTool {
        MCPTool(
            "diff_configuration", "Compare a configuration",
            "Says what a text would change in the newest version, one sentence for each change of meaning. Nothing is published.",
            [Self.yaml, ToolArgument("expectedVersion", Self.version, "The version that the text was made from; a newer one is an error (any).")]
        ) { arguments in
            let body = try await dryRun(arguments.text("yaml") ?? "", base: arguments.number("expectedVersion"))
            let answer = try JSONDecoder().decode(PublishingAnswer.self, from: Data(body))
            return try ToolAnswer(lines: PublishingCall.lines(answer) + PublishingCall.lines(answer.warnings), json: body)
        }
    }

    private var impact: MCPTool {
        MCPTool(
            "measure_impact", "Measure the impact of a configuration",
            "Says for each placement how many installs would see another paywall if the text were published, by a sample of stored installs. Nothing is published.",
            [Self.yaml, ToolArgument("sample", .number(1...100_000), "How many installs to draw (10000).")]
        ) { arguments in
            let body = try await reach.call(
                BackendCall(
                    "POST", BackendCall.target(ImpactRoutes.path, [("sample", arguments.number("sample").map(String.init))]),
                    body: Array((arguments.text("yaml") ?? "").utf8), fields: PublishingCall.fields(message: nil, base: nil)),
                within: Self.longestCount)
            let impact = try JSONDecoder().decode(ConfigurationImpact.self, from: Data(body))
            return try ToolAnswer(lines: ImpactCommand.lines(impact) + PublishingCall.lines(impact.warnings), json: body)
        }
    }

    /// Only for a session that may publish.
    var publish: MCPTool {
        MCPTool(
            Self.publishing, "Publish a configuration",
            "Publishes a text as the next version: every app sees it at once. It is refused if the newest version is not the expected one. Ask the person before.",
            effect: .replaces,
            [
                Self.yaml,
                ToolArgument("message", .text(VersionPublisher.longestMessage), "The reason, in one line, for readers of the list of versions.", isRequired: true),
                ToolArgument(
                    "expectedVersion", Self.version, "The version that the text was made from, as read_configuration says it.", isRequired: true),
            ]
        ) { arguments in
            let body = try await reach.call(
                BackendCall(
                    "POST", Self.path, body: Array((arguments.text("yaml") ?? "").utf8),
                    fields: PublishingCall.fields(message: arguments.text("message"), base: arguments.number("expectedVersion"))))
            let answer = try JSONDecoder().decode(PublishingAnswer.self, from: Data(body))
            return try ToolAnswer(lines: PublishingCall.lines(answer) + PublishingCall.lines(answer.warnings), json: body)
        }
    }
}
