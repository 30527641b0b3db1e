// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// Whether a copy of a store fits on a disk, with room to spare. A copy that fills a disk stops everything that writes there.
struct CopyRoom: Hashable {
    /// In bytes: room for logs, and for what others write meanwhile.
    static let leastSpare: Int64 = 16 << 20

    /// The size of the store and its log, in bytes.
    let store: Int64
    let free: Int64
    let disk: Int64
    /// A server writes on this disk, and refuses writes below the least free share.
    let isServed: Bool

    var needed: Int64 {
        store + max(store / 20, Self.leastSpare) + (isServed ? Int64(Double(disk) * FreeDisk.least) : 0)
    }

    /// - Parameters:
    ///   - source: the store's file.
    ///   - folder: of the copy.
    ///   - isServed: nil means true if the store is on the same disk.
    /// - Throws: ``StoreCopyError/noRoom(folder:needed:free:)``. Throws nothing if the system does not tell the sizes.
    static func check(for source: String, in folder: String, isServed: Bool? = nil) throws(StoreCopyError) {
        var disk = statvfs()
        var (there, here) = (stat(), stat())
        guard statvfs(folder, &disk) == 0, disk.f_blocks > 0, stat(folder, &there) == 0, stat(source, &here) == 0 else { return }
        let block = Int64(disk.f_frsize)
        let room = CopyRoom(
            store: StoreCopy.size(of: source) + StoreCopy.size(of: source + "-wal"), free: Int64(disk.f_bavail) * block,
            disk: Int64(disk.f_blocks) * block, isServed: isServed ?? (there.st_dev == here.st_dev))
        guard room.free >= room.needed else { throw .noRoom(folder: folder, needed: room.needed, free: room.free) }
    }
}
