// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that the test has started, and that does not outlive it.
///
/// `@unchecked Sendable`: everything is set in `init`, the output has one reader, and a process is only ended by its id.
final class Command: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let name: String

    /// - Parameters:
    ///   - limit: seconds after which it is ended, also if the test fails.
    ///   - log: takes standard error.
    init(_ executable: URL, _ arguments: [String], limit: Double, log: URL) throws {
        name = "\(executable.lastPathComponent) \(arguments.first ?? "")"
        try Data().write(to: log)
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak self] in self?.stop() }
    }

    deinit { stop() }

    /// Its address, from its first line: `listening on http://…`.
    func address() async throws -> String {
        let text = await read { Self.firstLine(of: $0) }
        guard text.hasPrefix("listening on http"), text.hasSuffix("\n") else {
            throw UnexpectedOutput(command: name, output: text)
        }
        return String(text.dropFirst("listening on ".count).dropLast())
    }

    /// All of standard output, once it has ended.
    func result<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
        let text = await read { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) }
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw UnexpectedOutput(command: name, output: text)
        }
    }

    /// Returns when it has ended, or has closed its output.
    func end() async { _ = await read { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) } }

    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Reading blocks, so it has its own thread; it ends with the process at the latest.
    private func read(_ body: @escaping @Sendable (FileHandle) -> String) async -> String {
        await withCheckedContinuation { done in
            Thread { [output] in done.resume(returning: body(output.fileHandleForReading)) }.start()
        }
    }

    private static func firstLine(of output: FileHandle) -> String {
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try? output.read(upToCount: 1), !byte.isEmpty { line += byte }
        return String(decoding: line, as: UTF8.self)
    }
}

struct UnexpectedOutput: Error, CustomStringConvertible {
    let command: String
    let output: String
    var description: String { "'\(command)' wrote something else than expected: '\(output)'. Its log may say more." }
}
