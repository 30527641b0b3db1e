// SPDX-License-Identifier: Apache-2.0
/// One step of the schema. Appended, never edited; each runs in one transaction.
public struct Migration: Hashable, Sendable {
    /// A dated sentence, for example `2026-11-21 profiles: create`.
    public let id: String
    public let statements: [String]

    public init(id: String, _ statements: [String]) {
        self.id = id
        self.statements = statements
    }
}

extension Migration {
    /// Those of `all` that are still to run, in order.
    /// - Parameter applied: ids that the database has.
    /// - Throws: ``DatabaseError/schemaIsNewer(_:)`` where the database has one that this release does not know.
    public static func pending(of all: [Migration], applied: Set<String>) throws -> [Migration] {
        let known = Set(all.map(\.id))
        if let unknown = applied.subtracting(known).min() { throw DatabaseError.schemaIsNewer(unknown) }
        return all.filter { !applied.contains($0.id) }
    }
}
