// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules

/// `landfall`: the server, and the commands to run and try it.
@main
struct LandfallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall",
        abstract: "Attribution and paywalls for the first seconds of an app, on your own server.",
        discussion: """
            Every option can also be given in the environment: LANDFALL_ and the option's name in capitals, with _ for -, \
            for example LANDFALL_PORT or LANDFALL_APPLE_ADS. The command line wins.
            """,
        version: BuiltFrom.text,
        subcommands: [
            InitCommand.self, ServeCommand.self, CheckCommand.self, EditCommand.self, DiffCommand.self, ApplyCommand.self, ReloadCommand.self, VersionsCommand.self,
            RollbackCommand.self, ExportCommand.self, ExportFallbackCommand.self, ExportDataCommand.self, ImpactCommand.self, ExplainCommand.self,
            LinkCommand.self, ReportCommand.self, RevenueCommand.self, ForgetCommand.self, ConfirmClockCommand.self, RetryNotificationsCommand.self, TestNotificationCommand.self, RefundsCommand.self, WebhooksCommand.self,
            BackupCommand.self, RestoreCommand.self, MoveCommand.self,
            DoctorCommand.self, AlertsCommand.self, DrawCommand.self, ResultsCommand.self, PlanCommand.self, MCPCommand.self, ConsoleCommand.self, DemoCommand.self, SimulateCommand.self,
            SchemaCommand.self, AppleAdsSimulatorCommand.self, AppStoreSimulatorCommand.self,
        ]
    )

    /// Errors are printed like all other output, see ``Output``. Help and the version are not errors.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The system's library for threads tries to raise a thread's priority, and logs at every start that only root may. Nothing here
        // depends on it. An operator who sets the variable sees these lines.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        do {
            try VirtualTime.takeOver(arguments)
            try CommandWords.check(arguments, of: self)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch where exitCode(for: error) == .failure && !(error is ExitCode) {
            exit(withError: Said(description: message(for: error).withoutControl.withoutSourcePlaces))
        } catch {
            exit(withError: error)
        }
    }

    private struct Said: Error, CustomStringConvertible { let description: String }
}
