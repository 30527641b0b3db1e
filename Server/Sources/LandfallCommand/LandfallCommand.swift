// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `landfall`: the server, and what helps to run and try it.
@main
struct LandfallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall",
        abstract: "Attribution and paywalls for the first seconds of an app, on your own server.",
        discussion: """
            Every option can also be given in the environment: LANDFALL_ and the option's name in capitals, with _ for -, \
            for example LANDFALL_PORT or LANDFALL_APPLE_ADS. The command line wins.
            """,
        subcommands: [
            InitCommand.self, ServeCommand.self, CheckCommand.self, LinkCommand.self, DoctorCommand.self, DemoCommand.self,
            SimulateCommand.self, AppleAdsSimulatorCommand.self,
        ]
    )
}
