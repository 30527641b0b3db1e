// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

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
        let assigned: Int
        let failures: [Failure]
    }

    static func document(_ output: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(output.utf8))
    }

    /// Waits until it has ended.
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "landfall-virtual")
        let done = try await SpawnedProcess.completion(of: [program.path] + arguments)
        return (done.status, done.output, done.errors)
    }
}
