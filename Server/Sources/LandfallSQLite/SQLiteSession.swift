// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallStore

/// A folder's store, or a file, for one program that has it alone. Closes itself.
package final class SQLiteSession: StoreSession {
    package let name: String
    private let path: String
    private let connection: SQLiteConnection
    /// Of a folder.
    private let lock: StoreLock?

    /// Locks the folder, and makes its store if it has none.
    /// - Throws: as ``SQLiteDatabase/init(path:isAlone:examines:limits:freeDiskShare:uptime:)``.
    package init(_ folder: StoreFolder) throws {
        (name, path) = (folder.path, folder.database)
        (connection, lock) = try SQLiteDatabase.open(path, in: folder, isAlone: true, examines: true, damage: MetDamage())
    }

    /// - Parameter file: nobody changes it meanwhile.
    package init(reading file: String) throws {
        (name, path, lock) = (file, file, nil)
        connection = try SQLiteConnection(file, .reading, patience: .seconds(5))
    }

    /// - Parameter path: of a file that is synced when it is complete.
    init(filling path: String) throws {
        (name, self.path, lock) = (path, path, nil)
        connection = try SQLiteConnection(path, .readingAndWriting)
        try connection.run("PRAGMA synchronous = OFF")
    }

    /// Reads the whole store, and compares every index with its table: rows are read by an index, and one that it lacks is not seen.
    /// - Throws: ``LandfallStore/DatabaseError/damaged(_:)``.
    package func examine() throws {
        if let first = try StoreExamination.whole(on: connection).first { throw DatabaseError.damaged(first) }
    }

    package func place() -> String { Self.place(of: path) }

    /// The same for two names of one file.
    package static func place(of path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path }

    package func read<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value { try connection.reading(body) }

    package func write<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value { try connection.change(body) }
}
