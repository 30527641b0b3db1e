// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// One unit's transaction. BEGIN, the locks and the first statement travel together.
final class PostgresTransaction: WriteConnection {
    private let connection: PostgresConnection
    private let isReading: Bool
    /// This process, as others know it.
    private let node: NodeName
    /// For each wait.
    private let limit: Duration
    private let isCancelled: () -> Bool
    /// What still goes in front of the next statement.
    private var opening: [Statement] = []
    /// True for a read that needs no BEGIN, see ``PostgresConnection/ask(_:within:)``.
    private let isAsking: Bool
    /// The locks that it has.
    private var held: Set<Int64>
    private var hasBegun = false
    private var isOver = false
    /// The engine's number of the transaction; nil as long as it has changed nothing.
    private(set) var number: String?
    /// Of the server that gave the number.
    var incarnation: String? { connection.incarnation }
    /// What the transaction changes, for other nodes and for this one's observers.
    private(set) var told: [StoreChange] = []
    /// After it, no statement of the transaction runs any more.
    private(set) var failure: PostgresFailure?

    /// - Parameters:
    ///   - locks: taken in this order, before the first statement.
    ///   - isCancelled: looked at before each statement, because a cancellation between two statements ends neither.
    init(
        on connection: PostgresConnection, isReading: Bool, locks: [Int64] = [], node: NodeName, limit: Duration,
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.connection = connection
        self.isReading = isReading
        self.node = node
        self.held = Set(locks)
        self.limit = limit
        self.isCancelled = isCancelled
        isAsking = isReading && connection.isPreparing
        if isAsking { return }
        // READ COMMITTED: the statement after a lock sees what its last holder committed.
        opening = [isReading ? Self.beginReading : Self.beginWriting] + locks.map(Self.locking)
    }

    /// A transaction that the caller has begun.
    init(begunOn connection: PostgresConnection, isReading: Bool, node: NodeName, limit: Duration) {
        (self.connection, self.isReading, self.node, self.limit) = (connection, isReading, node, limit)
        (held, isAsking, hasBegun, isCancelled) = ([], false, true, { false })
    }

    func lock(_ locks: [RowLock]) throws {
        let numbers = RowLock.numbers(locks).filter { !held.contains($0) }
        if numbers.isEmpty { return }
        _ = try perform(numbers.map { (Self.locking($0), .nothing) })
        held.formUnion(numbers)
    }

    func rows(_ statement: Statement) throws -> [Row] { try rows([statement])[0] }

    func rows(_ statements: [Statement]) throws -> [[Row]] {
        if statements.isEmpty { return [] }
        if isReading, let other = statements.first(where: { !["SELECT", "WITH"].contains(where: $0.text.hasPrefix) }) {
            throw DatabaseError.failed("a read may not run: \(other.text.prefix(40))")
        }
        return try perform(statements.map { ($0, .rows) }).map(\.rows)
    }

    @discardableResult
    func run(_ statement: Statement) throws -> Int {
        guard Self.isSchema(statement) else { return try perform([(statement, .count)])[0].count }
        for text in MonthlyTable.making(statement) { _ = try perform([(text, .nothing)]) }
        try attempt { () throws(PostgresFailure) in try connection.forgetTexts(within: limit) }
        return 0
    }

    @discardableResult
    func batch(_ statements: [Statement]) throws -> [Int] {
        if statements.isEmpty { return [] }
        if statements.contains(where: Self.isSchema) { return try statements.map(run) }
        return try perform(statements.map { ($0, .count) }).map(\.count)
    }

    func tell(_ change: StoreChange) { if !told.contains(change) { told.append(change) } }

    /// - Throws: for a write that may be on disk nonetheless, a failure of the kind `lost`.
    func commit() throws(PostgresFailure) {
        isOver = true
        if isReading {
            // Nobody waits for the end of a read.
            if hasBegun { try end(Self.commit) }
            return
        }
        let news = told.map { ChangeFeed.insertion($0, of: node) }
        let flight = (opening + news).map { ($0, PostgresConnection.Wish.nothing) } + [(Self.commit, .tag)]
        hasBegun = true
        do throws(PostgresFailure) {
            // A COMMIT that waits for a standby would end as if that one had the transaction.
            guard case .tag("COMMIT")? = try connection.flight(flight, within: limit, endsWhenLate: false).last else {
                throw PostgresFailure(consequence: .conflict, error: .retry("the engine undid the transaction"))
            }
        } catch {
            // One of the locks was refused, behind BEGIN.
            rollback()
            throw error
        }
    }

    func rollback() {
        isOver = true
        guard hasBegun, !connection.isLost else { return }
        // Without its connection, the engine undoes the transaction by itself.
        do throws(PostgresFailure) { try end(Self.rollback) } catch { connection.abandon() }
    }

    private func end(_ statement: Statement) throws(PostgresFailure) {
        if isAsking { try connection.endAsking(within: limit) } else { try connection.throwAway(statement, within: limit) }
    }

    private func perform(_ statements: [(Statement, PostgresConnection.Wish)]) throws -> [PostgresConnection.Answer] {
        if isOver { throw DatabaseError.closed }
        if let failure { throw failure.error }
        if isCancelled() { throw CancellationError() }
        return try attempt { () throws(PostgresFailure) in
            if isAsking {
                hasBegun = true
                return try connection.ask(statements.map(\.0), within: limit)
            }
            let asksNumber = number == nil && !isReading && statements.contains { !$0.0.text.hasPrefix("SELECT") }
            let before = opening.count
            var flight = opening.map { ($0, PostgresConnection.Wish.nothing) } + statements
            if asksNumber { flight.append((Self.currentNumber, .rows)) }
            hasBegun = true
            opening = []
            let answers = try connection.flight(flight, within: limit)
            if asksNumber { number = answers.last?.rows.first?.optionalText(0) }
            return Array(answers[before..<before + statements.count])
        }
    }

    private func attempt<Value>(_ work: () throws(PostgresFailure) -> Value) throws -> Value {
        do throws(PostgresFailure) {
            return try work()
        } catch {
            failure = error
            throw error.error
        }
    }

    private static func isSchema(_ statement: Statement) -> Bool {
        ["CREATE", "ALTER", "DROP"].contains(where: statement.text.hasPrefix)
    }

    private static let beginReading = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let beginWriting = Statement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    private static func locking(_ number: Int64) -> Statement { Statement("SELECT pg_advisory_xact_lock($1)", [.integer(number)]) }
    private static let commit = Statement("COMMIT")
    private static let rollback = Statement("ROLLBACK")
    private static let currentNumber = Statement("SELECT CAST(pg_current_xact_id_if_assigned() AS TEXT)")
}
