// SPDX-License-Identifier: Apache-2.0

/// A store of rows. One SQL text works on both engines, so a feature writes its SQL once.
///
/// Closures must not draw random values or read a clock: an engine may run one again after a conflict with another node.
package protocol Database: StoreReading {
    /// True if other processes work on the same rows: then jobs wait for their leases, and their changes are polled.
    var isShared: Bool { get }

    /// Who hears of the changes that writes name, see ``WriteConnection/tell(_:)``.
    var observers: StoreObservers { get }

    /// For an answer that may be some seconds old. An engine that has a replica reads from it, as long as it is there and not far behind.
    func laggingReads() async -> LaggingReads

    /// Reads on the calling thread, for a few keyed rows of a request. Nil if the engine would have to wait.
    func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value?

    /// Runs the body as one transaction and returns after it is on disk. A body that throws changes nothing and does not affect
    /// other transactions of the same commit. A cancelled caller withdraws its transaction if it has not begun, and gets
    /// `CancellationError`.
    /// - Parameter locks: the rows that the body reads in order to change them.
    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value

    /// The same for callers that do not wait: the transaction is never withdrawn.
    /// - Parameter then: called once, on any thread, when the transaction is on disk, or with the error. It must return at
    ///   once, because other callers wait behind it.
    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    )

    /// Adds rows without reading any. The engine groups the rows of all callers.
    /// - Parameters:
    ///   - rows: inserts only; all of them are on disk, or none. Each has the same effect if it runs again: an engine that lost its
    ///     connection during a commit may not know whether they are there.
    ///   - then: as with `write`.
    func append(_ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void)

    /// Drops the months of a table of which nothing has to be kept, where the engine keeps its rows by month. A month that others use
    /// just now stays, so that nobody waits for it; call this again later. A month with rows of another app stays too.
    /// - Parameters:
    ///   - app: whose rows may go.
    ///   - first: the lowest id that is kept.
    /// - Returns: the names of what was dropped.
    func dropMonths(of table: String, of app: String, before first: String) async throws -> [String]

    /// Brings the schema up to these migrations. Changes nothing in a database that it refuses, see
    /// ``Migration/pending(of:applied:)``. Only a starting server migrates.
    func migrate(_ migrations: [Migration]) async throws
}

extension Database {
    package var isShared: Bool { false }

    package func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? { nil }

    package func laggingReads() async -> LaggingReads { LaggingReads(store: self) }

    package func dropMonths(of table: String, of app: String, before first: String) async throws -> [String] { [] }

    /// The same for interactive work that locks no row.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await write(.interactive, locking: [], body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        write(.interactive, locking: [], body, then: then)
    }

    package func append(_ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        write(urgency, locking: [], { connection in for row in rows { try connection.run(row) } }, then: then)
    }

    /// The same for callers that wait.
    package func append(_ rows: [Statement], _ urgency: Urgency = .interactive) async throws {
        try await withCheckedThrowingContinuation { continuation in
            append(rows, urgency) { continuation.resume(with: $0) }
        }
    }
}

/// Valid only inside the closure that receives it.
package protocol ReadConnection {
    func rows(_ statement: Statement) throws -> [Row]

    /// Asks the statements in order, in one round trip if the engine is remote.
    /// - Returns: the rows of each of them.
    func rows(_ statements: [Statement]) throws -> [[Row]]
}

extension ReadConnection {
    package func rows(_ statements: [Statement]) throws -> [[Row]] { try statements.map { try rows($0) } }
}

/// Valid only inside the closure that receives it.
package protocol WriteConnection: ReadConnection {
    /// Locks rows that the unit learns of only from what it reads. The locks come after those that the unit named, and end with it.
    ///
    /// What was read before may be old: another unit may have changed it until the lock came. So lock first, then read what the
    /// change depends on. Two units that wait for each other are no error: the engine runs one of them again.
    func lock(_ locks: [RowLock]) throws

    /// Runs the statement and returns how many rows it changed.
    @discardableResult
    func run(_ statement: Statement) throws -> Int

    /// Runs the statements in order, in one round trip if the engine is remote.
    /// - Returns: how many rows each of them changed.
    @discardableResult
    func batch(_ statements: [Statement]) throws -> [Int]

    /// Names what the transaction changes. Observers hear of it after the commit; if the transaction fails, nobody does.
    func tell(_ change: StoreChange)
}

extension WriteConnection {
    @discardableResult
    package func batch(_ statements: [Statement]) throws -> [Int] { try statements.map(run) }
}

extension ReadConnection {
    /// The first row, or nil.
    package func row(_ statement: Statement) throws -> Row? { try rows(statement).first }

    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    package func row(_ text: String, _ values: [SQLValue] = []) throws -> Row? { try row(Statement(text, values)) }

    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    package func rows(_ text: String, _ values: [SQLValue] = []) throws -> [Row] { try rows(Statement(text, values)) }
}

extension WriteConnection {
    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    @discardableResult
    package func run(_ text: String, _ values: [SQLValue] = []) throws -> Int { try run(Statement(text, values)) }
}

/// A row that a write reads before it changes it. Two writes that lock the same row run one after the other, on every node.
///
/// The lock is a name: the row need not exist, and only locks of equal names exclude each other. The embedded engine has a single
/// writer, so it ignores locks.
package struct RowLock: Hashable, Sendable {
    package let table: String
    /// Columns of the key with their values, in the order of the key.
    package let key: [String: SQLValue]

    package init(_ table: String, _ key: [String: SQLValue]) {
        self.table = table
        self.key = key
    }
}

/// The priority of a write. Interactive work goes before bulk work.
package enum Urgency: String, Hashable, Sendable, CaseIterable {
    /// A phone or a visitor waits for the answer: first opens, clicks, Apple's answers.
    case interactive
    /// Nobody waits for the answer: events, imports, retention. Above a limit it is refused, see ``DatabaseError/busy``.
    case bulk
}
