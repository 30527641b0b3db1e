// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallWire
import Logging
import ServiceLifecycle

/// `landfall demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows first opens of a handful of phones, on this machine alone.",
        discussion: """
            Starts a simulated Apple Ads, a server with an empty store, and phones that run the
            real SDK over real HTTP. Each launch is drawn as a line of time while it happens. At last a phone whose
            first open came from an ad buys in a simulated App Store, which renews the purchase and pays it back.
            Afterwards the server keeps running, phones keep arriving for about half an hour, and it prints a link
            to tap in a browser of this machine, and an address to try. With --lan a phone of your own can tap a
            link: a QR code leads there, and the network reaches links only. The console shows each tap and each phone as it comes.
            """
    )

    @Option(help: "The configuration to serve (LANDFALL_CONFIG; Examples/SelfHost/landfall.yaml).")
    var config: String?

    @Option(help: "The port of the server; 0 picks a free one (LANDFALL_PORT; 0).")
    var port: Int?

    @Option(help: "The number of days before today for which first opens and purchases are added, so that reports have numbers (LANDFALL_DAYS; 0, at most 180).")
    var days: Int?

    @Flag(help: "Also serve links, and only links, to this machine's network, and show a QR code for a phone there (LANDFALL_LAN).")
    var lan = false

    @Flag(help: "End after the last phone (LANDFALL_EXIT).")
    var exit = false

    @Flag(help: "Write one JSON document to standard output, and the rest to standard error (LANDFALL_JSON).")
    var json = false

    func run() async throws {
        let environment = FlagEnvironment()
        let json = try json || environment.isOn("json")
        let days = try days ?? environment.number("days") ?? 0
        guard EarlierPeople.days.contains(days) else { throw ValidationError("'\(days)' days are not possible. Use 0 to 180.") }
        let demo = Demo(
            configurationFile: try ExampleConfiguration.path(given: config ?? environment.text("config")),
            port: try ListeningPort(try port ?? environment.number("port") ?? 0),
            days: days,
            nearby: try lan || environment.isOn("lan") ? NearbyAddress.find() : nil,
            ends: try exit || environment.isOn("exit"),
            json: json,
            logger: try Serving.logger(environment, usually: .error)
        )
        try await Serving.run(demo, logger: demo.logger)
    }
}
