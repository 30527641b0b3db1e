// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Runs a program under `strace`.
package enum SystemCallTrace {
    package static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-f", "-o", "/dev/null", "true"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

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
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments =
            arguments(output: output) + [CommandLine.arguments[0], "--filter", name, "--testing-library", "swift-testing"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw Failure(status: status) }
        return try calls(in: output)
    }
}
