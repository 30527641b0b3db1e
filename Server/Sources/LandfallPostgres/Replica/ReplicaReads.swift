// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
import Synchronization

/// The reads of one answer: on the replica, and on the primary from the first that the replica does not answer.
final class ReplicaReads: StoreReading {
    private let replica: PostgresReplica
    private let primary: PostgresDatabase
    /// The beat that every further read must have; nil on the primary, where no read is older than one of the replica.
    private let leastMs: Mutex<Int64?>

    init(_ replica: PostgresReplica, _ primary: PostgresDatabase, beatMs: Int64) {
        (self.replica, self.primary) = (replica, primary)
        leastMs = Mutex(beatMs)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value {
        guard let beatMs = leastMs.withLock(\.self) else { return try await primary.read(body) }
        guard let found = try await replica.read(from: beatMs, body) else {
            leastMs.withLock { $0 = nil }
            return try await primary.read(body)
        }
        // Another of several standbys may be further.
        leastMs.withLock { $0 = $0.map { max($0, found.beatMs) } }
        return found.value
    }
}

extension PostgresDatabase: ReplicaReporting {
    package func laggingReads() async -> LaggingReads {
        guard let replica, let (beatMs, ageMs) = await replica.begin() else { return LaggingReads(store: self) }
        return LaggingReads(store: ReplicaReads(replica, self, beatMs: beatMs), ageMs: ageMs)
    }

    package var replicaCondition: ReplicaCondition? { replica?.condition }
}
