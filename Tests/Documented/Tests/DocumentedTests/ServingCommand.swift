// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A command that serves until it is stopped, and says where in its first line.
///
/// `@unchecked Sendable`: all is set in `init`; `Process` is only asked to end, by its id.
final class ServingCommand: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let name: String

    /// - Parameter log: takes standard error.
    init(_ executable: URL, _ arguments: [String], log: URL) throws {
        name = arguments.first ?? executable.lastPathComponent
        try Data().write(to: log)
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        // Whatever becomes of the test, its server does not outlive it for long.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak self] in self?.stop() }
    }

    deinit { stop() }

    /// Reads `listening on http://…`.
    func address() async throws -> String {
        var text = ""
        for await chunk in output.fileHandleForReading.chunks {
            text += String(decoding: chunk, as: UTF8.self)
            guard let end = text.firstIndex(of: "\n") else { continue }
            let line = text[..<end]
            guard line.hasPrefix("listening on http") else { break }
            return String(line.dropFirst("listening on ".count))
        }
        throw NotServing(command: name, output: text)
    }

    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

struct NotServing: Error, CustomStringConvertible {
    let command: String
    let output: String
    var description: String { "'landfall \(command)' did not say where it listens. It wrote: '\(output)'" }
}

extension FileHandle {
    /// What arrives, until the writer closes its end.
    var chunks: AsyncStream<Data> {
        let (chunks, arrival) = AsyncStream.makeStream(of: Data.self)
        readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                arrival.finish()
            } else {
                arrival.yield(data)
            }
        }
        return chunks
    }
}
