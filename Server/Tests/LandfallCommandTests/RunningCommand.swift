// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

/// The built `landfall` as a separate process, as an operator runs it.
final class RunningCommand: Sendable {
    private let process: SpawnedProcess
    /// Lines of standard output as they are written; one consumer.
    let lines: AsyncStream<String>
    private let ended: AsyncStream<Void>
    /// Read while it is written: a full pipe would hold the command up.
    private let complaints: AsyncStream<Data>

    /// - Parameters:
    ///   - program: another product of this build beside the tests, or a path.
    ///   - launcher: a program and its arguments that run the rest of the line as theirs.
    init(
        _ arguments: [String], environment: [String: String] = [:], program: String = "landfall", launcher: [String] = []
    ) throws {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let product = program.hasPrefix("/") ? URL(filePath: program) : folder.appending(path: program)
        let command = launcher + [product.path] + arguments
        // No load balancer asks tests, and they do not wait for one.
        let own = ProcessInfo.processInfo.environment.merging(["LANDFALL_DRAIN": "0"]) { _, new in new }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let (complaints, complaint) = AsyncStream.makeStream(of: Data.self)
        self.complaints = complaints
        process = try SpawnedProcess(
            command, environment: own.merging(environment) { _, new in new }, onEnd: { end.finish() })
        // The command writes whole lines at once, so that a chunk never ends within one.
        Self.read(process.output) { data in
            for text in String(decoding: data, as: UTF8.self).split(separator: "\n") { line.yield(String(text)) }
        } atEnd: {
            line.finish()
        }
        Self.read(process.errors) {
            complaint.yield($0)
        } atEnd: {
            complaint.finish()
        }
    }

    /// A thread for each pipe. On Linux a readability handler that is taken away while other commands start may take the
    /// handler of another pipe with it, which then never ends.
    private static func read(
        _ pipe: FileHandle, _ take: @escaping @Sendable (Data) -> Void, atEnd end: @escaping @Sendable () -> Void
    ) {
        Thread.detachNewThread {
            while case let data = pipe.availableData, !data.isEmpty { take(data) }
            end()
        }
    }

    deinit { stop() }

    /// SIGTERM.
    func stop() { process.signal(SIGTERM) }

    /// SIGHUP.
    func hangUp() { process.signal(SIGHUP) }

    /// SIGKILL: no handler runs, nothing is written any more.
    func kill() { process.signal(SIGKILL) }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.id }

    /// The same for a command that has to end by itself: after that long it is killed, which its status tells.
    func ending(within limit: Duration) async -> (status: Int32, errors: String) {
        let bound = Task {
            try await Task.sleep(for: limit)
            kill()
        }
        defer { bound.cancel() }
        return await ending()
    }

    /// Waits until the process has ended; returns its status and its standard error.
    func ending() async -> (status: Int32, errors: String) {
        for await _ in ended {}
        let text = await complaints.reduce(into: Data()) { $0 += $1 }
        return (process.ending, String(decoding: text, as: UTF8.self))
    }

    /// What a server said on standard error besides the link for the console's first owner.
    static func complaints(in errors: String) -> String {
        errors.split(separator: "\n").filter { !$0.hasPrefix("console: http") }.joined(separator: "\n")
    }

    /// Waits until the process has ended; also returns its standard output, without empty lines. Use it instead of ``lines``.
    func completion() async -> (status: Int32, output: String, errors: String) {
        let output = await lines.reduce(into: "") { $0 += $1 + "\n" }
        let (status, errors) = await ending()
        return (status, output, errors)
    }
}
