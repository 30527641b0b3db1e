// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// What a replica must be: in recovery, and a copy of this very database.
enum ReplicaChecks {
    /// - Returns: nil if the replica is away: that may pass.
    /// - Throws: ``LandfallStore/DatabaseError/cannotConnect(server:reason:)`` or
    ///   ``LandfallStore/DatabaseError/unsuitable(_:remedy:)``, if no waiting mends it.
    @discardableResult
    static func run(
        _ address: PostgresAddress, of primary: PostgresConnection, within limit: Duration
    ) throws(DatabaseError) -> PostgresConnection? {
        do throws(DatabaseError) {
            let replica = try PostgresConnection(address.of(.standby), library: primary.library, within: limit)
            if let refusal = refusal(try facts(replica, limit), of: try facts(primary, limit), name: address.name) { throw refusal }
            return replica
        } catch where error.mayPass {
            // Of several hosts one is the primary, and the others may be back soon.
            guard !address.hasSeveralHosts,
                let other = try? PostgresConnection(address.of(.any), library: primary.library, within: limit)
            else { return nil }
            let found = try facts(other, limit), own = try facts(primary, limit)
            // After a failover the standby is the primary of this very database: it is away, and the node serves.
            guard ["system", "database"].contains(where: { found.optionalText($0) != own.optionalText($0) }) else { return nil }
            if let refusal = refusal(found, of: own, name: address.name) { throw refusal }
            return nil
        }
    }

    static func refusal(_ facts: Row, of primary: Row, name: String) -> DatabaseError? {
        if facts.optionalText("is_standby") != "true" {
            return .unsuitable(
                "the replica '\(name)' is not in recovery: it is a primary itself",
                remedy: "name a standby in --replica, or all hosts, of which it takes one that is in recovery")
        }
        for (column, what) in [("system", "server"), ("database", "database")]
        where facts.optionalText(column) != primary.optionalText(column) {
            return .unsuitable(
                "the replica '\(name)' is a standby of another \(what) than --database", remedy: "name a standby of that one in --replica")
        }
        return nil
    }

    private static func facts(_ connection: PostgresConnection, _ limit: Duration) throws(DatabaseError) -> Row {
        try row(Statement(factsText), connection, limit)
    }

    /// The answer of a statement that always has one row.
    static func row(_ statement: Statement, _ connection: PostgresConnection, _ limit: Duration) throws(DatabaseError) -> Row {
        do throws(PostgresFailure) {
            return try connection.flight([(statement, .rows)], within: limit)[0].rows[0]
        } catch {
            throw error.error
        }
    }

    /// The server's number was drawn when its files were made, and its copies have the same.
    private static let factsText = """
        SELECT CAST(pg_is_in_recovery() AS TEXT) AS is_standby, CAST(system_identifier AS TEXT) AS system,
          CAST((SELECT oid FROM pg_database WHERE datname = current_database()) AS TEXT) AS database
        FROM pg_control_system()
        """
}
