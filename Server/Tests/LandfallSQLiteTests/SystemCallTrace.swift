// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One finished system call of a traced process.
struct SystemCall: Hashable {
    let name: String
    /// Path of the file that the call's descriptor stands for.
    let file: String

    var isSync: Bool { name == "fsync" || name == "fdatasync" }
    var isWrite: Bool { name == "write" || name == "pwrite64" }
}

/// Runs one test of this test program again, in a process of its own under `strace`.
enum SystemCallTrace {
    static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/strace")
        process.arguments = ["-f", "-o", "/dev/null", "true"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    struct Failure: Error { let status: Int32 }

    /// - Returns: the writes and syncs in the order in which they ended.
    static func run(testNamed name: String, environment: [String: String], in directory: URL) async throws -> [SystemCall] {
        let output = directory.appending(path: "trace")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/strace")
        process.arguments = [
            "-f", "-y", "-e", "trace=fsync,fdatasync,write,pwrite64", "-o", output.path,
            CommandLine.arguments[0], "--filter", name, "--testing-library", "swift-testing",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw Failure(status: status) }
        return finishedCalls(in: try String(contentsOf: output, encoding: .utf8))
    }

    /// Lines are `PID name(FD</path>, …) = RESULT`; a call that another thread interrupts has two lines, and ends with the
    /// second: `PID name(FD</path>, … <unfinished ...>` and `PID <... name resumed>) = RESULT`.
    static func finishedCalls(in text: String) -> [SystemCall] {
        var unfinished: [Substring: SystemCall] = [:]
        return text.split(separator: "\n").compactMap { line in
            guard let space = line.firstIndex(of: " ") else { return nil }
            let process = line[..<space], rest = line[space...].drop { $0 == " " }
            if rest.hasPrefix("<... ") { return unfinished.removeValue(forKey: process) }
            guard let bracket = rest.firstIndex(of: "("), let open = rest.firstIndex(of: "<"),
                let close = rest.firstIndex(of: ">"),
                open < close
            else { return nil }
            let call = SystemCall(name: String(rest[..<bracket]), file: String(rest[rest.index(after: open)..<close]))
            if rest.hasSuffix("<unfinished ...>") {
                unfinished[process] = call
                return nil
            }
            return call
        }
    }
}
