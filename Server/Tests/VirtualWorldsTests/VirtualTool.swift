// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The built `landfall-virtual`, in a process of its own: a simulation takes over every task of its process.
enum VirtualTool {
    /// What `--json` says, without the seconds that it took.
    struct Document: Decodable, Hashable {
        struct Failure: Decodable, Hashable {
            let seed: UInt64
            let broken: [String]
        }

        let phones: Int
        let worlds: Int
        let opens: Int
        let failures: [Failure]
    }

    static func document(_ output: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(output.utf8))
    }

    /// Waits until it has ended.
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-virtual-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files take whatever is written; a pipe that nobody reads would hold the tool up.
        let files = ["output", "errors"].map { folder.appending(path: $0) }
        for file in files { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "landfall-virtual")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        for await _ in ended {}
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (process.terminationStatus, texts[0], texts[1])
    }
}
