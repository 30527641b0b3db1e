// SPDX-License-Identifier: Apache-2.0

/// A store of rows. One text serves both engines, so a slice writes its SQL once.
///
/// Closures draw nothing random and read no clock: an engine may run one again after a conflict with another node.
public protocol Database: Sendable {
    /// True where other processes work on the same rows: their leases are waited for, and their changes are looked for.
    var isShared: Bool { get }

    /// Reads one consistent state. Never waits for a writer.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value

    /// The same on the calling thread, for a few keyed rows of a request. Nil where the engine would have to wait for somebody.
    func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value?

    /// Runs the body as one unit and returns after it is on disk. A body that throws leaves no trace and harms no other
    /// unit of the same commit. A cancelled caller withdraws its unit if it has not begun, and gets `CancellationError`.
    /// - Parameter locks: the rows that the body reads in order to change them.
    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value

    /// The same for callers that do not wait: the unit is never withdrawn.
    /// - Parameter then: called once, on any thread, when the unit is on disk, or with what kept it from there. Others wait
    ///   behind it, so it returns at once.
    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    )

    /// Adds rows that nobody reads in order to add them. The engine groups those of all callers.
    /// - Parameters:
    ///   - rows: inserts only; all of them are on disk, or none.
    ///   - then: as with `write`.
    func append(_ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void)

    /// Brings the schema up to these migrations; refuses a database that has ones it does not know, see
    /// ``Migration/OlderReleases``. A starting server does that, and nobody else.
    func migrate(_ migrations: [Migration]) async throws
}

extension Database {
    public var isShared: Bool { false }

    public func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? { nil }

    /// The same for work that somebody waits for and that names no row.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await write(.interactive, locking: [], body)
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        write(.interactive, locking: [], body, then: then)
    }

    public func append(_ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        write(urgency, locking: [], { connection in for row in rows { try connection.run(row) } }, then: then)
    }

    /// The same for callers that wait.
    public func append(_ rows: [Statement], _ urgency: Urgency = .interactive) async throws {
        try await withCheckedThrowingContinuation { continuation in
            append(rows, urgency) { continuation.resume(with: $0) }
        }
    }
}

/// Valid inside the closure that it is given to, and nowhere else.
public protocol ReadConnection {
    func rows(_ statement: Statement) throws -> [Row]
}

/// Valid inside the closure that it is given to, and nowhere else.
public protocol WriteConnection: ReadConnection {
    /// Runs the statement and returns how many rows it changed.
    @discardableResult
    func run(_ statement: Statement) throws -> Int

    /// Runs the statements in order, in one trip where the engine is elsewhere.
    /// - Returns: how many rows each of them changed.
    @discardableResult
    func batch(_ statements: [Statement]) throws -> [Int]
}

extension WriteConnection {
    @discardableResult
    public func batch(_ statements: [Statement]) throws -> [Int] { try statements.map(run) }
}

extension ReadConnection {
    /// The first row, or nil.
    public func row(_ statement: Statement) throws -> Row? { try rows(statement).first }

    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    public func row(_ text: String, _ values: [SQLValue] = []) throws -> Row? { try row(Statement(text, values)) }

    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    public func rows(_ text: String, _ values: [SQLValue] = []) throws -> [Row] { try rows(Statement(text, values)) }
}

extension WriteConnection {
    /// The same with the text and its values, see ``Statement/init(_:_:)``.
    @discardableResult
    public func run(_ text: String, _ values: [SQLValue] = []) throws -> Int { try run(Statement(text, values)) }
}

/// A row that a write reads before it changes it. Two writes that name the same row run one after the other, on every node.
///
/// The embedded engine has one writer, so it need not look at them.
public struct RowLock: Hashable, Sendable {
    public let table: String
    /// Columns of the key with their values, in the order of the key.
    public let key: [String: SQLValue]

    public init(_ table: String, _ key: [String: SQLValue]) {
        self.table = table
        self.key = key
    }
}

/// Who waits for a write. Work of people goes before work of machines.
public enum Urgency: String, Hashable, Sendable, CaseIterable {
    /// A phone or a visitor waits for the answer: first opens, clicks, Apple's answers.
    case interactive
    /// Nobody looks at the answer: events, imports, retention. Above a bound it is refused, see ``DatabaseError/busy``.
    case bulk
}
