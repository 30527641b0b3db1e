// SPDX-License-Identifier: Apache-2.0

/// Copies every row of a store into an empty one, of the same engine or the other, and reads the copy back.
///
/// An interrupted transfer goes on when it is run again: rows are written in the order of their key, so the copy has the first rows of
/// each table. Until the end, the copy is marked as unfinished, and no server starts on it.
package struct StoreTransfer {
    /// The result for one table.
    package struct Table: Hashable, Sendable, Codable {
        package let table: String
        package let rows: Int
        /// SHA-256 of every value, see ``TableDigest``.
        package let checksum: String
    }

    /// How far it is.
    package struct Progress: Hashable, Sendable {
        package enum Step: Hashable, Sendable { case copying, copied, comparing }

        package let table: String
        package let rows: Int
        package let step: Step
    }

    /// So many rows are one statement; an engine plans and answers each statement.
    private static let rowsOfStatement = 16

    /// Every migration of this release.
    private let migrations: [Migration]
    private let progress: (Progress) -> Void

    package init(_ migrations: [Migration], progress: @escaping (Progress) -> Void = { _ in }) {
        (self.migrations, self.progress) = (migrations, progress)
    }

    /// - Parameters:
    ///   - takesOlder: a source of an older release is copied as it is; otherwise it is refused.
    ///   - finishing: changes the copy in the transaction that finishes it.
    /// - Throws: ``StoreTransferError``, ``DatabaseError``.
    package func run(
        from source: some StoreSession, to target: some StoreSession, takesOlder: Bool = false,
        finishing: (any WriteConnection, [AppliedMigration]) throws -> Void = { _, _ in }
    ) throws -> [Table] {
        guard try source.place() != target.place() else { throw StoreTransferError.samePlace(source.name) }
        return try source.read { rows in
            guard let applied = try Self.applied(rows), !applied.isEmpty else { throw StoreTransferError.noStore(source.name) }
            let made = try known(applied, takesOlder: takesOlder)
            guard let id = try Self.id(rows) else { throw StoreTransferError.noStore(source.name) }
            let tables = SchemaShape(after: made).tables.filter { $0.name != "schema_migration" }
            let mark = AppliedMigration.unfinishedCopy(ofStore: id)
            try begin(target, made, mark)
            let copied = try tables.map { try copy($0, from: rows, to: target) }
            try compare(copied, of: tables, with: target)
            try target.write { connection in
                for migration in made { try migration.runAfterRows(connection, position: migrations.firstIndex(of: migration) ?? 0) }
                try connection.run("DELETE FROM schema_migration WHERE id = $1", [.text(mark.id)])
                try finishing(connection, applied)
                // A source whose connection was lost since its last row has no lock any more, and may have changed: then this throws.
                guard try Self.id(rows) == id else { throw StoreTransferError.noStore(source.name) }
            }
            return copied
        }
    }

    /// Marks a store that was moved: no server starts on it any more, and nodes that work on it stop.
    /// - Parameter place: where it lives on, for people.
    package static func mark(_ source: some StoreSession, movedTo place: String) throws {
        try source.write { try AppliedMigration.moved(to: place).insert($0) }
    }

    private static func id(_ store: any ReadConnection) throws -> String? {
        try store.row("SELECT store_id FROM store WHERE name = $1", [.text("self")])?.text("store_id")
    }

    /// Those of the migrations that the source has.
    private func known(_ applied: [AppliedMigration], takesOlder: Bool) throws -> [Migration] {
        let pending = try Migration.pending(of: migrations, applied: applied)
        // A newer release may have added columns that are not known here.
        let names = Migration.known(migrations)
        if let newer = applied.map(\.id).filter({ !names.contains($0) }).min() { throw DatabaseError.schemaIsNewer(newer) }
        if !takesOlder, let missing = pending.first { throw DatabaseError.schemaIsOlder(missing.id) }
        return migrations.filter { !pending.contains($0) }
    }

    /// Nil if no migration ever ran.
    private static func applied(_ connection: any ReadConnection) throws -> [AppliedMigration]? {
        do { return try AppliedMigration.all(connection) } catch DatabaseError.failed { return nil }
    }

    private func begin(_ target: some StoreSession, _ migrations: [Migration], _ mark: AppliedMigration) throws {
        let found = try target.read { try Self.applied($0) } ?? []
        if found == [mark] { return }
        if let other = found.lazy.compactMap(\.copiedStore).first { throw StoreTransferError.otherCopy(target.name, store: other) }
        guard found.isEmpty else { throw StoreTransferError.notEmpty(target.name) }
        try target.write { connection in
            _ = try AppliedMigration.prepared(connection)
            try mark.insert(connection)
            for migration in migrations { try migration.runBeforeRows(connection) }
        }
    }

    /// The source is read whole, for the checksum. What the copy has already is not written again.
    private func copy(_ table: SchemaShape.Table, from source: any ReadConnection, to target: some StoreSession) throws -> Table {
        // A name of our own schema.
        let there = try target.read { try $0.row("SELECT COUNT(*) AS count FROM \(table.name)")?.integer("count") ?? 0 }
        var digest = TableDigest(table)
        try TableReader(table: table).read(source) { lot in
            let new = lot.dropFirst(max(0, Int(there) - digest.rows))
            digest.add(lot)
            if !new.isEmpty {
                do {
                    try target.write { connection in
                        try target.makeRoom(for: new, of: table, connection)
                        _ = try connection.batch(Self.insertions(of: new, into: table))
                    }
                } catch DatabaseError.failed where there > 0 {
                    // A row that came before these has come into the source, so one of them is in the copy already.
                    throw StoreTransferError.differs(target.name, table: table.name)
                }
            }
            progress(Progress(table: table.name, rows: digest.rows, step: .copying))
        }
        progress(Progress(table: table.name, rows: digest.rows, step: .copied))
        return Table(table: table.name, rows: digest.rows, checksum: digest.text)
    }

    private func compare(_ copied: [Table], of tables: [SchemaShape.Table], with target: some StoreSession) throws {
        try target.read { connection in
            for (table, wanted) in zip(tables, copied) {
                var digest = TableDigest(table)
                try TableReader(table: table).read(connection) { lot in
                    digest.add(lot)
                    progress(Progress(table: table.name, rows: digest.rows, step: .comparing))
                }
                guard digest.rows == wanted.rows, digest.text == wanted.checksum else {
                    throw StoreTransferError.differs(target.name, table: table.name)
                }
            }
        }
    }

    private static func insertions(of rows: ArraySlice<Row>, into table: SchemaShape.Table) -> [Statement] {
        let width = table.columns.count
        func text(_ count: Int) -> String {
            let values = (0..<count).map { "(\(Statement.places($0 * width + 1..<($0 + 1) * width + 1)))" }.joined(separator: ", ")
            return "INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES \(values)"
        }
        let (many, one) = (text(rowsOfStatement), text(1))
        var (statements, rest) = ([Statement](), rows)
        while rest.count >= rowsOfStatement {
            statements.append(Statement(many, rest.prefix(rowsOfStatement).flatMap(\.values)))
            rest = rest.dropFirst(rowsOfStatement)
        }
        return statements + rest.map { Statement(one, $0.values) }
    }
}

/// Why a store was not copied into another one.
package enum StoreTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    case samePlace(String)
    case noStore(String)
    case notEmpty(String)
    case otherCopy(String, store: String)
    /// The rows of the copy are not those of the source.
    case differs(String, table: String)
    case nodesLive(String, nodes: Int)
    /// Another transaction uses the tables, and does not end.
    case inUse(String)
    /// Another program writes a store there just now.
    case isWritten(String)

    package var description: String {
        switch self {
        case .samePlace(let name): "Both stores are '\(name)'. Name two different places."
        case .noStore(let name): "'\(name)' holds no store. Name the folder or the database of a server."
        case .notEmpty(let name):
            "'\(name)' holds a store already, which was not changed. Name an empty folder or database. If an earlier move has ended there, the store is moved."
        case .otherCopy(let name, let store):
            "'\(name)' holds an unfinished copy of another store (\(store)). Name an empty folder or database."
        case .differs(let name, let table):
            "The table '\(table)' of the copy in '\(name)' differs from its source, which was changed since the copy began. Empty the target, and run the command again."
        case .nodesLive(let name, let nodes):
            "\(nodes == 1 ? "A node works" : "\(nodes) nodes work") on '\(name)'. Stop every node first; one that was killed counts for three seconds more."
        case .isWritten(let name):
            "Another 'landfall move' or 'landfall restore' writes into '\(name)'. Let it end, or stop it, and run the command again."
        case .inUse(let name): "Another program uses the tables of '\(name)', and does not end its transaction. Stop it first (pg_stat_activity names it), and run the command again."
        }
    }
}
