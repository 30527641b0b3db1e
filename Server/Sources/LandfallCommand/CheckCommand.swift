// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer

/// `landfall check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether a landfall.yaml can be served, and what is wrong in it.",
        discussion: """
            Every problem is reported with line and column; then the exit status is 1. A value that is allowed but probably a mistake is a \
            warning, and does not change the exit status. Nothing is published. With --server or --data the server or the store there \
            reads the file, and a warning about a value that may be missing says how many installs lack it.
            """
    )

    @Argument(help: "The configuration (LANDFALL_CONFIG; landfall.yaml).")
    var file: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let file = file ?? FlagEnvironment().text("config") ?? "landfall.yaml"
        let isReached = store.server != nil || store.store.isGiven
        let check = isReached ? try await reached(file) : check(file)
        if store.json {
            try store.printJSON(check)
            if !check.ok { throw ExitCode.failure }
            return
        }
        for warning in check.warnings {
            Output.remark("warning: \(file):\(warning.line):\(warning.column): \(warning.message)")
        }
        guard check.ok else { throw FileRefused(description: check.description) }
        Output.line(check.description)
    }

    private func check(_ file: String) -> ConfigurationCheck {
        do { return try ConfigurationCheck(file: file, nowMs: ServerTime.live.nowMs()) } catch { return ConfigurationCheck(unreadable: error, file: file) }
    }

    /// The check by the server, or by the store in the folder.
    private func reached(_ file: String) async throws -> ConfigurationCheck {
        let call = BackendCall(
            "POST", "/v1/configuration?dryRun=true", body: try PublishingCall.contents(of: file),
            fields: PublishingCall.fields(message: nil, base: nil))
        do {
            let body = try await store.withReach(ofEmptyStore: file) { try await $0.call(call) }
            return ConfigurationCheck(file: file, answer: try JSONDecoder().decode(PublishingAnswer.self, from: Data(body)))
        } catch let refusal as BackendRefusal {
            guard let check = ConfigurationCheck(file: file, refusal: refusal) else { throw refusal }
            return check
        }
    }

    private struct FileRefused: Error, CustomStringConvertible { let description: String }
}
