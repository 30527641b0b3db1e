// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallStore
import Logging
import NIOCore
import Synchronization

/// How fast webhooks leave, and what a dead endpoint costs phones: the real server in this process, over HTTP on loopback.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "How many deliveries a second does a fast receiver get, and how much slower are first opens beside a dead one? JSON.")

    @Option(help: "Deliveries.") var deliveries = 20_000
    @Option(help: "First opens of each round, after as many that do not count.") var opens = 2_000
    @Option(help: "Rounds, each without an endpoint and with a dead one.") var rounds = 3

    private struct Figures: Encodable {
        let deliveries: Int
        let deliveriesPerSecond: Double
        let firstOpens: Int
        let p99Milliseconds, p99BesideDeadEndpointMilliseconds, ratio: Double
    }

    func run() async throws {
        setenv("LANDFALL_WEBHOOK_SECRET", "whsec_" + String(repeating: "A", count: 44), 1)
        let rate = try await deliveriesPerSecond()
        var without: [Double] = [], beside: [Double] = []
        for _ in 0..<rounds {
            without += try await openTimes(besideDeadEndpoint: false)
            beside += try await openTimes(besideDeadEndpoint: true)
        }
        let (first, second) = (Self.p99(without), Self.p99(beside))
        let figures = Figures(
            deliveries: deliveries, deliveriesPerSecond: rate, firstOpens: without.count, p99Milliseconds: first,
            p99BesideDeadEndpointMilliseconds: second, ratio: second / first)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private static func p99(_ times: [Double]) -> Double { times.sorted()[(times.count - 1) * 99 / 100] }

    /// From rows that transactions have left to answers of a receiver: from its first message to its last one.
    private func deliveriesPerSecond() async throws -> Double {
        let receiver = CountingReceiver()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            let port = try await receiver.start(in: &group)
            return try await withServer(telling: port, filledWith: deliveries) { _ in
                let started = ContinuousClock.now
                while receiver.count.load(ordering: .relaxed) == 0 {
                    guard ContinuousClock.now - started < .seconds(60) else { throw ValidationError("Nothing was delivered within a minute.") }
                    try await Task.sleep(for: .milliseconds(1))
                }
                let begun = ContinuousClock.now
                while receiver.count.load(ordering: .relaxed) < deliveries { try await Task.sleep(for: .milliseconds(1)) }
                return Double(deliveries) / ((ContinuousClock.now - begun) / .seconds(1))
            }
        }
    }

    /// Milliseconds of first opens, eight at a time.
    private func openTimes(besideDeadEndpoint: Bool) async throws -> [Double] {
        // Nobody listens on the port of the discard service.
        try await withServer(telling: besideDeadEndpoint ? 9 : nil) { server in
            let http = LiveOutboundHTTP()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await http.run() }
                defer { group.cancelAll() }
                // The job of webhooks begins after two seconds: it has to run beside what counts.
                _ = try await open(0..<opens, by: http, at: server)
                try await Task.sleep(for: .seconds(3))
                return try await open(opens..<2 * opens, by: http, at: server)
            }
        }
    }

    private func open(_ numbers: Range<Int>, by http: LiveOutboundHTTP, at server: Int) async throws -> [Double] {
        let next = NextNumber(numbers.lowerBound)
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var times: [Double] = []
                    while case let number = next.take(), number < numbers.upperBound {
                        var call = OutboundCall(.post, "http://127.0.0.1:\(server)/v1/first-open")
                        let digits = String(number), install = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
                        call.headers = [
                            "Authorization": "Bearer pk_demo", "Content-Type": "application/json",
                            "Landfall-Profile": "\(install).\(String(repeating: "A", count: 43))",
                        ]
                        call.body = Array(#"{"adToken":{"none":"unsupported"},"placements":[{"id":"onboarding"}]}"#.utf8)
                        let begun = ContinuousClock.now
                        let status = try await http.send(call).status
                        guard status == 200 else { throw ValidationError("A first open is answered with \(status).") }
                        times.append((ContinuousClock.now - begun) / .milliseconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    // MARK: - A server

    /// - Parameters:
    ///   - receiver: the port of an endpoint that wants first opens; nil for none.
    ///   - facts: how many rows wait for it.
    private func withServer<Value: Sendable>(
        telling receiver: Int?, filledWith facts: Int = 0, _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-webhooks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "landfall.yaml")
        let webhooks = receiver.map { "webhooks: [{ url: 'http://127.0.0.1:\($0)/deliveries', secretFrom: LANDFALL_WEBHOOK_SECRET, types: [first_open] }]\n" }
        try (MadeStore.configuration + "\n" + (webhooks ?? "")).write(to: file, atomically: true, encoding: .utf8)
        if facts > 0 {
            let store = try await MadeStore(folder: folder.path, nowMs: Self.nowMs)
            try await store.fill(facts, by: [Self.factsText], [.integer(Self.nowMs)])
            try await store.database.close()
        }
        var options = ServerOptions()
        options.configurationFile = file.path
        options.port = 0
        options.webhooksToPrivate = true
        let quiet = Logger(label: "webhooks", factory: { _ in SwiftLogNoOpLogHandler() }), (ports, port) = AsyncStream.makeStream(of: Int.self)
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
        let server = try await LandfallServer(options: options, database: database, logger: quiet) { port.yield($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw ValidationError("The server has not begun.") }
            return try await body(port)
        }
    }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)

    /// As transactions of first opens leave them. SQLite's own dialect: this is no text of the server.
    private static let factsText = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO webhook_outbox (app_id, outbox_id, profile_id, install_id, facts, created_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          printf('[{"atMs":1790000000000,"data":{"profileId":"i_0198f0c2-7b1a-7c3d-8e4f-%012x","installId":"0198f0c2-7b1a-7c3d-8e4f-%012x","attributes":{"plan":"gold"},"attribution":{"state":"unavailable","reason":"unsupported"},"install":{"appVersion":"1.2","osVersion":"19.0","platform":"ios","model":"iPhone16,2","locale":"en-US","storeCountry":"US","timeZone":"America/New_York","firstOpenAtMilliseconds":1790000000000,"isReinstall":false}},"type":"first_open"}]', i, i),
          $3 FROM n
        """
}

/// Each number once, for several tasks.
private final class NextNumber: Sendable {
    private let next: Atomic<Int>

    init(_ first: Int) { next = Atomic(first) }

    func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Answers 204 to everything, and counts.
private final class CountingReceiver: Sendable {
    let count = Atomic(0)

    /// - Returns: the port.
    func start(in group: inout ThrowingTaskGroup<Void, any Error>) async throws -> Int {
        let router = Router(), (ports, port) = AsyncStream.makeStream(of: Int.self)
        router.post("deliveries") { [self] request, _ in
            _ = try await request.body.collect(upTo: 65_536)
            count.add(1, ordering: .relaxed)
            return Response(status: .noContent)
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver", factory: { _ in SwiftLogNoOpLogHandler() }))
        group.addTask { try await application.runService(gracefulShutdownSignals: []) }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw ValidationError("The receiver has not begun.") }
        return port
    }
}
