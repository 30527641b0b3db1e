// SPDX-License-Identifier: Apache-2.0
/// One step of the schema. Appended, never edited; each runs in one transaction.
package struct Migration: Hashable, Sendable {
    /// What a release that does not know a migration may do with a store that has it. The store keeps this value for such
    /// releases.
    package enum OlderReleases: String, Hashable, Sendable {
        /// It may read and write as before: the migration adds only optional values.
        case readAndWrite = "read_and_write"
        case refused
    }

    /// A dated sentence, for example `2026-11-28 jobs: create job`.
    package let id: String
    let olderReleases: OlderReleases
    package let statements: [String]

    package init(id: String, olderReleases: OlderReleases = .refused, _ statements: [String]) {
        self.id = id
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

    private static let copying = "unfinished copy of ", moving = "moved to "

    /// Stands in a store that rows are still copied into, in place of its migrations: no release works on it.
    static func unfinishedCopy(ofStore id: String) -> AppliedMigration { AppliedMigration(id: copying + id) }

    /// The store whose unfinished copy this one is; nil of a migration.
    var copiedStore: String? { id.hasPrefix(Self.copying) ? String(id.dropFirst(Self.copying.count)) : nil }

    /// Stands in a store beside its migrations if its pages have checksums. A release that does not know them would write pages that differ
    /// from theirs, and the next one would take them for damaged.
    package static let pageChecksums = AppliedMigration(id: "pages have checksums")

    /// Stands in a store beside its migrations once it was moved: no release works on it any more.
    static func moved(to place: String) -> AppliedMigration { AppliedMigration(id: moving + place) }

    /// Where the store was moved; nil of a migration.
    var newPlace: String? { id.hasPrefix(Self.moving) ? String(id.dropFirst(Self.moving.count)) : nil }
}

extension Migration {
    /// The migrations of `all` that still have to run, in order.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` if the store has an unknown migration that forbids older releases to
    ///   write, or has any unknown migration while some of `all` are pending. What ``checkRelease(_:applied:)`` throws.
    package static func pending(of all: [Migration], applied: [AppliedMigration]) throws -> [Migration] {
        try checkRelease(all, applied: applied)
        let known = known(all), ran = Set(applied.map(\.id))
        let pending = all.filter { !ran.contains($0.id) }
        // Running this release's migrations after those of a newer one is not tested.
        let newer = applied.filter { !known.contains($0.id) && ($0.olderReleases == .refused || !pending.isEmpty) }
        if let id = newer.map(\.id).min() { throw DatabaseError.schemaIsNewer(id) }
        return pending
    }

    /// The ids that this release knows in a store: of all its migrations, and what stands beside them.
    static func known(_ all: [Migration]) -> Set<String> { Set(all.map(\.id) + [AppliedMigration.pageChecksums.id]) }

    /// - Throws: ``DatabaseError/schemaIsUnreleased(_:)`` if the store has migrations, but not the first one, with which every release
    ///   begins. ``DatabaseError/copyUnfinished(_:)``, ``DatabaseError/moved(to:)``.
    package static func checkRelease(_ all: [Migration], applied: [AppliedMigration]) throws {
        if let copy = applied.lazy.compactMap(\.copiedStore).first { throw DatabaseError.copyUnfinished(copy) }
        if let place = applied.lazy.compactMap(\.newPlace).first { throw DatabaseError.moved(to: place) }
        guard let id = applied.map(\.id).min(), let first = all.first, !applied.contains(where: { $0.id == first.id }) else { return }
        throw DatabaseError.schemaIsUnreleased(id)
    }
}
