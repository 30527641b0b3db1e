// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Landfall
import LandfallNode
import LandfallSQLite
import Logging

/// How long an app waits for a tapped link: the real SDK and the real server in this process, over HTTP on loopback. The network
/// is slower by a given round trip, or does not answer questions about links.
struct TapWaitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap-waits", abstract: "How many milliseconds does a tap on a link wait? JSON."
    )

    @Option(help: "Taps of each kind.") var taps = 50
    @Option(help: "The slower network's round trip, in milliseconds.") var roundTrip = 150
    @Option(help: "A landfall.yaml with a brand domain, a long path and a short link.") var configuration = "Examples/SelfHost/landfall.yaml"
    @Option(help: "The long link.") var long = "https://brandname.go.link/summer-clothes"
    @Option(help: "The short link.") var short = "https://brandname.go.link/beach"

    private struct Figure: Encodable {
        let kind, network, status: String
        let taps: Int
        let medianMilliseconds, worstMilliseconds: Double
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-taps-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = ServerOptions()
        options.configurationFile = configuration
        options.port = 0
        let quiet = Logger(label: "taps", factory: { _ in SwiftLogNoOpLogHandler() })
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
        let server = try await LandfallServer(options: options, database: database, logger: quiet) { port.yield($0) }
        let figures = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next(), let url = URL(string: "http://127.0.0.1:\(port)") else { return [Figure]() }
            let figures = try await measured(url, folder)
            group.cancelAll()
            return figures
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private func measured(_ server: URL, _ folder: URL) async throws -> [Figure] {
        let networks: [(String, Network)] = [
            ("loopback", Network()), ("\(roundTrip) ms", Network(roundTrip: .milliseconds(roundTrip))), ("silent", Network(isSilent: true)),
        ]
        let kinds = [("long, with rules", long, true), ("long, without rules", long, false), ("short", short, true)]
        var figures: [Figure] = []
        for (name, network) in networks {
            for (kind, link, hasRules) in kinds {
                var network = network
                network.saysRules = hasRules
                let files = FileStorage(directory: folder.appending(path: "\(figures.count)"))
                let count = network.isSilent && !(hasRules && link == long) ? min(taps, 3) : taps
                let (times, status) = try await waits(server, network, files, link, count)
                figures.append(
                    Figure(
                        kind: kind, network: name, status: status, taps: count, medianMilliseconds: times[count / 2],
                        worstMilliseconds: times[count - 1]))
            }
        }
        return figures
    }

    /// One phone whose first open is answered. Each tap has a different link.
    /// - Returns: milliseconds, the shortest first, and the status of the last tap.
    private func waits(
        _ server: URL, _ network: Network, _ files: FileStorage, _ link: String, _ count: Int
    ) async throws -> (times: [Double], status: String) {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
        configuration.storage = files
        configuration.transport = network
        configuration.links = LinkRules(domains: LinkDomains(brand: ["brandname.go.link"]))
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        _ = try await client.paywall(for: "onboarding", within: .seconds(10))
        var times: [Double] = [], status = ""
        for number in 0..<count {
            guard let url = URL(string: "\(link)?tap=\(number)") else { throw ValidationError("'\(link)' is not an address.") }
            let begun = ContinuousClock.now
            status = "\(await client.open(url, from: .system).status)"
            times.append((ContinuousClock.now - begun) / .milliseconds(1))
        }
        await client.shutdown()
        return (times.sorted(), status)
    }
}

private struct Network: Transport {
    var roundTrip: Duration = .zero
    /// Questions about links get no answer.
    var isSilent = false
    /// False: like an SDK from before the rules.
    var saysRules = true
    private let live = URLSessionTransport()

    init(roundTrip: Duration = .zero, isSilent: Bool = false) {
        self.roundTrip = roundTrip
        self.isSilent = isSilent
    }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        var request = request
        if !saysRules { request.headers["landfall-link-rules"] = nil }
        let isAboutALink = request.url.path == "/v1/links/open"
        try await Task.sleep(for: isSilent && isAboutALink ? .seconds(3_600) : roundTrip)
        return try await live.send(request)
    }
}
