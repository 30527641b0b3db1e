// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much memory this process may use, in bytes.
enum Memory {
    static var available: UInt64 {
        let machine = ProcessInfo.processInfo.physicalMemory
        let files = limitFiles(groups: (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "")
        return files.compactMap { limit(try? String(contentsOfFile: $0, encoding: .utf8)) }.reduce(machine, min)
    }

    /// The files with the memory limits of a container or a service on Linux: those of the process's own group, and of each
    /// group around it.
    /// - Parameter groups: the text of `/proc/self/cgroup`: lines such as `0::/system.slice/landfall.service`.
    static func limitFiles(groups: String) -> [String] {
        groups.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let (root, file): (String, String)
            if parts[0] == "0", parts[1].isEmpty { (root, file) = ("/sys/fs/cgroup", "memory.max") }
            else if parts[1] == "memory" { (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") }
            else { return [] }
            let names = parts[2].split(separator: "/")
            return (0...names.count).map { "\(root)/" + names.prefix($0).map { $0 + "/" }.joined() + file }
        }
    }

    /// Nil for `max`, and for text that is not a number.
    static func limit(_ text: String?) -> UInt64? {
        text.flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}
