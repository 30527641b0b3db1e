// SPDX-License-Identifier: Apache-2.0

/// A store that knows how much disk space is left.
public protocol DiskTelling: Sendable {
    /// The free share of the disk, 0…1. Any thread; asks the system each time.
    var freeDiskShare: Double { get }
}
