// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

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

    @Option(help: "The seed of all random numbers (LANDFALL_SEED; 4242).")
    var seed: UInt64?

    @Flag(help: "Write one JSON document to standard output, and the rest to standard error (LANDFALL_JSON).")
    var json = false

    /// Handled before the arguments are read, see ``VirtualTime``.
    @Flag(help: "Runs worlds in virtual time instead, with landfall-virtual beside this program; see its --help.")
    var virtual = false

    @OptionGroup(title: "Real phones") var world: RealPhonesOptions

    func run() async throws {
        let environment = FlagEnvironment()
        let phones = try phones ?? environment.number("phones") ?? 300
        let seed = try seed ?? environment.number("seed").map(UInt64.init(clamping:)) ?? 4242
        let json = try json || environment.isOn("json")
        guard (1...1_000_000).contains(phones) else {
            throw ValidationError("--phones is \(phones); it has to be 1…1000000.")
        }
        try await world.run(phones: phones, seed: seed, json: json, environment)
    }
}
