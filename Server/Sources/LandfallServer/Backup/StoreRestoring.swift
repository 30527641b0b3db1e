// SPDX-License-Identifier: Apache-2.0
public import LandfallDatabase

/// Prepares an older store before it is served again.
public enum StoreRestoring {
    /// Phones keep the newest profile that they have seen: first by epoch, then by version. They may have seen versions that
    /// the restored store does not have, so the store gets an epoch higher than any that phones have seen, and its profiles
    /// win.
    /// - Parameters:
    ///   - applied: the migrations of the store.
    ///   - replaced: the store that phones used until now; nil if it cannot be read.
    /// - Returns: the new epoch.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)``.
    public static func prepare(
        _ store: any WriteConnection, applied: [AppliedMigration], replacing replaced: (any ReadConnection)?, nowMs: Int64
    ) throws -> Int64 {
        _ = try Migration.pending(of: Schema.migrations, applied: applied)
        let seen = [try stored(store), replaced.flatMap { try? stored($0) } ?? 0].max() ?? 0
        let epoch = max(nowMs, seen + 1)
        try store.run("UPDATE store SET epoch = $1 WHERE name = $2", [.integer(epoch), .text("self")])
        return epoch
    }

    private static func stored(_ store: any ReadConnection) throws -> Int64 {
        try store.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?.integer("epoch") ?? 0
    }
}
