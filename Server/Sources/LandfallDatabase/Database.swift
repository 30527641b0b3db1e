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
}

/// One step of the schema. Appended, never edited; each runs in one transaction.
public struct Migration: Hashable, Sendable {
    /// A dated sentence, for example `2026-11-21 profiles: create`.
    public let id: String
    public let statements: [String]

    public init(id: String, _ statements: [String]) {
        self.id = id
        self.statements = statements
    }
}

/// What can go wrong below the stores.
public enum DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The engine ended the transaction (disk full, I/O): the same call may succeed later.
    case retry(String)
    /// The disk is nearly full: reads go on, writes are refused.
    case diskLow
    /// The store was written by a newer release.
    case schemaIsNewer(String)
    /// Commits would not be synced to disk; the server does not serve like that.
    case notDurable(String)
    case unexpectedValue(column: String)
    /// The statement is wrong for this schema: a fault of the program.
    case failed(String)

    public var description: String {
        switch self {
        case .retry(let text): "The database could not commit (\(text)). The same call may succeed later."
        case .diskLow: "Less than 5 % of the disk is free. Free some space; reads go on meanwhile."
        case .schemaIsNewer(let id): "The database has the migration '\(id)', which this release does not know. Run a newer release."
        case .notDurable(let text): "Commits would not reach the disk (\(text)). Check the SQLite build and the file system."
        case .unexpectedValue(let column): "The column '\(column)' holds no value of the expected type."
        case .failed(let text): "The statement failed: \(text)."
        }
    }
}
