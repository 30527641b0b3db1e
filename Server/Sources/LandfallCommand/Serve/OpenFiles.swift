// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

/// The limit of this process's open files and connections. Every held stream is one, and many systems start a process with
/// 1,024.
enum OpenFiles {
    /// Enough for a node with 10,000 streams, with room for everything else.
    static let wanted: UInt64 = 65_536

    /// With a lower limit a server does not start: the store, its log and its connections may use all descriptors, and the system's
    /// libraries end a process that gets none.
    static let least: UInt64 = 128

    /// - Parameter files: the limit; 0 if the system does not tell.
    static func require(_ files: UInt64) throws {
        if files > 0, files < least { throw TooFewFiles(limit: files) }
    }

    struct TooFewFiles: Error, CustomStringConvertible {
        let limit: UInt64
        var description: String {
            "This process may have only \(limit) files and connections open, and a server needs at least \(OpenFiles.least). "
                + "Raise the limit: LimitNOFILE=65536 in the service, or ulimit -n 65536."
        }
    }

    /// For descriptors that are not client connections: the store, calls to Apple (256 at once), two for each event loop, and
    /// the few connections that are told to retry.
    private static let reserve = 448 + 4 * UInt64(ProcessInfo.processInfo.activeProcessorCount)

    /// How many connections fit into a limit of open files; half of a small limit.
    /// - Parameter files: 0 if the system does not tell.
    static func connections(of files: UInt64) -> Int {
        let files = files == 0 ? 1_024 : min(files, UInt64(UInt32.max))
        return Int(files - min(reserve, files / 2))
    }

    /// Raises the limit as far as the system allows, and no further than wanted. With a lower one the node holds fewer streams.
    /// - Returns: the new limit; 0 if the system does not tell.
    @discardableResult
    static func raiseLimit() -> UInt64 { ProcessLimits.raiseOpenFiles(to: wanted) }
}

extension OpenFiles {
    /// Sets one timer on each clock that this process waits by. A clock's first wait opens a descriptor, and libdispatch
    /// crashes the process if none is left: so it happens before a client can connect.
    static func openTimers() async {
        try? await ContinuousClock().sleep(for: .microseconds(1))
        try? await SuspendingClock().sleep(for: .microseconds(1))
    }
}
