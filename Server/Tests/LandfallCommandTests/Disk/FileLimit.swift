// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

/// A limit on the size of the files that one process writes, set and lifted while it runs: for it the disk is full, although
/// the file system has room. As of Linux; needs no rights.
enum FileLimit {
    private static let program = "/usr/bin/prlimit"

    static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

    /// Runs the rest of the command line so that a write beyond the limit fails, and does not end the process.
    static let launcher = ["/bin/sh", "-c", #"trap '' XFSZ && exec "$@""#, "sh"]

    /// - Parameter bytes: nil lifts it.
    static func set(_ bytes: Int?, of process: Int32) throws {
        // The soft limit alone, so that it can be raised again.
        let command = [program, "--pid", "\(process)", "--fsize=\(bytes.map(String.init) ?? "unlimited"):"]
        guard SpawnedProcess.succeeds(command) else { throw CocoaError(.featureUnsupported) }
    }
}
