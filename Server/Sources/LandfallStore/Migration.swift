// SPDX-License-Identifier: Apache-2.0
/// One step of the schema. Appended, never edited; each runs in one transaction.
package struct Migration: Hashable, Sendable {
    /// What a release that does not know a migration may do with a store that has it. The store keeps this value for such
    /// releases.
    package enum OlderReleases: String, Hashable, Sendable {
        /// It may read and write as before: the migration adds only optional values.
        case readAndWrite = "read_and_write"
        /// It may only read: it understands the stored values, but the newer release would miss or misread what it writes.
        case read
        case refused
    }

    /// A dated sentence, for example `2026-11-21 profiles: create`.
    package let id: String
    /// Earlier ids of this migration that stores may contain.
    let formerly: Set<String>
    let olderReleases: OlderReleases
    let statements: [String]

    package init(
        id: String, formerly: Set<String> = [], olderReleases: OlderReleases = .refused, _ statements: [String]
    ) {
        self.id = id
        self.formerly = formerly
        self.olderReleases = olderReleases
        self.statements = statements
    }
}

/// A migration that a store has.
package struct AppliedMigration: Hashable, Sendable {
    package let id: String
    let olderReleases: Migration.OlderReleases

    init(id: String, olderReleases: Migration.OlderReleases = .refused) {
        self.id = id
        self.olderReleases = olderReleases
    }
}

extension Migration {
    /// The migrations of `all` that still have to run, in order.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` if the store has an unknown migration that forbids older releases to
    ///   write, or has any unknown migration while some of `all` are pending.
    package static func pending(of all: [Migration], applied: [AppliedMigration]) throws -> [Migration] {
        try refuseNewer(than: all, applied) { $0 == .readAndWrite }
        let ids = Set(applied.map(\.id))
        let pending = all.filter { !ids.contains($0.id) && ids.isDisjoint(with: $0.formerly) }
        // Running this release's migrations after those of a newer one is not tested.
        if !pending.isEmpty { try refuseNewer(than: all, applied) { _ in false } }
        return pending
    }

    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` if an unknown migration forbids this release to read.
    static func checkReading(_ all: [Migration], applied: [AppliedMigration]) throws {
        try refuseNewer(than: all, applied) { $0 != .refused }
    }

    private static func refuseNewer(
        than all: [Migration], _ applied: [AppliedMigration], unless isAllowed: (OlderReleases) -> Bool
    ) throws {
        let known = all.reduce(into: Set<String>()) { $0.formUnion($1.formerly.union([$1.id])) }
        let unknown = applied.filter { !known.contains($0.id) && !isAllowed($0.olderReleases) }
        if let first = unknown.map(\.id).min() { throw DatabaseError.schemaIsNewer(first) }
    }
}
