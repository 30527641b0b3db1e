// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// A PostgreSQL database that several nodes may share.
///
/// Units that name the same lock run one after the other, on all nodes. A unit that another one was in the way of, or whose
/// connection was lost, is run again, see `docs/decisions/018-postgresql-through-libpq.md`.
///
/// Closes itself when it is released; ``close()`` returns when it is closed.
package final class PostgresDatabase: SharedDatabase, WriteCounting, ReadCounting, PoolCounting {
    let pool: PostgresPool
    let limits: PostgresLimits
    private let feed = ChangeFeed()
    private let monthLooks = MonthLooks()
    /// Nil without one.
    let replica: PostgresReplica?

    package var isShared: Bool { true }
    package var node: NodeName { pool.node }
    package var observers: StoreObservers { pool.observers }

    /// Connects, and checks that the database keeps what it says it keeps, and that the replica is one of this database.
    /// - Parameter replica: for reads that may lag. It may be away.
    /// - Throws: ``LandfallStore/DatabaseError/libraryMissing(_:)``,
    ///   ``LandfallStore/DatabaseError/cannotConnect(server:reason:)`` or
    ///   ``LandfallStore/DatabaseError/unsuitable(_:remedy:)``.
    package static func open(
        _ address: PostgresAddress, replica: PostgresAddress? = nil, limits: PostgresLimits = PostgresLimits()
    ) async throws -> PostgresDatabase {
        let library = try Libpq.shared.get()
        try await onThread { () throws(DatabaseError) in
            let primary = try PostgresConnection(address, library: library, within: limits.interactive)
            try PostgresChecks.run(on: primary, within: limits.interactive)
            if let replica { try ReplicaChecks.run(replica, of: primary, within: limits.interactive) }
        }
        return PostgresDatabase(address, library, limits, replica: replica)
    }

    /// Checks nothing.
    init(_ address: PostgresAddress, _ library: Libpq, _ limits: PostgresLimits, replica: PostgresAddress? = nil) {
        self.limits = limits
        let node = NodeName.drawn()
        pool = PostgresPool(address, library, limits, node)
        self.replica = replica.map { PostgresReplica($0, library, limits, node) }
    }

    deinit {
        pool.refuse()
        replica?.refuse()
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value {
        try await pool.run(UnitTerms(kind: .read, urgency: .interactive, limit: limits.interactive), body)
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await pool.run(terms(urgency, locks), body)
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let unit = PostgresUnit(terms(urgency, locks), body)
        if unit.wait(with: then) { pool.enqueue(unit) }
    }

    package func append(
        _ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        pool.enqueue(PostgresAppend(rows, UnitTerms(kind: .append, urgency: urgency, limit: limits.wait(urgency)), then))
    }

    /// One transaction for all that are missing. Another node that starts meanwhile waits, and finds them done.
    package func migrate(_ migrations: [Migration]) async throws {
        let terms = UnitTerms(
            kind: .write, urgency: .bulk, locks: [RowLock("schema_migration", [:]).number], limit: limits.migration)
        try await pool.run(terms) { transaction in
            // From here on others wait for the tables that it changes, and behind it everybody waits who wants those tables.
            try transaction.run("SET LOCAL lock_timeout = '3s'")
            let applied = try AppliedMigration.prepared(transaction)
            for migration in try Migration.pending(of: migrations, applied: applied) {
                try migration.run(transaction, position: migrations.firstIndex(of: migration) ?? 0)
            }
            try NodeTables.create(transaction)
        }
        // Rows find a place without them, and the node looks again.
        do { try await makeMonths() } catch is DatabaseError {}
    }

    package func hear() async throws {
        let changes = try await feed.read(self)
        observers.tell(changes.map { .changed($0) } ?? .missed)
    }

    package func beat(
        release: String, nowMs: Int64, asking questions: [Statement]
    ) async throws -> (seen: NodesSeen, answers: [[Row]]) {
        let sentAt = ContinuousClock.now
        var databaseMs: Int64?
        defer { replica?.beaten(databaseMs, sentAt: sentAt) }
        let found = try await write { [node] connection in
            try connection.run(NodeTables.beat(node, release: release, nowMs: nowMs))
            let answers = try connection.rows([NodeTables.question] + questions)
            return (seen: try NodeTables.seen(answers[0]), answers: Array(answers.dropFirst()))
        }
        databaseMs = found.seen.nowMs
        return found
    }

    package func nodes() async throws -> NodesSeen { try NodeTables.seen(await rows([NodeTables.question])[0]) }

    package func forget(_ dead: NodeName) async throws {
        _ = try await write { try $0.run(NodeTables.forgetText, [.text(dead.text)]) }
    }

    package func tidy() async throws {
        _ = try await write(.bulk, locking: []) { try $0.run(NodeTables.tidyText) }
        if monthLooks.isDue() { try await makeMonths() }
    }

    package func leave() async throws { _ = try await write { [node] in try $0.run(NodeTables.leaveText, [.text(node.text)]) } }

    /// True if it has no table of the schema.
    package var isEmpty: Bool {
        get async throws {
            try await read { try !$0.hasTable("schema_migration") }
        }
    }

    package var writeCounts: WriteCounts { pool.writeCounts }

    package var waitingReads: Int { pool.waitingReads }

    package static let causesOfRepeats = ConnectionCounter.causes.map(\.rawValue)

    package var poolCounts: PoolCounts {
        var counts = pool.counts
        feed.count(in: &counts)
        return counts
    }

    /// Refuses new units, waits for the accepted ones and closes the connections. Later calls throw
    /// ``LandfallStore/DatabaseError/closed``.
    package func close() async {
        await replica?.close()
        await pool.close()
    }

    private func terms(_ urgency: Urgency, _ locks: [RowLock]) -> UnitTerms {
        UnitTerms(kind: .write, urgency: urgency, locks: RowLock.numbers(locks), limit: limits.wait(urgency))
    }
}
