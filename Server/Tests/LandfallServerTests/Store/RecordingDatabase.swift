// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallStore

/// One statement that ran: the text, its values and the answer. Rows are nil if the statement returns none.
struct RecordedStatement: Hashable, Sendable {
    let statement: Statement
    let rows: [Row]?
    let changed: Int?
}

/// Passes everything on to another database, and records statements and answers. It records nothing of failed transactions,
/// because nothing of them is in the store.
///
/// Runs every transaction twice, the first time in vain, as an engine may after a conflict with another node. A transaction
/// that draws a random value, reads a clock or leaves a trace outside the store sends other statements the second time, or
/// fails its test. So does a transaction that writes what it has read before without a row lock: on an engine with several
/// writers, another one may change that row in between. So does one that changes a row under no lock of its table, where others
/// rely on that lock, see ``GuardedTables``. Whether it is the right row's lock, and whether a read before the lock was old, is not seen
/// here.
final class RecordingDatabase: Database {
    private let base: any Database
    let isShared: Bool
    /// The number of reads.
    let reads = Count()
    private let log = Mutex<[RecordedStatement]>([])

    private let onDifference: @Sendable (String) -> Void
    private let onUnlocked: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isShared: as if other processes worked on the same rows.
    ///   - onDifference: gets the differences of a second run.
    ///   - onUnlocked: gets what a transaction did without a lock that it needs.
    init(
        _ base: any Database, isShared: Bool = false,
        onDifference: @escaping @Sendable (String) -> Void = { text in
            // On PostgreSQL the second run sees what other units have committed since the first.
            if TestEngine.isEmbedded { Issue.record("A unit ran again and did something else: \(text)") }
        },
        onUnlocked: @escaping @Sendable (String) -> Void = { Issue.record("A unit lacks a lock: \($0)") }
    ) {
        self.base = base
        self.isShared = isShared
        self.onDifference = onDifference
        self.onUnlocked = onUnlocked
    }

    var recorded: [RecordedStatement] { log.withLock(\.self) }
    var observers: StoreObservers { base.observers }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        reads.increment()
        let (value, statements) = try await base.read { connection in
            let recording = RecordingReads(base: connection)
            return (try body(recording), recording.log.statements)
        }
        log.withLock { $0 += statements }
        return value
    }

    func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? {
        reads.increment()
        return try base.readAtOnce { connection in
            let recording = RecordingReads(base: connection)
            let value = try body(recording)
            log.withLock { $0 += recording.log.statements }
            return value
        }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await base.write(urgency, locking: locks) { try self.twice(body, locking: locks, $0) }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        base.write(urgency, locking: locks, { try self.twice(body, locking: locks, $0) }, then: then)
    }

    private func twice<Value>(
        _ body: (any WriteConnection) throws -> Value, locking locks: [RowLock], _ connection: any WriteConnection
    ) throws -> Value {
        let vain = RecordingWrites(base: connection, isVain: true, log: StatementLog(locks))
        try connection.run("SAVEPOINT vain")
        _ = try? body(vain)
        try connection.run("ROLLBACK TO SAVEPOINT vain")
        try connection.run("RELEASE SAVEPOINT vain")
        let recording = RecordingWrites(base: connection, log: StatementLog(locks))
        defer {
            let difference = zip(vain.log.statements, recording.log.statements).first { $0 != $1 }
            let isSame = difference == nil && vain.log.statements.count == recording.log.statements.count
            if !isSame { onDifference(difference.map { "\($0)" } ?? "one statement more, or less") }
            if let lack = recording.log.lack { onUnlocked(lack) }
        }
        let value = try body(recording)
        // Inside the unit, so that the log has the order of the writes.
        log.withLock { $0 += recording.log.statements }
        return value
    }

    func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
        let statements = migrations.flatMap(\.statements).map {
            RecordedStatement(statement: Statement($0), rows: nil, changed: nil)
        }
        log.withLock { $0 += statements }
    }
}

private final class StatementLog {
    var statements: [RecordedStatement] = []
    /// The tables of which it has locks.
    private var locked: Set<String>
    private var unguarded: String?

    init(_ locks: [RowLock] = []) { locked = Set(locks.map(\.table)) }

    func lock(_ locks: [RowLock]) { locked.formUnion(locks.map(\.table)) }

    func append(_ statement: RecordedStatement) {
        statements.append(statement)
        guard unguarded == nil, let table = GuardedTables.table(of: statement.statement), !locked.contains(table) else { return }
        unguarded = "it changes a row, and locks none of '\(table)': \(statement.statement.text)"
    }

    /// What the transaction did without a lock that it needs.
    var lack: String? {
        unguarded ?? (locked.isEmpty ? readBeforeWrite.map { "it writes after it has read, and names no row: \($0)" } : nil)
    }

    /// The first read before a write. A read of its own writes does not count.
    private var readBeforeWrite: String? {
        guard let first = statements.firstIndex(where: \.isQuestion),
            statements[first...].contains(where: { !$0.isQuestion })
        else { return nil }
        return statements[first].statement.text
    }
}

extension RecordedStatement {
    fileprivate var isQuestion: Bool { statement.text.hasPrefix("SELECT") }
}

private struct RecordingReads: ReadConnection {
    let base: any ReadConnection
    let log = StatementLog()

    func rows(_ statement: Statement) throws -> [Row] {
        let rows = try base.rows(statement)
        log.statements.append(RecordedStatement(statement: statement, rows: rows, changed: nil))
        return rows
    }
}

private struct RecordingWrites: WriteConnection {
    let base: any WriteConnection
    /// A vain run changes nothing.
    var isVain = false
    let log: StatementLog

    func lock(_ locks: [RowLock]) throws {
        try base.lock(locks)
        log.lock(locks)
    }

    func rows(_ statement: Statement) throws -> [Row] {
        let rows = try base.rows(statement)
        log.append(RecordedStatement(statement: statement, rows: rows, changed: nil))
        return rows
    }

    func run(_ statement: Statement) throws -> Int {
        let changed = try base.run(statement)
        log.append(RecordedStatement(statement: statement, rows: nil, changed: changed))
        return changed
    }

    func tell(_ change: StoreChange) { if !isVain { base.tell(change) } }
}
