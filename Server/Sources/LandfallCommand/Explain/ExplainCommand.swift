// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Says why an install sees what it sees, now or when it saw a paywall.",
        discussion: """
            Lists every audience of the placement in order, and each comparison with the compared value. Works at --server with a key \
            that may read profiles, else in the folder of the store.
            """
    )

    @Option(help: "The id of an install.")
    var install: String?

    @Option(help: "The id of a profile: its install that was seen last.")
    var profile: String?

    @Option(help: "The placement.")
    var placement: String

    @Option(help: "The id of an event 'paywall_shown': what was known when it arrived.")
    var atExposure: String?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard (install == nil) != (profile == nil) else {
            throw ValidationError("Name one of them: --install ID or --profile ID.")
        }
    }

    func run() async throws {
        let query = [("install", install), ("profile", profile), ("placement", placement), ("exposure", atExposure)]
        let call = BackendCall("GET", BackendCall.target("/v1/explain", query))
        let answer = try await store.withReach { try await $0.call(call) }
        if store.json { return try store.printJSON(JSONDecoder().decode(Explanation.self, from: Data(answer))) }
        Output.line(ExplanationText(try JSONDecoder().decode(Explanation.self, from: Data(answer))).lines.joined(separator: "\n"))
    }
}
