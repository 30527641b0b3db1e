// SPDX-License-Identifier: Apache-2.0

/// A store that knows how much room is left where it lies.
public protocol DiskTelling: Sendable {
    /// Free part of the disk, 0…1. Any thread; asks the system each time.
    var freeDiskShare: Double { get }
}
