// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallReports
import LandfallResults
import LandfallServer

extension LandfallTools {
    private static let days = [
        ToolArgument("from", ToolArgument.shortText, "The first day, such as 2026-11-01 (the first of the 30 days that end with 'to')."),
        ToolArgument("to", ToolArgument.shortText, "The last day, which counts (today)."),
    ]

    private static func by(_ fields: String) -> ToolArgument {
        ToolArgument("by", .list(ToolArgument.shortText, 16), "The fields that rows are grouped by; an empty list is one row. \(fields)")
    }

    var numbers: [MCPTool] { [report, experiments, results, revenue] }

    private var report: MCPTool {
        let fields = ReportKind.allCases.map { "\($0.rawValue): \($0.dimensions.joined(separator: ", "))" }.joined(separator: ". ")
        return MCPTool(
            "report", "Report",
            "Numbers of days: overview (first opens and clicks), campaigns (first opens and results by source), funnel (clicks, redirects, first opens, paywalls), links (clicks), paywalls (who saw which, and results), retention (installs that come back). The text has the first 50 rows; the JSON has all, with the definition of each column.",
            [ToolArgument("report", .choice(ReportKind.allCases.map(\.rawValue)), "Which one.", isRequired: true)] + Self.days
                + [Self.by("Of \(fields).")]
        ) { arguments in
            let body = try await get(
                "/v1/reports/" + (arguments.text("report") ?? ""),
                [("from", arguments.text("from")), ("to", arguments.text("to")), ("by", arguments.joined("by"))], within: Self.longestCount)
            return try ToolAnswer(lines: ReportTable(try JSONDecoder().decode(ReportDocument.self, from: Data(body))).lines, json: body)
        }
    }

    private var experiments: MCPTool {
        MCPTool("list_experiments", "List experiments", "All experiments with state, day, units and variations.") { _ in
            let body = try await get("/v1/experiments", within: Self.longestCount)
            return try ToolAnswer(lines: ExperimentTable(try JSONDecoder().decode(ExperimentList.self, from: Data(body))).lines, json: body)
        }
    }

    private var results: MCPTool {
        MCPTool(
            "experiment_results", "Results of an experiment",
            "Health, verdict, metrics and guardrails of an experiment, in the order in which to read them. The intervals are valid at any look; if the sample ratio failed, every verdict is suppressed.",
            [ToolArgument("experiment", .name, "Its name in the configuration.", isRequired: true)]
        ) { arguments in
            let body = try await get("/v1/experiments/\(arguments.text("experiment") ?? "")/numbers", within: Self.longestCount)
            let numbers = try NumbersDocument(body).numbers, results = try ResultsDocument(numbers)
            return try ToolAnswer(lines: ResultsPage(results, numbers).lines, encoding: results)
        }
    }

    private var revenue: MCPTool {
        MCPTool(
            "revenue", "Revenue",
            "What people paid in the App Store, by where they came from. Amounts in the JSON are thousandths of the currency; proceeds are estimates.",
            [
                ToolArgument(
                    "view", .choice(RevenueView.allCases.map(\.rawValue)),
                    "How money is laid out on days (purchase): on the day of the purchase, on the day of each booking, what is running, or by the day of the first open.")
            ] + Self.days
                + [Self.by("Of day, source, channel, campaign, adGroup, keyword, link, placement, paywall, variation, product, country, currency.")]
        ) { arguments in
            let body = try await get(
                RevenueRoutes.path,
                [
                    ("view", arguments.text("view")), ("from", arguments.text("from")), ("to", arguments.text("to")), ("by", arguments.joined("by")),
                ], within: Self.longestCount)
            return try ToolAnswer(lines: RevenueTable(try JSONDecoder().decode(RevenueDocument.self, from: Data(body))).lines, json: body)
        }
    }
}
