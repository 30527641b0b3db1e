// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Runs a program under `strace`.
package enum SystemCallTrace {
    package static let isAvailable = SpawnedProcess.succeeds([program, "-f", "-o", "/dev/null", "true"])

    package struct Failure: Error { let status: Int32 }

    package static let program = "/usr/bin/strace"

    /// What `strace` needs before a program's own command line.
    package static func arguments(output: URL) -> [String] {
        ["-f", "-y", "-e", "trace=fsync,fdatasync,write,writev,pwrite64", "-o", output.path]
    }

    package static func calls(in output: URL) throws -> [SystemCall] {
        SystemCall.calls(in: try String(contentsOf: output, encoding: .utf8))
    }

    /// Runs one test of this test program again, in a separate process.
    /// - Returns: its writes and syncs, in order.
    package static func run(
        testNamed name: String, environment: [String: String], in directory: URL
    ) async throws -> [SystemCall] {
        let output = directory.appending(path: "trace")
        let traced = [CommandLine.arguments[0], "--filter", name, "--testing-library", "swift-testing"]
        let done = try await SpawnedProcess.completion(
            of: [program] + arguments(output: output) + traced,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        guard done.status == 0 else { throw Failure(status: done.status) }
        return try calls(in: output)
    }
}
