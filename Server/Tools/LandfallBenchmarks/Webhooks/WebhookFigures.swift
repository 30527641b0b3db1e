// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// How fast webhooks leave, and what a dead endpoint costs phones: the real server in this process, over HTTP on loopback.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "How many deliveries a second does a fast receiver get, and how much slower are first opens beside a dead one? JSON.",
        discussion: """
            The receiver is a process of its own. First opens arrive at a steady rate, at random moments, at three servers that take turns in \
            short blocks: two without an endpoint, which show the noise, and one whose endpoint is dead. Ratios are of one round each, to the \
            first server.
            """)

    @Option(help: "Deliveries of each measurement of the rate.") var deliveries = 20_000
    @Option(help: "Measurements of the rate; the first is not counted.") var rates = 4
    @Option(help: "First opens a second.") var opensPerSecond = 500
    @Option(help: "Seconds of a block that count, after one that does not.") var blockSeconds = 2.0
    @Option(help: "Rounds, each with a block of every server; 0 measures the rate alone.") var rounds = 30

    func validate() throws {
        guard deliveries > 1, rates != 1, rates >= 0, (1...5_000).contains(opensPerSecond), (0.1...600).contains(blockSeconds), rounds >= 0 else {
            throw ValidationError(
                "At least 2 --deliveries; 0 or at least 2 --rates; 1 to 5000 --opens-per-second; 0.1 to 600 --block-seconds; no negative --rounds.")
        }
    }

    private struct Figures: Encodable {
        var deliveries: Int
        var deliveriesPerSecond: Spread?
        var firstOpens: Opens?

        struct Opens: Encodable {
            let perSecond, ofEachServer: Int
            /// Of all opens of a server, by its role.
            let p50Milliseconds, p99Milliseconds: [String: Double]
            let control, besideDeadEndpoint: Ratio
        }

        struct Ratio: Encodable {
            /// Of the 99th percentiles of one round.
            let ofRounds: Spread
            /// Of the 99th percentiles of all opens.
            let ofAll: Double
        }
    }

    func run() async throws {
        setenv("LANDFALL_WEBHOOK_SECRET", "whsec_" + String(repeating: "A", count: 44), 1)
        var found: [Double] = []
        for _ in 0..<rates { found.append(try await WebhookServer.deliveriesPerSecond(deliveries)) }
        var figures = Figures(deliveries: deliveries, deliveriesPerSecond: rates > 1 ? Spread(Array(found.dropFirst())) : nil)
        if rounds > 0 {
            let opens = WebhookOpens(perSecond: opensPerSecond, blockSeconds: blockSeconds)
            figures.firstOpens = Self.figures(of: try await opens.run(rounds), perSecond: opensPerSecond)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private static func figures(of rounds: [WebhookOpens.Round], perSecond: Int) -> Figures.Opens {
        func all(_ role: WebhookOpens.Role) -> [Double] { rounds.flatMap { $0[role] ?? [] } }
        func ratio(_ role: WebhookOpens.Role) -> Figures.Ratio {
            Figures.Ratio(
                ofRounds: Spread(rounds.map { share(0.99, of: $0[role] ?? []) / share(0.99, of: $0[.without] ?? []) }),
                ofAll: share(0.99, of: all(role)) / share(0.99, of: all(.without)))
        }
        func shares(_ part: Double) -> [String: Double] {
            Dictionary(uniqueKeysWithValues: WebhookOpens.Role.allCases.map { ($0.rawValue, share(part, of: all($0))) })
        }
        return Figures.Opens(
            perSecond: perSecond, ofEachServer: all(.without).count, p50Milliseconds: shares(0.5), p99Milliseconds: shares(0.99),
            control: ratio(.control), besideDeadEndpoint: ratio(.besideDeadEndpoint))
    }

    private static func share(_ part: Double, of times: [Double]) -> Double {
        times.isEmpty ? .infinity : times.sorted()[Int(Double(times.count - 1) * part)]
    }
}
