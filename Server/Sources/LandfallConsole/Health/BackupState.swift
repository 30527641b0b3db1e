// SPDX-License-Identifier: Apache-2.0

/// What is to be said about the last backup of a store: the Health page and `landfall doctor` say the same.
package enum BackupState: Hashable, Sendable {
    case fresh
    /// The store is so young that its first backup is only due.
    case due
    /// There is none, or it is too old.
    case missing
    /// The store is a database, which may be copied by tools that this server does not know of.
    case elsewhere

    package static let longestMs: Int64 = 7 * 24 * 3_600_000
    /// Of a store that was never backed up.
    package static let longestFirstMs: Int64 = 24 * 3_600_000

    /// - Parameters:
    ///   - lastMs: nil where this store knows of no backup.
    ///   - storeSinceMs: when the store was made or restored.
    package init(lastMs: Int64?, storeSinceMs: Int64, isShared: Bool, nowMs: Int64) {
        if let lastMs, nowMs - max(lastMs, storeSinceMs) < Self.longestMs {
            self = .fresh
        } else if isShared {
            self = .elsewhere
        } else {
            self = lastMs == nil && nowMs - storeSinceMs < Self.longestFirstMs ? .due : .missing
        }
    }
}
