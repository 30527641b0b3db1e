// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// A database that one program works through by itself, with one connection. A lost connection ends the work.
package final class PostgresSession: StoreSession {
    package let name: String
    let connection: PostgresConnection
    /// For each wait. None in practice: indexes of large tables take hours, and a server that is gone is noticed by keepalives.
    private let limit: Duration
    /// Where names of tables are looked up; nil: as the role has it.
    private var schema: String?
    /// What a read keeps everybody from changing: names of tables.
    private var guarded: Set<String> = []

    /// Connects, and checks the database as a server does. Blocks the calling thread.
    /// - Throws: what ``PostgresDatabase/open(_:limits:)`` throws.
    package init(_ address: PostgresAddress, within limit: Duration = .seconds(365 * 24 * 3_600)) throws {
        (name, self.limit) = (address.name, limit)
        connection = try PostgresConnection(address, library: Libpq.shared.get(), within: .seconds(15))
        try PostgresChecks.run(on: connection, within: .seconds(15))
    }

    package func place() throws -> String {
        try read { connection in
            let row = try connection.row(
                "SELECT CAST(pg_postmaster_start_time() AS TEXT) AS server, current_database() AS name, current_schema() AS schema")
            return "\(try row?.text("server") ?? "") \(try row?.text("name") ?? "") \(schema ?? row?.optionalText("schema") ?? "")"
        }
    }

    /// From now on a read keeps everybody from changing the store's tables, until it ends. Other tables beside them stay free.
    /// - Parameter migrations: those that make the store's tables.
    /// - Throws: ``LandfallStore/StoreTransferError/nodesLive(_:nodes:)``.
    package func excludeWriters(of migrations: [Migration]) throws {
        try requireNoNodes()
        // Also the table by which nodes say that they live, so that none starts meanwhile.
        guarded = Set(SchemaShape(after: migrations).tables.map(\.name)).union(["node"])
    }

    /// Until this session ends, no other one may write a store here. A pooler (`prepare=off`) gives each transaction another session,
    /// so behind one this does nothing.
    /// - Throws: ``LandfallStore/StoreTransferError/isWritten(_:)``.
    package func excludeTransfers() throws {
        guard connection.isPreparing else { return }
        let text = """
            SELECT CASE WHEN pg_try_advisory_lock(hashtextextended('landfall transfer ' || COALESCE(quote_ident(current_schema()), ''), 0))
              THEN 1 ELSE 0 END AS is_taken
            """
        guard try read({ try $0.row(text)?.flag("is_taken") }) == true else { throw StoreTransferError.isWritten(name) }
    }

    /// - Throws: ``LandfallStore/StoreTransferError/nodesLive(_:nodes:)``.
    package func requireNoNodes() throws { try read { try requireNoNodes($0) } }

    package func read<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value {
        let locks = guarded.isEmpty ? [] : try transaction("BEGIN READ ONLY", locking: [], isReading: true) { connection in
            try Self.tables(of: "current_schema()", connection).filter(guarded.contains)
        }
        // The locks come before the snapshot, so the snapshot has all that their last holders wrote.
        return try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", locking: locks, isReading: true) { connection in
            if !locks.isEmpty { try requireNoNodes(connection) }
            return try body(connection)
        }
    }

    package func write<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", locking: [], isReading: false, body)
    }

    /// Runs the body while names of tables mean those of another schema.
    func inside(_ schema: String, _ body: () throws -> Void) throws {
        self.schema = schema
        defer { self.schema = nil }
        try body()
    }

    private func transaction<Value>(
        _ begin: String, locking tables: [String], isReading: Bool, _ body: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        // The other store may take its time between two statements.
        var opening = [begin, "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL statement_timeout = 0"]
        // Each lot of a table is read in the order of the key. Without this, all months that are left would be sorted for each lot.
        opening.append("SET LOCAL enable_sort = off")
        if let schema { opening.append("SET LOCAL search_path = \(schema)") }
        if !tables.isEmpty { opening += ["SET LOCAL lock_timeout = '5s'", "LOCK TABLE \(tables.joined(separator: ", ")) IN SHARE MODE"] }
        do throws(PostgresFailure) {
            // In a flight of its own: the texts that follow are prepared with the schema.
            _ = try connection.flight(opening.map { (Statement($0), .nothing) }, within: limit)
        } catch {
            try? connection.throwAway(Statement("ROLLBACK"), within: limit)
            if error.consequence == .conflict, !tables.isEmpty { throw StoreTransferError.inUse(name) }
            throw error.error
        }
        let transaction = PostgresTransaction(begunOn: connection, isReading: isReading, node: .drawn(), limit: limit)
        do {
            let value = try body(transaction)
            // The engine has undone everything, whatever the body made of the error.
            if let failure = transaction.failure, !isReading { throw failure.error }
            do throws(PostgresFailure) { try transaction.commit() } catch { throw error.error }
            return value
        } catch {
            transaction.rollback()
            throw error
        }
    }

    /// - Parameter schema: an expression of ours, of the schema's name.
    static func tables(of schema: String, _ connection: any ReadConnection) throws -> [String] {
        try connection.rows("SELECT CAST(tablename AS TEXT) AS name FROM pg_tables WHERE quote_ident(schemaname) = quote_ident(\(schema)) ORDER BY 1")
            .map { try $0.text("name") }
    }

    func requireNoNodes(_ connection: any ReadConnection) throws {
        let living = try NodeTables.seen(by: connection).living.count
        if living > 0 { throw StoreTransferError.nodesLive(name, nodes: living) }
    }
}
