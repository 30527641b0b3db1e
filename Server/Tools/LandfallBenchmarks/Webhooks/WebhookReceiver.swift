// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The receiver of `webhooks`, in a process of its own: it takes no time of the sender that is measured.
struct WebhookReceiverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook-receiver",
        abstract: "Takes deliveries on loopback, and says in how many seconds. `webhooks` starts it; it ends with its standard input.")

    /// The longest until the first delivery, and between two.
    private static let patience: Duration = .seconds(60)

    @Option(help: "So many are counted, from the first to the last one.") var deliveries = 20_000

    func run() async throws {
        let arrivals = Arrivals(deliveries), router = Router()
        router.post("deliveries") { request, _ in
            _ = try await request.body.collect(upTo: 65_536)
            if let took = arrivals.add() { Self.say("seconds", took / .seconds(1)) }
            return Response(status: .noContent)
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in Self.say("port", Double(channel.localAddress?.port ?? 0)) },
            logger: Logger(label: "receiver", factory: { _ in SwiftLogNoOpLogHandler() }))
        Thread.detachNewThread {
            while readLine() != nil {}
            Self.exit()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService() }
            group.addTask {
                while true {
                    let before = arrivals.count
                    try await Task.sleep(for: Self.patience)
                    if arrivals.count == before { throw ValidationError("No delivery for \(Self.patience), after \(before).") }
                }
            }
            _ = try await group.next()
            group.cancelAll()
        }
    }

    private static func say(_ word: String, _ number: Double) { FileHandle.standardOutput.write(Data("\(word) \(number)\n".utf8)) }
}

private final class Arrivals: Sendable {
    private struct State {
        var count = 0
        var first: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let wanted: Int

    init(_ wanted: Int) { self.wanted = wanted }

    var count: Int { state.withLock { $0.count } }

    /// - Returns: how long it took, if this is the last one that is counted.
    func add() -> Duration? {
        state.withLock { state in
            let now = ContinuousClock.now, first = state.first ?? now
            (state.first, state.count) = (first, state.count + 1)
            return state.count == wanted ? now - first : nil
        }
    }
}

/// This program as a receiver.
struct ReceiverProcess {
    private let process = Process()
    /// The process ends when this is closed, also by our own end.
    private let input = Pipe()
    private let output = Pipe()
    private var lines: AsyncStream<String>.Iterator

    init(deliveries: Int) throws {
        let (texts, text) = AsyncStream.makeStream(of: String.self), rest = Mutex(Data())
        lines = texts.makeAsyncIterator()
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return text.finish()
            }
            let whole = rest.withLock { rest in
                rest.append(data)
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(parts.popLast() ?? Data())
                return parts.map { String(decoding: $0, as: UTF8.self) }
            }
            for line in whole { text.yield(line) }
        }
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["webhook-receiver", "--deliveries", "\(deliveries)"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    /// What it says next.
    mutating func number(named word: String) async throws -> Double {
        guard let words = await lines.next()?.split(separator: " "), words.count == 2, words[0] == word, let number = Double(words[1]) else {
            throw ValidationError("The receiver has not said '\(word)'; its reason is above.")
        }
        return number
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
