// SPDX-License-Identifier: Apache-2.0
import LandfallSQLite
import LandfallStore
import Synchronization

/// The store as one process sees it: once the process is dead, nothing that it still does reaches the disk.
final class MortalDatabase: Database {
    private let database: MemoryDatabase
    private let isDead = Mutex(false)
    private let isDiskLow: @Sendable () -> Bool
    let observers = StoreObservers()
    private let hearing = Mutex<StoreObservation?>(nil)

    /// - Parameter hearsAtOnce: false if somebody else tells this process what has changed.
    init(_ database: MemoryDatabase, hearsAtOnce: Bool = true, isDiskLow: @escaping @Sendable () -> Bool) {
        self.database = database
        self.isDiskLow = isDiskLow
        guard hearsAtOnce else { return }
        let observation = database.observers.add { [observers] in observers.tell($0) }
        hearing.withLock { $0 = observation }
    }

    /// A dead process hears nothing either.
    func kill() {
        isDead.withLock { $0 = true }
        hearing.withLock { $0 = nil }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try check()
        return try await database.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try check()
        if isDiskLow() { throw DatabaseError.diskLow }
        return try await database.write(urgency, locking: locks, body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        do { try check() } catch { return then(.failure(error)) }
        if isDiskLow() { return then(.failure(DatabaseError.diskLow)) }
        database.write(urgency, locking: locks, body, then: then)
    }

    func migrate(_ migrations: [Migration]) async throws { try await database.migrate(migrations) }

    private func check() throws { if isDead.withLock({ $0 }) { throw DatabaseError.closed } }
}
