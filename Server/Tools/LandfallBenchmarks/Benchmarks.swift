// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// Measures the speed that the docs claim. Not part of the product.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LandfallBenchmarks", abstract: "Measures what the docs claim.",
        subcommands: [
            DeferredLookupCommand.self, ParsersCommand.self, HardTextsCommand.self, EmptyHandlerCommand.self, StoredInstallsCommand.self, DecisionsCommand.self,
            StoredExperimentCommand.self, StoredReportsCommand.self, VisitorsCommand.self,
            TapWaitsCommand.self, VerificationsCommand.self, SignedNotificationsCommand.self, RevenueCommand.self, WebhooksCommand.self,
            WebhookReceiverCommand.self, ExportsCommand.self, PageChecksumsCommand.self,
        ]
    )
}

struct ParsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parsers", abstract: "What does a byte cost each parser, at three sizes of its hardest text?"
    )

    @Argument(help: "Only parsers whose name contains this.") var word: String?
    @Flag(help: "One JSON document.") var json = false

    func run() throws { try ParserFigures(word: word).run(json: json) }
}

struct DeferredLookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deferred-lookup", abstract: "Does finding a deferred link cost more if more clicks are stored?"
    )

    @Option(help: "Clicks of the small store.") var few = 1_000
    @Option(help: "Clicks of the large store.") var many = 1_000_000
    @Option(help: "Calls of each kind on each store.") var calls = 1_000

    func run() async throws { try await DeferredLookup(small: few, large: many, calls: calls).run() }
}

struct DecisionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions", abstract: "What does a decision take? JSON, for Benchmarks/run --only decisions.")

    @Argument(help: "A trial that Benchmarks/run wrote.") var file: String

    func run() throws {
        try DecisionFigures(trial: DecisionTrial(json: String(contentsOfFile: file, encoding: .utf8))).run()
    }
}
