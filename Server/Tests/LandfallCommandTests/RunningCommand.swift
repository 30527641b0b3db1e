// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The built `landfall` as a separate process, as an operator runs it.
final class RunningCommand: Sendable {
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()
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
        process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        // No load balancer asks tests, and they do not wait for one.
        let own = ProcessInfo.processInfo.environment.merging(["LANDFALL_DRAIN": "0"]) { _, new in new }
        process.environment = own.merging(environment) { _, new in new }
        process.standardOutput = output
        process.standardError = errors
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        process.terminationHandler = { _ in end.finish() }
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let (complaints, complaint) = AsyncStream.makeStream(of: Data.self)
        self.complaints = complaints
        try process.run()
        // The command writes whole lines at once, so that a chunk never ends within one.
        Self.read(output.fileHandleForReading) { data in
            for text in String(decoding: data, as: UTF8.self).split(separator: "\n") { line.yield(String(text)) }
        } atEnd: {
            line.finish()
        }
        Self.read(errors.fileHandleForReading) {
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

    deinit { if process.isRunning { process.terminate() } }

    /// SIGTERM.
    func stop() { process.terminate() }

    /// SIGHUP.
    func hangUp() { _ = Foundation.kill(process.processIdentifier, SIGHUP) }

    /// SIGKILL: no handler runs, nothing is written any more.
    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }

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
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// Waits until the process has ended; also returns its standard output, without empty lines. Use it instead of ``lines``.
    func completion() async -> (status: Int32, output: String, errors: String) {
        let output = await lines.reduce(into: "") { $0 += $1 + "\n" }
        let (status, errors) = await ending()
        return (status, output, errors)
    }
}
