// SPDX-License-Identifier: Apache-2.0

/// Everything that a ``MemoryDatabase`` had at one instant. For one database, whose lock its readers hold in turn.
package final class MemoryCopy: Sendable {
    fileprivate let connection: SQLiteConnection

    fileprivate init(of source: SQLiteConnection) throws {
        connection = try SQLiteConnection(":memory:", .readingAndWriting)
        try connection.fill(from: source)
    }
}

extension MemoryDatabase {
    /// Page by page, as a backup of a store in files.
    package func copy() throws -> MemoryCopy { try withConnection { try MemoryCopy(of: $0) } }

    /// Puts the copy in the place of everything that there is.
    package func replace(by copy: MemoryCopy) throws { try withConnection { try $0.fill(from: copy.connection) } }
}
