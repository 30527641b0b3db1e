// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallSimulator
import LandfallWire
import Logging
import ServiceLifecycle
import Synchronization

/// The parts of a simulation in real time: simulated Apple Ads, a server with an empty store, phones.
struct RealPhones: Service {
    let run: PhoneRun
    let seed: UInt64
    let configurationFile: String
    let picture: String?
    let json: Bool
    /// Of a server that runs already; nil for one of its own.
    let serverPort: Int?
    let applePort: Int
    let logger: Logger
    private static let host = "127.0.0.1"

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "landfall-simulate-\(UUID().uuidString.lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let begun = ContinuousClock.now
        let lives = ServerLives()
        let apple = AppleAnswers(to: lives)
        let results = try await Listening.run({ report in
            AppleAdsSimulator(port: applePort, logger: logger, onListening: report, onAnswer: { apple.answered(token: $0, status: $1) })
        }) { applePort in
            if let serverPort {
                lives.begins()
                return try await launch({ serverPort }, folder, apple, lives)
            }
            let server = RestartedServer(
                configurationFile: configurationFile, store: folder.appending(path: "landfall.sqlite").path,
                appleAdsURL: Serving.address(host: Self.host, port: applePort) + AppleAdsSimulator.path, lives: lives,
                logger: logger
            )
            let pause = run.length / (Int(run.world.serverRestarts) + 1)
            return try await server.run(restarts: Int(run.world.serverRestarts), every: pause) { port in
                try await launch(port, folder, apple, lives)
            }
        }
        try show(results, took: begun.duration(to: .now))
    }

    private func launch(
        _ port: @escaping @Sendable () -> Int, _ folder: URL, _ apple: AppleAnswers, _ lives: ServerLives
    ) async throws -> PhoneResults {
        guard let url = URL(string: Serving.address(host: Self.host, port: port())) else { throw URLError(.badURL) }
        let bundle = try await DemoBundle.fetch(from: url)
        return try await run.run(server: port, directory: folder, bundle: bundle, apple: apple, lives: lives) { done in
            if done.isMultiple(of: 50) { Output.remark("\(done) phones have got their paywall") }
        }
    }

    private func show(_ results: PhoneResults, took: Duration) throws {
        let report = results.report(seed: seed, scenario: run.world.name)
        let table = PhoneTable(report, results)
        if let picture { try PhonePicture(report, results).svg.write(toFile: picture, atomically: true, encoding: .utf8) }
        for line in results.misses { Output.remark(line) }
        let seconds = Int((took / .seconds(1)).rounded())
        let text = table.lines + ["", "\(report.phones) phones of '\(report.scenario)', seed \(seed), in \(seconds) s."]
        if json {
            for line in text { Output.remark(line) }
            Output.line(String(decoding: try WireCoding.encode(report), as: UTF8.self))
        } else {
            for line in text { Output.line(line) }
        }
    }
}

/// A server that is killed and started again, on another port, with the same store.
private struct RestartedServer: Sendable {
    let configurationFile: String
    let store: String
    let appleAdsURL: String
    let lives: ServerLives
    let logger: Logger

    /// - Parameter body: gets the port of the current server; the server ends with it.
    func run<Value: Sendable>(
        restarts: Int, every pause: Duration, _ body: @escaping @Sendable (@escaping @Sendable () -> Int) async throws -> Value
    ) async throws -> Value {
        let port = ServerPort()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                for life in 0...restarts { try await live(port, isLast: life == restarts, for: pause) }
                return nil
            }
            await port.waitUntilKnown()
            group.addTask { try await body { port.current } }
            defer { group.cancelAll() }
            for try await value in group { if let value { return value } }
            throw CancellationError()
        }
    }

    /// Runs the server until its task is cancelled. It is not asked to stop: cancelling comes closest to
    /// killing a part of this process.
    private func live(_ port: ServerPort, isLast: Bool, for pause: Duration) async throws {
        var options = ServerOptions()
        options.configurationFile = configurationFile
        options.port = 0
        options.appleAdsURL = appleAdsURL
        let database = try SQLiteDatabase(path: store)
        let server = try await LandfallServer(options: options, database: database, logger: logger) {
            lives.begins()
            port.set($0)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await server.run() }
            if !isLast { group.addTask { try await Task.sleep(for: pause) } }
            try await group.next()
            // Before the server is cancelled: so this is not `withTimeout`.
            lives.ends()
            group.cancelAll()
        }
        try? await database.close()  // Releases the folder for the next server.
    }
}

private final class ServerPort: Sendable {
    private let number = Atomic(0)
    private let (known, continuation) = AsyncStream.makeStream(of: Void.self)

    var current: Int { number.load(ordering: .relaxed) }

    func set(_ port: Int) {
        number.store(port, ordering: .relaxed)
        continuation.finish()
    }

    func waitUntilKnown() async { for await _ in known {} }
}
