// SPDX-License-Identifier: Apache-2.0

/// Reads of a store.
package protocol StoreReading: Sendable {
    /// Reads one consistent snapshot. Never waits for a writer.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value
}

extension StoreReading {
    /// Reads one consistent snapshot by statements that are known before, in one round trip if the engine is remote.
    /// - Returns: the rows of each of them.
    package func rows(_ statements: [Statement]) async throws -> [[Row]] { try await read { try $0.rows(statements) } }
}

/// What an answer reads from that may be some seconds old: a report, results, a sample. Not what it then writes, and nothing that its
/// reader has just changed.
package struct LaggingReads: Sendable {
    /// No read is older than the one before.
    package let store: any StoreReading
    /// The first read sees everything that was committed so many milliseconds before it began. Nil if it sees everything.
    package let ageMs: Int64?

    package init(store: any StoreReading, ageMs: Int64? = nil) { (self.store, self.ageMs) = (store, ageMs) }
}

/// How far the replica of a database is, which is read where answers may lag.
package struct ReplicaCondition: Hashable, Sendable {
    package enum State: String, Sendable {
        /// It was not asked yet.
        case unknown
        /// Answers that may lag are read from it.
        case ok
        /// It is too far behind, or follows another database.
        case behind
        /// It does not answer, or refuses.
        case away
    }

    package let state: State
    /// How old its rows are at most; nil if it does not tell.
    package let ageMs: Int64?
    /// Why it is away, in the engine's words.
    package let reason: String?
    /// How many answers began on it, and how many on the primary instead.
    package var answers = 0
    package var answersOfPrimary = 0
    /// Reads that it did not answer, and the primary did.
    package var repeats = 0

    package init(_ state: State, ageMs: Int64? = nil, reason: String? = nil) {
        (self.state, self.ageMs, self.reason) = (state, ageMs, reason)
    }
}

/// A database that may have a replica.
package protocol ReplicaReporting: Sendable {
    /// Nil if it has none. Any thread; never waits for the replica.
    var replicaCondition: ReplicaCondition? { get }
}
