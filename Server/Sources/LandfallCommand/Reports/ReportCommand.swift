// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallServer

/// `landfall report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows the numbers of campaigns, links, paywalls and installs.",
        subcommands: [
            OneReportCommand<OverviewHelp>.self, OneReportCommand<CampaignsHelp>.self, OneReportCommand<FunnelHelp>.self,
            OneReportCommand<LinksHelp>.self, OneReportCommand<PaywallsHelp>.self, OneReportCommand<RetentionHelp>.self,
            ReportRebuildCommand.self,
        ]
    )
}

/// What `landfall report` says of one report.
protocol ReportHelp {
    static var kind: ReportKind { get }
    static var abstract: String { get }
    static var discussion: String { get }
}

/// `landfall report campaigns` and the other reports: the same command, each with its own help.
struct OneReportCommand<Help: ReportHelp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Help.kind.rawValue, abstract: Help.abstract, discussion: Help.discussion)
    }

    @OptionGroup var options: ReportOptions

    func run() async throws { try await options.print(Help.kind) }
}

enum OverviewHelp: ReportHelp {
    static let kind = ReportKind.overview
    static let abstract = "Counts first opens, their results, and clicks, day by day."
    static let discussion = """
        Days are in the app's time zone, and both ends count. --by is day, or empty for one row. The numbers are those of the report \
        campaigns.
        """
}

enum CampaignsHelp: ReportHelp {
    static let kind = ReportKind.campaigns
    static let abstract = "Counts first opens and their results, by source."
    static let discussion = """
        Days are in the app's time zone, and both ends count. The fields of --by are day, source, channel, campaign, adGroup, adSet, creative, \
        keyword, country, platform, link and appVersion (source,campaign where it is left out). Counted in advance are the source's \
        fields together, and source with country and platform, with link, or with appVersion (of the app at the first open). For \
        other combinations the server reads every install and the events of these days: on a store of millions this takes minutes.
        """
}

enum FunnelHelp: ReportHelp {
    static let kind = ReportKind.funnel
    static let abstract = "Counts clicks, redirects to a store, first opens, and who saw a paywall."
    static let discussion = """
        Days are in the app's time zone, and both ends count. The fields of --by are day, source, campaign and country (day where it is left \
        out); campaign and country are not counted together. Clicks are taps, first opens are installs: the ratio of the two is \
        not computed.
        """
}

enum LinksHelp: ReportHelp {
    static let kind = ReportKind.links
    static let abstract = "Counts clicks and taps on buttons of pages, by link, day, campaign, platform or referrer."
    static let discussion = """
        Days are in the app's time zone, and both ends count. The fields of --by are day, host, path, campaign, adGroup, creative, channel, \
        platform, country, referrer, browser, language and productPage (host,path where it is left out).
        """
}

enum PaywallsHelp: ReportHelp {
    static let kind = ReportKind.paywalls
    static let abstract = "Counts who saw which paywall, and their results."
    static let discussion = """
        Days are in the app's time zone, and both ends count. The fields of --by are day, placement, paywall, variation, audience and origin \
        (placement,paywall where it is left out). All of them are counted in advance. An install counts on the day when it first saw what the \
        row names. Until the server has counted its first days, it reads the events of these days.
        """
}

enum RetentionHelp: ReportHelp {
    static let kind = ReportKind.retention
    static let abstract = "Counts the installs that come back, by the day of their first open."
    static let discussion = """
        Days are in the app's time zone, and both ends count. The fields of --by are day, week, source and campaign (day where it is left \
        out, week for more than 31 days). A number is unknown until the whole row is old enough for it.
        """
}

/// What is asked of every report, and how the answer is shown.
struct ReportOptions: ParsableArguments {
    @Option(help: "The first day, such as 2026-11-01 (the first of the 30 days that end with --to).")
    var from: String?

    @Option(help: "The last day (today).")
    var to: String?

    @Option(help: "The fields that rows are grouped by, separated by commas.")
    var by: String?

    @Flag(help: "Comma-separated values: one line for each row, after the names of its fields.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func checkForms() throws {
        guard !(csv && store.json) else { throw ValidationError("--csv and --json are two forms. Choose one of them.") }
    }

    func print(_ report: ReportKind) async throws {
        try checkForms()
        let target = BackendCall.target("/v1/reports/" + report.rawValue, [("from", from), ("to", to), ("by", by)])
        let call = BackendCall("GET", target)
        let answer = try await store.withReach { try await $0.call(call, within: .seconds(600)) }
        let document = try JSONDecoder().decode(ReportDocument.self, from: Data(answer))
        if store.json {
            try store.printJSON(document)
        } else {
            Output.line(csv ? ReportCSV(document).text : ReportTable(document).lines.joined(separator: "\n"))
        }
    }
}
