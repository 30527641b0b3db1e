// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

extension PostgresSession {
    private static let homeText = "SELECT quote_ident(current_schema()) AS name, substr(md5(current_schema()), 1, 8) AS mark"

    /// Puts another store in the place of this database's, in one transaction; the previous store is kept in a schema beside it. What
    /// else is in the database stays where it is.
    /// - Parameters:
    ///   - migrations: those that make the store's tables.
    ///   - name: the name of that schema: lower-case letters, digits and `_`.
    ///   - patience: how often the exchange is tried, and how long each waits for those who use a table.
    ///   - filling: writes the new store through this session. What it finds is empty.
    /// - Returns: the schema; nil if there was no store.
    /// - Throws: ``LandfallStore/StoreTransferError/nodesLive(_:nodes:)``, ``LandfallStore/StoreTransferError/isWritten(_:)``,
    ///   ``LandfallStore/StoreTransferError/inUse(_:)``, what the closure throws.
    package func replaceStore(
        of migrations: [Migration], keepingAs name: String, patience: (times: Int, each: Duration) = (20, .seconds(30)),
        filling: (PostgresSession) throws -> Void
    ) throws -> String? {
        var patience = patience
        try requireNoNodes()
        let own = Set(SchemaShape(after: migrations).tables.map(\.name))
        guard let row = try read({ try $0.row(Self.homeText) }), let home = row.optionalText("name") else {
            throw DatabaseError.unsuitable("no schema of the role's search_path exists", remedy: "CREATE SCHEMA public;")
        }
        try excludeTransfers()
        // The new store's schema until it is complete. Where nothing excludes another restore, each has one of its own.
        let restoring = "landfall_restoring_" + (connection.isPreparing ? try row.text("mark") : NodeName.drawn().text)
        try write { connection in
            // Left by an interrupted restore.
            try connection.run("DROP SCHEMA IF EXISTS \(restoring) CASCADE")
            try connection.run("CREATE SCHEMA \(restoring)")
        }
        try inside(restoring) { try filling(self) }
        while true {
            do {
                return try exchange(own, of: home, for: restoring, keepingAs: name, within: patience.each)
            } catch DatabaseError.retry where !connection.isLost {
                // Somebody uses one of the tables, such as a backup. The loading took longer than they may take.
                patience.times -= 1
                if patience.times <= 0 { throw StoreTransferError.inUse(self.name) }
            }
        }
    }

    private func exchange(
        _ own: Set<String>, of home: String, for restoring: String, keepingAs name: String, within limit: Duration
    ) throws -> String? {
        try write { connection in
            try connection.run("SET LOCAL lock_timeout = '\(Int(limit / .milliseconds(1)))ms'")
            let tables = try Self.tables(of: "current_schema()", connection)
            // No node can say meanwhile that it lives.
            if tables.contains("node") { try connection.run("LOCK TABLE \(home).node IN SHARE MODE") }
            try requireNoNodes(connection)
            let previous = tables.filter(own.contains)
            let parts = try MonthlyTable.all.filter { previous.contains($0.name) }.flatMap { try $0.parts(connection).map(\.name) }
            if !previous.isEmpty { try connection.run("CREATE SCHEMA \(name)") }
            for table in previous + parts { try connection.run("ALTER TABLE \(home).\(table) SET SCHEMA \(name)") }
            for table in try Self.tables(of: "'\(restoring)'", connection) {
                try connection.run("ALTER TABLE \(restoring).\(table) SET SCHEMA \(home)")
            }
            try connection.run("DROP SCHEMA \(restoring)")
            return previous.isEmpty ? nil : name
        }
    }

    /// Schemas of restores that were interrupted, or that other sessions fill just now.
    package func leftovers() throws -> [String] {
        try read { try $0.rows("SELECT CAST(nspname AS TEXT) AS name FROM pg_namespace WHERE nspname LIKE 'landfall\\_restoring\\_%' ORDER BY 1") }
            .map { try $0.text("name") }
    }
}
