// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The free space of a disk.
package enum FreeDisk {
    /// Below this free share writes are refused, so that there is room for reads, logs and the operator.
    static let least = 0.05

    /// The free share of the disk that holds the directory, 0…1; 1 if the system does not tell. Read before every commit.
    package static func share(at directory: String) -> Double {
        var facts = statvfs()
        guard statvfs(directory, &facts) == 0, facts.f_blocks > 0 else { return 1 }
        return Double(facts.f_bavail) / Double(facts.f_blocks)
    }

    /// 0 if the system does not tell.
    static func bytes(at directory: String) -> Int64 {
        var facts = statvfs()
        guard statvfs(directory, &facts) == 0 else { return 0 }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}
