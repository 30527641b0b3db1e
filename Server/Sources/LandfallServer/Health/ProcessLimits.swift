// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the system allows this process.
package enum ProcessLimits {
    #if canImport(Glibc)
    private static let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let openFilesResource = RLIMIT_NOFILE
    #endif

    /// How many files and connections may be open; 0 if the system does not tell.
    package static var openFiles: UInt64 {
        var limit = rlimit()
        return getrlimit(openFilesResource, &limit) == 0 ? UInt64(limit.rlim_cur) : 0
    }

    /// Raises that as far as the system allows, and no further than wanted. If the system refuses, the old limit stays.
    /// - Returns: the new limit; 0 if the system does not tell.
    package static func raiseOpenFiles(to wanted: UInt64) -> UInt64 {
        var limit = rlimit()
        guard getrlimit(openFilesResource, &limit) == 0 else { return 0 }
        let target = min(rlim_t(wanted), limit.rlim_max)
        guard limit.rlim_cur < target else { return UInt64(limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = target
        return setrlimit(openFilesResource, &limit) == 0 ? UInt64(target) : UInt64(before)
    }
}

extension DoctorFinding {
    /// Enough for the streams that one node is made for.
    private static let enoughFiles: UInt64 = 10_240

    /// - Parameters:
    ///   - limit: of open files.
    ///   - process: the subject of the sentence.
    ///   - connections: how many it accepts; nil if the process is not a server.
    package static func openFiles(_ limit: UInt64, of process: String, connections: Int? = nil) -> DoctorFinding {
        let text = "\(process) may have \(limit) files and connections open" + (connections.map { ", and takes \($0) connections." } ?? ".")
        return limit >= enoughFiles
            ? .good("openFiles", text)
            : .bad("openFiles", text, fix: "Raise the limit to 65536 (LimitNOFILE= of the service, ulimit -n): every held answer needs one.")
    }
}
