// SPDX-License-Identifier: Apache-2.0

/// A store that can check itself for damage.
public protocol StoreExamining: Sendable {
    /// The first sign of damage that a read or write of this process met; nil: none so far.
    var metDamage: String? { get }

    /// The damage, in the engine's words; empty if there is none.
    /// - Parameter whole: true reads every page and compares every index with its table, which takes as long as reading the
    ///   store; false checks as much as it can within moments.
    func damages(whole: Bool) async throws -> [String]

    /// The migrations of the store; see ``Migration/pending(of:applied:)``.
    func appliedMigrations() async throws -> [AppliedMigration]

    /// - Throws: ``DatabaseError/notDurable(_:)`` if a commit could be answered before it is on disk.
    func checkDurability() async throws
}
