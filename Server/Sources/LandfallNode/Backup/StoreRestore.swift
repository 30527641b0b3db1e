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
    ///   - seenEpoch: of the store that phones used until now; nil if it is not known.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` or ``DatabaseError/schemaIsUnreleased(_:)``.
    package static func prepare(
        _ store: any WriteConnection, applied: [AppliedMigration], replacing seenEpoch: Int64?, nowMs: Int64
    ) throws -> Prepared {
        _ = try Migration.pending(of: Schema.migrations, applied: applied)
        let seen = max(try epoch(of: store), seenEpoch ?? 0)
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

    package static func epoch(of store: any ReadConnection) throws -> Int64 {
        try store.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?.integer("epoch") ?? 0
    }
}
