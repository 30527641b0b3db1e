// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// Prepares an older store before it is served again.
package enum StoreRestore {
    package struct Prepared: Hashable, Sendable {
        /// The new one.
        package let epoch: Int64
        /// Versions of the configuration that waited for their time when the backup was made.
        package let stoppedVersions: Int
    }

    /// Phones keep the newest profile that they have seen: first by epoch, then by version. They may have seen versions that
    /// the restored store does not have, so the store gets an epoch higher than any that phones have seen, and its profiles
    /// win.
    ///
    /// What ended after the backup must not begin again: sessions, invitations and scheduled versions of the backup end.
    /// - Parameters:
    ///   - applied: the migrations of the store.
    ///   - replaced: the store that phones used until now; nil if it cannot be read.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` or ``DatabaseError/schemaIsUnreleased(_:)``.
    package static func prepare(
        _ store: any WriteConnection, applied: [AppliedMigration], replacing replaced: (any ReadConnection)?, nowMs: Int64
    ) throws -> Prepared {
        _ = try Migration.pending(of: Schema.migrations, applied: applied)
        let seen = [try stored(store), replaced.flatMap { try? stored($0) } ?? 0].max() ?? 0
        let epoch = max(nowMs, seen + 1)
        try store.run("UPDATE store SET epoch = $1 WHERE name = $2", [.integer(epoch), .text("self")])
        try store.run("DELETE FROM console_session")
        try store.run("DELETE FROM console_invitation")
        let stopped = try store.run(
            "UPDATE configuration_schedule SET state = 'failed', text = '', reason = $1 WHERE state = 'waiting'", [.text(reason)])
        return Prepared(epoch: epoch, stoppedVersions: stopped)
    }

    private static let reason =
        "The store was restored from a backup that is older than this version's time. Schedule it again if it is still wanted."

    private static func stored(_ store: any ReadConnection) throws -> Int64 {
        try store.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?.integer("epoch") ?? 0
    }
}
