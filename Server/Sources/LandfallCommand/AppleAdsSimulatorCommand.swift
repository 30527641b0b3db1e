// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSimulator

/// `landfall apple-ads-simulator`.
struct AppleAdsSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-ads-simulator",
        abstract: "Simulates Apple Ads: attribution, where each token says how it is answered, names and spend.",
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

            For names and spend, --apple-ads-api http://127.0.0.1:PORT. The file needs
              appleAds: { clientId: SEARCHADS.sim-client, teamId: SEARCHADS.sim-team,
                          keyId: sim-key, privateKeyFrom: LANDFALL_APPLE_ADS_KEY }
            with the key that --key-out writes. The same --seed gives the same account,
            the same spend and the same failures. The last three days still grow.
            """
    )

    @Option(help: "The address to listen on (LANDFALL_HOST; 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one (LANDFALL_PORT; 8090).")
    var port: Int?

    @Option(help: "The file for the private key of the Platform API's user, in PEM; nowhere if it is left out (LANDFALL_KEY_OUT).")
    var keyOut: String?

    @Option(help: "The same seed gives the same ad account (LANDFALL_SEED; 1).")
    var seed: UInt64?

    @Option(help: "How many percent of the Platform API's answers are 500, 0…100 (LANDFALL_FAILURES; 0).")
    var failures: Int?

    func run() async throws {
        let environment = FlagEnvironment()
        let host = host ?? environment.text("host") ?? "127.0.0.1"
        let port = try ListeningPort(try port ?? environment.number("port") ?? 8090)
        let logger = try Serving.logger(environment)
        let platform = try platform(environment)
        let simulator = AppleAdsSimulator(host: host, port: port.number, platform: platform, logger: logger) { port in
            Serving.announce(host: host, port: port)
        }
        try await port.explaining(host: host) { try await Serving.run(simulator, logger: logger) }
    }

    private func platform(_ environment: FlagEnvironment) throws -> AppleAdsPlatform {
        let percent = try failures ?? environment.number("failures") ?? 0
        guard (0...100).contains(percent) else { throw ValidationError("--failures is \(percent); it has to be 0…100 percent.") }
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.failures = Double(percent) / 100
        let platform = AppleAdsPlatform(
            seed: try seed ?? environment.number("seed").map { UInt64(bitPattern: Int64($0)) } ?? 1, behaviour: behaviour)
        guard let path = keyOut ?? environment.text("key-out") else { return platform }
        let pem = Data((platform.keyText).utf8)
        guard FileManager.default.createFile(atPath: path, contents: pem, attributes: [.posixPermissions: 0o600]) else {
            throw ValidationError("--key-out is '\(path)', which cannot be written. Choose a file in a folder that exists and may be written.")
        }
        return platform
    }
}
