// SPDX-License-Identifier: Apache-2.0
@testable import LandfallStore

/// Passes every call on to another database. A test's own database writes only the calls that it changes. Nothing is read at once.
protocol PassingDatabase: Database {
    var base: any Database { get }
}

extension PassingDatabase {
    var observers: StoreObservers { base.observers }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value { try await base.write(urgency, locking: locks, body) }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) { base.write(urgency, locking: locks, body, then: then) }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }
}

/// The same for the connection of a unit. Several statements at once go through the double one by one.
protocol PassingConnection: WriteConnection {
    var base: any WriteConnection { get }
}

extension PassingConnection {
    func lock(_ locks: [RowLock]) throws { try base.lock(locks) }
    func rows(_ statement: Statement) throws -> [Row] { try base.rows(statement) }
    func run(_ statement: Statement) throws -> Int { try base.run(statement) }
    func tell(_ change: StoreChange) { base.tell(change) }
}
