// SPDX-License-Identifier: Apache-2.0
/// Errors of the database below the stores.
package enum DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The engine ended the transaction (disk full, I/O): the same call may succeed later.
    case retry(String)
    /// The disk fails or was removed. The data on it may be intact: the same call may succeed later.
    case diskFailing(String)
    /// The queue of bulk work is full: the same call succeeds a little later.
    case busy
    /// Too many reads wait: the same call succeeds a little later.
    case tooManyReads
    /// The disk is nearly full: reads work, writes are refused.
    case diskLow
    /// The store was written by a newer release.
    case schemaIsNewer(String)
    /// The store was written by a development version, before the first release. No release reads it.
    case schemaIsUnreleased(String)
    /// The schema lacks a migration, and only a starting server migrates.
    case schemaIsOlder(String)
    /// Rows of another store, by its id, were copied here, and not all of them.
    case copyUnfinished(String)
    /// 'landfall move' has copied the store to another place, where it lives on.
    case moved(to: String)
    /// Tables, columns or indexes are missing although their migrations ran: the schema was changed by hand, or is damaged.
    case schemaLacks(String)
    /// Commits would not be synced to disk; the server refuses to run like that.
    case notDurable(String)
    case unexpectedValue(column: String)
    /// A text contains U+0000, which not every engine can store.
    case forbiddenCharacter
    /// The file or its directory cannot be created or written.
    case cannotOpen(path: String, reason: String)
    /// Another process works on the store. Nil if the system does not name the process.
    case inUse(folder: String, process: Int?)
    /// A restore into the folder was killed before the restored store was in its place.
    case halfRestored(folder: String)
    /// The file is not a database, or has pages that the engine did not write that way.
    case damaged(String)
    /// The client library of the engine is not installed, or too old for it.
    case libraryMissing(String)
    /// No connection to the database's server. If it may pass, the server is away, or takes nobody just now.
    case cannotConnect(server: String, reason: String, mayPass: Bool = false)
    /// The database is set up in a way that the server refuses to work on. The remedy is a line to run.
    case unsuitable(String, remedy: String)
    /// The store is closed: the server is stopping.
    case closed
    /// The statement does not fit the schema: a bug in the program.
    case failed(String)

    /// True if a later attempt to open the database may succeed, although nobody mends anything.
    package var mayPass: Bool {
        switch self {
        case .retry, .cannotConnect(_, _, mayPass: true): true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .retry(let text): "The database could not commit (\(text)). The same call may succeed later."
        case .diskFailing(let text):
            "The disk under the store does not read or write (\(text)). Look at the system's log (dmesg) and at the disk; the store itself need not be damaged."
        case .busy: "The store's write queue is full. The same call succeeds a little later."
        case .tooManyReads: "Too many reads of the store wait. The same call succeeds a little later."
        case .diskLow: "Less than 5 % of the disk is free. Free some space; reads go on meanwhile."
        case .schemaIsNewer(let id):
            "The database has the migration '\(id)', which this release does not know. Run a newer release."
        case .schemaIsUnreleased(let id):
            "The store was made by a development version, before 0.1.0 (it has the migration '\(id)'); no release can read it. It was not changed: keep its files for the program that made it, and start with a new folder (--data DIR)."
        case .schemaIsOlder(let id):
            "The database lacks the migration '\(id)' of this release. Start the server once ('landfall serve'): it migrates the schema."
        case .copyUnfinished(let store):
            "The store is an unfinished copy of the store \(store). Run 'landfall move' with the same --from and --to again: it goes on."
        case .moved(let place):
            "The store was moved to '\(place)'. Use that one: what phones do would be in one of the two only. To use this one nonetheless, run in its database (an embedded one: as docs/operating/bad-days.md says of another program): DELETE FROM schema_migration WHERE id LIKE 'moved to %';"
        case .schemaLacks(let text):
            "The store lacks \(text), although the migrations that create it have run. Restore a backup, or create it again as in this release's migrations."
        case .notDurable(let text): "Commits would not reach the disk (\(text)). Check the SQLite build and the file system."
        case .unexpectedValue(let column): "The column '\(column)' has no value of the expected type."
        case .forbiddenCharacter: "A text contains the character U+0000, which cannot be stored. Remove it."
        case .cannotOpen(let path, let reason):
            "The database at '\(path)' cannot be opened (\(reason)). Choose a directory that this user may write, or give its files to this user."
        case .inUse(let folder, let process):
            "The store in '\(folder)' is in use\(process.map { " by process \($0)" } ?? ""). Stop that process, or choose another folder with --data."
        case .halfRestored(let folder):
            "A restore into '\(folder)' was interrupted, so there is no store. Restore again. Or, for the store that was there before, move the files of its 'landfall.replaced-…' back, and delete 'landfall.restoring'."
        case .damaged(let text):
            "The store is damaged (\(text)). 'landfall doctor --store --data DIR' says how far; restore a backup of it."
        case .libraryMissing(let text):
            "PostgreSQL's client library cannot be used (\(text)). Install version 14 or newer: 'apt-get install libpq5' on Debian and Ubuntu, 'brew install libpq' on macOS."
        case .cannotConnect(let server, let reason, _):
            "The database at '\(server)' takes no connection (\(reason)). Check that it runs, and the host, user, password and database of the URL."
        case .unsuitable(let text, let remedy): "The database does not suit: \(text). This mends it: \(remedy)"
        case .closed: "The database is closed because the server is stopping. The same call succeeds after the restart."
        case .failed(let text): "The statement failed: \(text)."
        }
    }
}
