// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// How a program ended, and what it wrote.
package struct Completion: Sendable {
    /// The exit status, or the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String
}

extension SpawnedProcess {
    /// Runs a program to its end.
    package static func completion(
        of command: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> Completion {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let process = try SpawnedProcess(command, environment: environment, onEnd: { end.finish() })
        async let output = process.output.textToEnd()
        async let errors = process.errors.textToEnd()
        let texts = try await (output, errors)
        for await _ in ended {}
        return Completion(status: process.ending, output: texts.0, errors: texts.1)
    }

    /// True for a program that ends with 0. Blocks: for what is asked once, before tests run.
    package static func succeeds(_ command: [String]) -> Bool {
        let ended = DispatchSemaphore(value: 0)
        guard let process = try? SpawnedProcess(command, onEnd: { ended.signal() }) else { return false }
        // It must not wait for a reader.
        for pipe in [process.output, process.errors] { Thread.detachNewThread { _ = try? pipe.readToEnd() } }
        ended.wait()
        return process.ending == 0
    }
}

extension FileHandle {
    /// On a thread of its own: a child writes when it likes.
    package func textToEnd() async throws -> String {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            Thread.detachNewThread { [self] in
                continuation.resume(with: Result { String(decoding: try readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
    }
}
