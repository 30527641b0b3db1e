// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer

/// `landfall alerts`.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts",
        abstract: "Lists the alerts that fire, and tests who is told of them.",
        discussion: "Works in the folder of the store or on its database. Rules and destinations are in 'alerts' of the configuration.",
        subcommands: [AlertListCommand.self, AlertTestCommand.self]
    )
}

/// `landfall alerts list`.
struct AlertListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the alerts that fire, with since when and what to do.",
        discussion: "The exit status is 0, whether or not one fires."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.withReach { try await $0.call(BackendCall("GET", AlertRoutes.path)) }
        let alerts = try JSONDecoder().decode([FiringAlert].self, from: Data(answer))
        if store.json { return try store.printJSON(alerts) }
        for line in Self.lines(of: alerts) { Output.line(line) }
    }

    static func lines(of alerts: [FiringAlert]) -> [String] {
        guard !alerts.isEmpty else { return ["No alert fires."] }
        return alerts.flatMap { alert in
            let name = alert.rule + (alert.host.map { " (\($0))" } ?? "")
            return [
                "\(name) since \(Instant(milliseconds: alert.sinceMilliseconds - alert.sinceMilliseconds % 1_000))", "  \(alert.message)",
                "  \(alert.action)",
            ]
        }
    }
}

/// `landfall alerts test`.
struct AlertTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test to each destination of alerts, and says what it answers.",
        discussion: "Needs a running server, which sends it. The exit status is 1 if a destination does not take it."
    )

    @Option(help: "The name of one destination (all of them).")
    var to: String?

    @OptionGroup var store: StoreOptions

    private struct Asked: Encodable { let to: String? }

    func run() async throws {
        let call = BackendCall("POST", AlertRoutes.testPath, body: Array(try JSONEncoder().encode(Asked(to: to))))
        let answer = try await store.withReach { try await $0.call(call) }
        let tests = try JSONDecoder().decode([AlertTest].self, from: Data(answer))
        if store.json {
            try store.printJSON(tests)
        } else {
            for test in tests { Output.line("\(test.delivered ? "ok    " : "FAILED") \(test.destination): \(test.answer)") }
        }
        if tests.contains(where: { !$0.delivered }) { throw ExitCode.failure }
    }
}
