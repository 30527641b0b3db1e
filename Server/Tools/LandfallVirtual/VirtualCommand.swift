// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import VirtualWorlds

/// `landfall-virtual`: runs worlds in virtual time and checks every guarantee in each of them. A test tool of the source tree.
@main
struct VirtualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-virtual",
        abstract: "Phones, networks, server and Apple on one virtual clock; checks every guarantee.",
        discussion:
            "Each seed gives a world with one or two phones. The same seed gives the same world, to the last line of its trace."
    )
    private static let mostWorlds = 10_000_000

    @Option(help: "How many phones at least.")
    var phones = 300

    @Option(help: "The first seed; the others follow it.")
    var seed: UInt64 = 4242

    @Option(help: "How many seeds; instead of --phones.")
    var worlds: Int?

    @Option(help: "Seconds after which no further world begins; with --worlds, the limit that is reached first.")
    var seconds: Int?

    @Option(help: "How many processes share the seeds; one for each core.")
    var workers = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "In three of ten worlds people also tap links.")
    var links = false

    @Flag(help: "In three of ten worlds apps also set attributes that decide a paywall.")
    var attributes = false

    @Flag(help: "In two of ten worlds two or three nodes serve one store.")
    var nodes = false

    @Flag(help: "In three of ten worlds the store is restored from an older copy.")
    var restores = false

    @Flag(help: "In one of ten worlds an endpoint of the team is told of facts.")
    var webhooks = false

    @Flag(help: "In three of ten worlds people buy subscriptions.")
    var purchases = false

    @Flag(help: "In three of ten worlds people tap links that have ended or are wrapped, and type codes.")
    var wrappedLinks = false

    @Flag(help: "In three of ten worlds apps change what the SDK may collect.")
    var collection = false

    @Flag(help: "Everything that worlds can have.")
    var everything = false

    @Flag(help: "Also writes what happened in each world to standard error, in one process.")
    var trace = false

    @Flag(help: "Write one JSON document to standard output, and the rest to standard error.")
    var json = false

    @Option(help: "The configuration to serve.")
    var config = "Examples/SelfHost/landfall.yaml"

    /// A mistake on purpose, for tests of the guarantees.
    @Option(help: .private)
    var plant: String?

    /// One of the processes that share the seeds.
    @Flag(help: .private)
    var worker = false

    func validate() throws {
        try Self.check(phones, in: 1...1_000_000, "--phones")
        try Self.check(worlds ?? 1, in: 1...Self.mostWorlds, "--worlds")
        try Self.check(seconds ?? 1, in: 1...86_400, "--seconds")
        try Self.check(workers, in: 1...64, "--workers")
        guard plant == nil || planted != nil else {
            let names = PlantedError.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--plant is \(plant ?? ""); it has to be one of \(names).")
        }
        guard FileManager.default.fileExists(atPath: config) else {
            throw ValidationError("There is no file \(config). Run this in the checkout's folder, or name one with --config.")
        }
    }

    func run() throws {
        let usual = seconds == nil ? VirtualRun.worlds(from: seed, phones: phones) : Self.mostWorlds
        let worlds = worlds ?? usual
        if worker {
            return try VirtualWorker(seed: seed, worlds: worlds, setting: setting).report()
        }
        try VirtualSimulation(
            seed: seed, worlds: worlds, limit: seconds.map { .seconds($0) }, json: json, trace: trace, workers: workers,
            setting: setting
        ).run()
    }

    private var setting: VirtualSetting { VirtualSetting(parts: parts, configuration: config, planted: planted) }
    private var planted: PlantedError? { plant.flatMap { PlantedError(rawValue: $0) } }

    private var parts: WorldParts {
        let chosen: [(Bool, WorldParts)] = [
            (links, .links), (attributes, .attributes), (nodes, .nodes), (restores, .restores), (webhooks, .webhooks),
            (purchases, .purchases), (wrappedLinks, .wrappedLinks), (collection, .collection), (everything, .all),
        ]
        return chosen.reduce(into: WorldParts()) { parts, part in if part.0 { parts.formUnion(part.1) } }
    }

    private static func check(_ number: Int, in range: ClosedRange<Int>, _ option: String) throws {
        guard range.contains(number) else {
            throw ValidationError("\(option) is \(number); it has to be \(range.lowerBound)…\(range.upperBound).")
        }
    }
}
