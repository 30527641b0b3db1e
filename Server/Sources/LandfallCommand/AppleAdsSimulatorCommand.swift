// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallSimulator

/// `landfall apple-ads-simulator`.
struct AppleAdsSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-ads-simulator",
        abstract: "Simulates Apple's attribution service; each token says how it is answered.",
        discussion: """
            Point a server at it: --apple-ads http://127.0.0.1:PORT. A token is 'sim.' and
            a URL query, for example
              sim.attribution=true&campaignId=542370539&delay=1200&notFound=1&id=42

              attribution=true  an Apple Ads install; without it, organic
              campaignId=N      any of Apple's fields, by its name
              delay=MS          wait before each answer
              failures=N        answer 500 that many times first
              notFound=N        then answer 404 that many times
              status=400|500    answer that in the end
              garbage=1         answer broken JSON
              hang=1            do not answer
              developer=1       answer what Apple answers in developer mode

            Any other key, such as id, only makes the token different. Any other token
            is invalid (400).
            """
    )

    @Option(help: "The address to listen on (LANDFALL_HOST; 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one (LANDFALL_PORT; 8090).")
    var port: Int?

    func run() async throws {
        let environment = FlagEnvironment()
        let host = host ?? environment.text("host") ?? "127.0.0.1"
        let port = try ListeningPort(try port ?? environment.number("port") ?? 8090)
        let logger = try Serving.logger(environment)
        let simulator = AppleAdsSimulator(host: host, port: port.number, logger: logger) { port in
            Serving.announce(host: host, port: port)
        }
        try await port.explaining(host: host) { try await Serving.run(simulator, logger: logger) }
    }
}
