// SPDX-License-Identifier: Apache-2.0
/// A store of rows. One text serves both engines, so a slice writes its SQL once.
public protocol Database: Sendable {
    /// Reads one consistent state. Never waits for a writer.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value

    /// Runs the body as one unit and returns after it is on disk. A body that throws leaves no trace and harms no other
    /// unit of the same commit. A cancelled caller withdraws its unit if it has not begun, and gets `CancellationError`.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value

    /// The same for callers that do not wait: the unit is never withdrawn.
    /// - Parameter then: called once, on any thread, when the unit is on disk, or with what kept it from there. Others wait
    ///   behind it, so it returns at once.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    )

    /// Brings the schema up to these migrations; refuses a database that has ones it does not know.
    func migrate(_ migrations: [Migration]) async throws
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
