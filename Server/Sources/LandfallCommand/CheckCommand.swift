// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallServer

/// `landfall check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether a landfall.yaml can be served, and what is wrong in it.",
        discussion: """
            Every problem is reported with line and column; then the exit status is 1. A value that is allowed but probably a mistake is a \
            warning, and does not change the exit status. Nothing is published.
            """
    )

    @Argument(help: "The configuration (LANDFALL_CONFIG; landfall.yaml).")
    var file: String?

    @OptionGroup var form: JSONOption

    func run() async throws {
        let file = file ?? FlagEnvironment().text("config") ?? "landfall.yaml"
        let check = check(file)
        if form.json {
            try form.write(check)
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
        do { return try ConfigurationCheck(file: file) } catch { return ConfigurationCheck(unreadable: error, file: file) }
    }

    private struct FileRefused: Error, CustomStringConvertible { let description: String }
}
