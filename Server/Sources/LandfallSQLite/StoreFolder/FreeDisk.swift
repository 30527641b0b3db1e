// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// How full the disk is.
enum FreeDisk {
    /// Below this share of free space writes are refused, so that reads, logs and the operator still have room.
    static let least = 0.05

    /// Free part of the disk that holds the directory, 0…1; 1 where the system does not say. Asked before every commit.
    static func share(at directory: String) -> Double {
        var facts = statvfs()
        guard statvfs(directory, &facts) == 0, facts.f_blocks > 0 else { return 1 }
        return Double(facts.f_bavail) / Double(facts.f_blocks)
    }
}
