// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

/// A file system of a few megabytes in memory that only one process sees, so that a test can fill a disk without filling one.
struct SmallDisk {
    /// Visible to the process and its children; for others the folder is empty.
    let folder: URL

    private static let program = "/usr/bin/unshare"
    /// As an ordinary user only inside a user namespace of one's own.
    private static let options = getuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]

    /// Runs the rest of the command line with the disk mounted.
    var launcher: [String] {
        [Self.program] + Self.options
            + ["sh", "-c", #"mount -t tmpfs -o size=32m tmpfs "$0" && exec "$@""#, folder.path]
    }

    static let isAvailable: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return false
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        return SpawnedProcess.succeeds(SmallDisk(folder: folder).launcher + ["true"])
    }()

    /// The disk as others reach it, through the process that has it.
    private func outside(_ process: Int32) -> String { "/proc/\(process)/root\(folder.path)" }

    /// Fills it until that share of it is free.
    func fill(upTo share: Double, seenBy process: Int32) throws {
        let facts = try FileManager.default.attributesOfFileSystem(forPath: outside(process))
        let size = (facts[.systemSize] as? NSNumber)?.doubleValue ?? 0
        let free = (facts[.systemFreeSize] as? NSNumber)?.doubleValue ?? 0
        try Data(count: Int(free - size * share)).write(to: URL(filePath: outside(process) + "/ballast"))
    }

    func empty(seenBy process: Int32) throws { try FileManager.default.removeItem(atPath: outside(process) + "/ballast") }
}
