// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Says what became of links.", subcommands: [LinkReportCommand.self]
    )
}

/// `landfall report links`.
struct LinkReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "Counts clicks, by link, day, campaign or platform.",
        discussion: """
            Days are in UTC, and both ends count. The fields of --by are day, host, path, campaign, adGroup, creative, channel, \
            platform and country. Works at --server with a key that may read reports, else in the folder of the store.
            """
    )

    @Option(help: "The first day, such as 2026-11-01 (30 days up to the last).")
    var from: String?

    @Option(help: "The last day (today).")
    var to: String?

    @Option(help: "What rows are told apart by, with commas between (host,path).")
    var by: String?

    @Flag(help: "Comma-separated values: one line for each row, after the names of its fields.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        guard !(csv && store.json) else { throw ValidationError("--csv and --json are two forms. Choose one of them.") }
        let call = BackendCall("GET", target)
        let answer = try await store.withReach { try await $0.call(call) }
        let document = try JSONDecoder().decode(ReportDocument.self, from: Data(answer))
        if store.json {
            try store.printJSON(document)
        } else {
            Output.line(csv ? ReportCSV(document).text : ReportTable(document).lines.joined(separator: "\n"))
        }
    }

    private var target: String {
        var parts = URLComponents()
        parts.path = "/v1/reports/links"
        parts.queryItems = [("from", from), ("to", to), ("by", by)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        return parts.string ?? parts.path
    }
}
