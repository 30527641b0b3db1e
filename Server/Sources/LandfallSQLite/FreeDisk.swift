// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// How full the disk is.
enum FreeDisk {
    /// Below this share of free space writes are refused, so that reads, logs and the operator still have room.
    static let least = 0.05

    /// Free part of the disk that holds the path, 0…1; 1 where the system does not say.
    static func share(at path: String) -> Double {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        guard let facts = try? FileManager.default.attributesOfFileSystem(forPath: directory),
            let free = (facts[.systemFreeSize] as? NSNumber)?.doubleValue,
            let size = (facts[.systemSize] as? NSNumber)?.doubleValue, size > 0
        else { return 1 }
        return free / size
    }
}
