// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSimulator

/// `landfall simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Measures first opens of many phones in a world drawn from a seed.",
        discussion: """
            Starts a simulated Apple Ads, a server with an empty store, and phones that run the real SDK over real HTTP \
            through a network that delays and fails as the scenario says. The same seed draws the same phones.
            """
    )

    @Option(help: "How many phones (LANDFALL_PHONES; 300).")
    var phones: Int?

    @Option(help: "What everything is drawn from (LANDFALL_SEED; 4242).")
    var seed: UInt64?

    @Flag(help: "Write one JSON document to standard output, and the rest to standard error (LANDFALL_JSON).")
    var json = false

    @OptionGroup(title: "Virtual time") var virtual: VirtualOptions

    @OptionGroup(title: "Real phones") var world: RealPhonesOptions

    func run() async throws {
        let environment = FlagEnvironment()
        let phones = try phones ?? environment.number("phones") ?? 300
        let seed = try seed ?? environment.number("seed").map(UInt64.init(clamping:)) ?? 4242
        let json = try json || environment.isOn("json")
        guard (1...1_000_000).contains(phones) else {
            throw ValidationError("--phones is \(phones); it has to be 1…1000000.")
        }
        if try virtual.virtual || environment.isOn("virtual") {
            let path = try ExampleConfiguration.path(given: world.config ?? environment.text("config"))
            let seconds = try virtual.seconds ?? environment.number("seconds")
            let usual = seconds == nil ? VirtualRun.worlds(from: seed, phones: phones) : VirtualOptions.mostWorlds
            let worlds = try virtual.worlds ?? environment.number("worlds") ?? usual
            guard (1...VirtualOptions.mostWorlds).contains(worlds) else {
                throw ValidationError("--worlds is \(worlds); it has to be 1…\(VirtualOptions.mostWorlds).")
            }
            guard (1...86_400).contains(seconds ?? 1) else {
                throw ValidationError("--seconds is \(seconds ?? 0); it has to be 1…86400.")
            }
            let hasLinks = try virtual.links || environment.isOn("links")
            if virtual.worker {
                return try VirtualWorker(seed: seed, worlds: worlds, hasLinks: hasLinks, configuration: path).report()
            }
            let workers = try virtual.workers ?? environment.number("workers") ?? ProcessInfo.processInfo.activeProcessorCount
            guard (1...64).contains(workers) else { throw ValidationError("--workers is \(workers); it has to be 1…64.") }
            return try VirtualSimulation(
                seed: seed, worlds: worlds, limit: seconds.map { .seconds($0) }, json: json,
                trace: try virtual.trace || environment.isOn("trace"), workers: workers, hasLinks: hasLinks, configuration: path
            ).run()
        }
        try await world.run(phones: phones, seed: seed, json: json, environment)
    }
}
