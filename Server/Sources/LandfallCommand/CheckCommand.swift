// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallServer

/// `landfall check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether a landfall.yaml can be served, and what is wrong in it.",
        discussion: "Every problem is named with line and column; then the exit status is 1. Nothing is published."
    )

    @Argument(help: "The configuration (LANDFALL_CONFIG; landfall.yaml).")
    var file: String?

    func run() async throws {
        let file = file ?? FlagEnvironment().text("config") ?? "landfall.yaml"
        Output.line("\(try ConfigurationCheck(file: file))")
    }
}
