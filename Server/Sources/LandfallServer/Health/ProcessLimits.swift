// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the system allows this process.
public enum ProcessLimits {
    /// How many files and connections may be open; 0 if the system does not tell.
    public static var openFiles: UInt64 {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? UInt64(limit.rlim_cur) : 0
    }
}

extension DoctorFinding {
    /// Above it a node holds the streams that one node is made for.
    private static let enoughFiles: UInt64 = 10_240

    /// - Parameters:
    ///   - limit: of open files.
    ///   - process: the subject of the sentence.
    ///   - connections: how many it takes; nil if it is no server.
    public static func openFiles(_ limit: UInt64, of process: String, connections: Int? = nil) -> DoctorFinding {
        let text = "\(process) may have \(limit) files and connections open" + (connections.map { ", and takes \($0) connections." } ?? ".")
        return limit >= enoughFiles
            ? .good("openFiles", text)
            : .bad("openFiles", text, fix: "Raise the limit to 65536 (LimitNOFILE= of the service, ulimit -n): every held answer needs one.")
    }
}
