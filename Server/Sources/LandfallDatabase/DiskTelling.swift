// SPDX-License-Identifier: Apache-2.0

/// In bytes; 0 where the system does not tell.
public struct StoreSizes: Hashable, Sendable {
    public var store: Int64
    /// What is written and not yet part of the store's file.
    public var log: Int64
    public var freeDisk: Int64

    public init(store: Int64, log: Int64, freeDisk: Int64) {
        (self.store, self.log, self.freeDisk) = (store, log, freeDisk)
    }
}

/// A store that knows how much disk space is left.
public protocol DiskTelling: Sendable {
    /// The free share of the disk, 0…1. Any thread; asks the system each time.
    var freeDiskShare: Double { get }
    /// The same in bytes, with the sizes of the store's files. Any thread; asks the system each time.
    var sizes: StoreSizes { get }
}
