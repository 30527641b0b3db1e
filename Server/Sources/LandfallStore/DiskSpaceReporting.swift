// SPDX-License-Identifier: Apache-2.0

/// In bytes; 0 if the system does not tell.
package struct StoreSizes: Hashable, Sendable {
    package var store: Int64
    /// The size of what is written and is not yet part of the store's file.
    package var log: Int64
    package var freeDisk: Int64

    package init(store: Int64, log: Int64, freeDisk: Int64) {
        (self.store, self.log, self.freeDisk) = (store, log, freeDisk)
    }
}

/// A store that knows how much disk space is left.
package protocol DiskSpaceReporting: Sendable {
    /// The free share of the disk, 0…1. Any thread; asks the system each time.
    var freeDiskShare: Double { get }
    /// The same in bytes, with the sizes of the store's files. Any thread; asks the system each time.
    var sizes: StoreSizes { get }
}
