// SPDX-License-Identifier: Apache-2.0
/// One step of the schema. Appended, never edited; each runs in one transaction.
public struct Migration: Hashable, Sendable {
    /// What a release that does not know a migration may do with a store that has it. The store keeps it for them.
    public enum OlderReleases: String, Hashable, Sendable {
        /// It reads and writes what it knows as before: the step adds what nobody has to fill.
        case readAndWrite = "read_and_write"
        /// It understands what is there, but what it would write, the newer release would miss or misread.
        case read
        case refused
    }

    /// A dated sentence, for example `2026-11-21 profiles: create`.
    public let id: String
    /// Ids under which stores may have this step already.
    public let formerly: Set<String>
    public let olderReleases: OlderReleases
    public let statements: [String]

    public init(
        id: String, formerly: Set<String> = [], olderReleases: OlderReleases = .refused, _ statements: [String]
    ) {
        self.id = id
        self.formerly = formerly
        self.olderReleases = olderReleases
        self.statements = statements
    }
}

/// A step that a store has.
public struct AppliedMigration: Hashable, Sendable {
    public let id: String
    public let olderReleases: Migration.OlderReleases

    public init(id: String, olderReleases: Migration.OlderReleases = .refused) {
        self.id = id
        self.olderReleases = olderReleases
    }
}

extension Migration {
    /// Those of `all` that are still to run, in order.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` where the store has a step that this release does not know, and that does
    ///   not let older releases write, or leaves some of this release's steps open.
    public static func pending(of all: [Migration], applied: [AppliedMigration]) throws -> [Migration] {
        try refuseNewer(than: all, applied) { $0 == .readAndWrite }
        let ids = Set(applied.map(\.id))
        let pending = all.filter { !ids.contains($0.id) && ids.isDisjoint(with: $0.formerly) }
        // Nobody has tried this release's steps behind those of a newer one.
        if !pending.isEmpty { try refuseNewer(than: all, applied) { _ in false } }
        return pending
    }

    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` where a step that this release does not know keeps it from reading.
    public static func checkReading(_ all: [Migration], applied: [AppliedMigration]) throws {
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
