// SPDX-License-Identifier: Apache-2.0
/// What can go wrong below the stores.
public enum DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The engine ended the transaction (disk full, I/O): the same call may succeed later.
    case retry(String)
    /// More bulk work waits than the store may have waiting: the same call succeeds a little later.
    case busy
    /// The disk is nearly full: reads go on, writes are refused.
    case diskLow
    /// The store was written by a newer release.
    case schemaIsNewer(String)
    /// A step of the schema is missing, and only a starting server takes it.
    case schemaIsOlder(String)
    /// Commits would not be synced to disk; the server does not serve like that.
    case notDurable(String)
    case unexpectedValue(column: String)
    /// A text holds U+0000, which not every engine can store.
    case forbiddenCharacter
    /// The file or its directory cannot be made or written.
    case cannotOpen(path: String, reason: String)
    /// Another process works on the store. Nil where the system does not say which.
    case inUse(folder: String, process: Int?)
    /// The file is no database, or has pages that the engine did not write like that.
    case damaged(String)
    /// The store is closed: the server is stopping.
    case closed
    /// The statement is wrong for this schema: a fault of the program.
    case failed(String)

    public var description: String {
        switch self {
        case .retry(let text): "The database could not commit (\(text)). The same call may succeed later."
        case .busy: "The store has as much work waiting as it may have. The same call succeeds a little later."
        case .diskLow: "Less than 5 % of the disk is free. Free some space; reads go on meanwhile."
        case .schemaIsNewer(let id):
            "The database has the migration '\(id)', which this release does not know. Run a newer release."
        case .schemaIsOlder(let id):
            "The database has not the migration '\(id)' of this release. Start the server once ('landfall serve'): it brings the schema up to date."
        case .notDurable(let text): "Commits would not reach the disk (\(text)). Check the SQLite build and the file system."
        case .unexpectedValue(let column): "The column '\(column)' holds no value of the expected type."
        case .forbiddenCharacter: "A text holds the character U+0000, which cannot be stored. Remove it."
        case .cannotOpen(let path, let reason):
            "The database at '\(path)' cannot be opened (\(reason)). Choose a directory that this user may write."
        case .inUse(let folder, let process):
            "The store in '\(folder)' is in use\(process.map { " by process \($0)" } ?? ""). Stop that process, or choose another folder with --data."
        case .damaged(let text):
            "The store is damaged (\(text)). 'landfall doctor --store --data DIR' says how far; restore a backup of it."
        case .closed: "The database is closed because the server is stopping. The same call succeeds after the restart."
        case .failed(let text): "The statement failed: \(text)."
        }
    }
}
