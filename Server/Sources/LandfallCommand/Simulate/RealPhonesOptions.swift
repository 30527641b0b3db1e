// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallSimulator
import Logging

/// The options of `landfall simulate` for phones in real time.
struct RealPhonesOptions: ParsableArguments {
    @Option(help: "fast, typical, slow, offline or hostile (LANDFALL_SCENARIO; typical).")
    var scenario: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Changes a number of the scenario; may be given again.", valueName: "number=value")
    )
    var settings: [String] = []

    @Flag(help: "The same phones also run the documented way, and a bare socket client (LANDFALL_COMPARE).")
    var compare = false

    @Option(help: "How many phones start in a second (LANDFALL_STARTS_PER_SECOND; 3).")
    var startsPerSecond: Int?

    @Option(help: ArgumentHelp("Writes a picture of the times to paywall (LANDFALL_SVG).", valueName: "file"))
    var svg: String?

    @Option(help: "The configuration to serve (LANDFALL_CONFIG; Examples/SelfHost/landfall.yaml).")
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Phones call this server of this machine, instead of one of their own; it asks the simulated Apple Ads at --apple-port (LANDFALL_THROUGH).",
            valueName: "url"))
    var through: String?

    @Option(help: "The port of the simulated Apple Ads; 0 picks a free one (LANDFALL_APPLE_PORT; 0).")
    var applePort: Int?

    func run(phones: Int, seed: UInt64, json: Bool, _ environment: FlagEnvironment) async throws {
        let starts = try startsPerSecond ?? environment.number("starts-per-second") ?? 3
        guard (1...1_000).contains(starts) else {
            throw ValidationError("--starts-per-second is \(starts); it has to be 1…1000.")
        }
        let simulation = RealPhones(
            run: PhoneRun(
                phones: phones, seed: seed, world: try world(environment),
                isComparison: try compare || environment.isOn("compare"), startsPerSecond: Double(starts)
            ),
            seed: seed,
            configurationFile: try ExampleConfiguration.path(given: config ?? environment.text("config")),
            picture: svg ?? environment.text("svg"), json: json, serverPort: try port(of: through ?? environment.text("through")),
            applePort: try applePort ?? environment.number("apple-port") ?? 0, logger: try Serving.logger(environment, usually: .critical)
        )
        try await Serving.run(simulation, logger: simulation.logger)
    }

    /// Nil for a server of the simulation's own.
    private func port(of server: String?) throws -> Int? {
        guard let server else { return nil }
        guard let url = URL(string: server), url.isLocalHTTP, let port = url.port, ["", "/"].contains(url.path) else {
            throw ValidationError("--through is '\(server)'; write http://127.0.0.1:PORT: the phones send much traffic, and only to this machine.")
        }
        return port
    }

    /// The scenario with every setting.
    func world(_ environment: FlagEnvironment) throws -> Scenario {
        let name = scenario ?? environment.text("scenario") ?? Scenario.typical.name
        guard var world = Scenario.named.first(where: { $0.name == name }) else {
            let known = Scenario.named.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no scenario '\(name)'. There are \(known).")
        }
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = Double(parts[1]) else {
                throw ValidationError("--set \(setting): write NUMBER=VALUE, for example appleMedian=400.")
            }
            do {
                world = try world.setting(String(parts[0]), to: value)
            } catch {
                throw ValidationError("\(error)")
            }
        }
        return world
    }
}
