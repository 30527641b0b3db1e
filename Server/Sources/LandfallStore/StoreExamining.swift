// SPDX-License-Identifier: Apache-2.0

/// What a store lacks of a schema, by name.
package struct SchemaLacks: Hashable, Sendable {
    /// Tables and columns: without them statements fail.
    package var rows: [String] = []
    /// Indexes: without them statements are slow, or do not notice that a row exists already.
    package var indexes: [String] = []

    package init() {}

    /// Nil if nothing is missing.
    package var text: String? { (rows + indexes).isEmpty ? nil : (rows + indexes).joined(separator: ", ") }
}

/// A store that can check itself for damage.
package protocol StoreExamining: Sendable {
    /// The first damage that a read or write of this process found; nil if none so far.
    var metDamage: String? { get }

    /// The damage, in the engine's words; empty if there is none.
    /// - Parameter whole: true reads every page and compares every index with its table, which takes as long as reading the
    ///   store; false checks as much as it can within moments.
    func damages(whole: Bool) async throws -> [String]

    /// The migrations of the store; see ``Migration/pending(of:applied:)``.
    func appliedMigrations() async throws -> [AppliedMigration]

    /// What the store lacks of the schema that these migrations make.
    func schemaLacks(after migrations: [Migration]) async throws -> SchemaLacks

    /// - Throws: ``DatabaseError/notDurable(_:)`` or ``DatabaseError/unsuitable(_:remedy:)`` if a commit could be answered before it is
    ///   on disk.
    func checkDurability() async throws

    /// What else the engine tells about the way it is set up and how it does.
    func conditions() async throws -> [EngineCondition]
}

extension StoreExamining {
    package func conditions() async throws -> [EngineCondition] { [] }
}

/// The result of one look at an engine.
package struct EngineCondition: Hashable, Sendable {
    /// The look's stable name, such as `standbys`.
    package let check: String
    package let message: String
    /// What to do; nil if it is in order.
    package let remedy: String?

    package init(_ check: String, _ message: String, remedy: String? = nil) {
        (self.check, self.message, self.remedy) = (check, message, remedy)
    }
}
