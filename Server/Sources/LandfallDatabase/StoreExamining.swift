// SPDX-License-Identifier: Apache-2.0

/// A store that can say whether it is sound.
public protocol StoreExamining: Sendable {
    /// What a read or a write of this process met that only a damaged store has; nil: nothing so far.
    var metDamage: String? { get }

    /// What is damaged, in the engine's words; empty where nothing is.
    /// - Parameter whole: reads every page and compares every index with its table, which takes as long as reading the store
    ///   does; false looks as far as it gets within moments.
    func damages(whole: Bool) async throws -> [String]

    /// The migrations that the store has; see ``Migration/pending(of:applied:)``.
    func appliedMigrations() async throws -> [AppliedMigration]

    /// - Throws: ``DatabaseError/notDurable(_:)`` where a commit would not be on disk when it is answered.
    func checkDurability() async throws
}
