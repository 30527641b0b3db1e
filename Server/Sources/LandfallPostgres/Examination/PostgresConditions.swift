// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// How a PostgreSQL is set up and how it does: what an operator should know before it matters. Rights beyond the database's own are
/// not needed; what they would show is said.
struct PostgresConditions {
    static let mostLagBytes: Int64 = 64 << 20
    static let mostLagMs: Int64 = 10_000
    /// A node that stands still within a transaction keeps its locks for so long.
    static let mostIdleMs: Int64 = 60_000
    /// The engine stops at about two billion transactions since the last vacuum of everything.
    static let mostAge: Int64 = 1_200_000_000

    /// The connections of a node, as this program's URL has them.
    let pool: Int

    func look(at connection: any ReadConnection) throws -> [EngineCondition] {
        let (begun, start) = (Date.now, ContinuousClock.now)
        let rows = try connection.rows([Self.serverText, Self.standbysText, Self.indexesText, Self.vacuumText].map { Statement($0) })
        let took = ContinuousClock.now - start
        let nowMs = Int64((begun.timeIntervalSince1970 + Date.now.timeIntervalSince1970) * 500)
        guard let server = rows[0].first, let standbys = rows[1].first else { return [] }
        let living = try NodeTables.seen(by: connection).living
        return [
            try Self.about(server), try Self.standbys(standbys, server), try Self.idle(server),
            try connections(server, nodes: living.count), Self.nodes(living), try Self.clock(server, nowMs: nowMs, took: took),
            try Self.indexes(rows[2]), try Self.vacuum(server, rows[3]), try Self.months(connection),
        ]
    }

    private static func about(_ server: Row) throws -> EngineCondition {
        let unseen = " Pages have no checksums (data_checksums is off), so the engine does not notice a value that the disk changed; 'pg_checksums --enable' adds them while it is stopped."
        return EngineCondition(
            "database",
            "PostgreSQL \(try server.text("version")), a primary; \(server.optionalText("encoding") ?? "?"), sorted as bytes (\(server.optionalText("collation") ?? "?"))."
                + (try server.text("checksums") == "off" ? unseen : ""))
    }

    static func standbys(_ row: Row, _ server: Row) throws -> EngineCondition {
        let (count, names) = (try row.integer("standbys"), try server.text("synchronous_names"))
        let commit = try server.text("synchronous_commit")
        guard count > 0 || !names.isEmpty else {
            return EngineCondition("standbys", "No standby follows this server: after the loss of its disk, the last backup is all that is left.")
        }
        if names.isEmpty {
            return EngineCondition(
                "standbys", "\(count == 1 ? "A standby follows" : "\(count) standbys follow") asynchronously: a failover may lose commits that were answered.",
                remedy: "With Patroni: synchronous_mode: on. Else ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; SELECT pg_reload_conf();")
        }
        if commit == "local" {
            return EngineCondition(
                "standbys", "synchronous_commit is 'local', so no commit waits for a standby: a failover may lose commits that were answered.",
                remedy: "ALTER DATABASE \(try server.text("quoted_name")) SET synchronous_commit = on;")
        }
        if count == 0 {
            return EngineCondition(
                "standbys", "synchronous_standby_names is '\(names)' and no standby follows: every commit waits for one.",
                remedy: "Start the standby, or ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();")
        }
        guard let bytes = row.optionalInteger("lag_bytes") else {
            return EngineCondition(
                "standbys", "Commits wait for a standby ('\(names)'). How far it is behind is not shown to this role; GRANT pg_monitor TO \(try server.text("role")); shows it.")
        }
        let lagMs = row.optionalInteger("lag_ms") ?? 0
        let text = "A standby is \(bytes / 1024) kB and \(lagMs) ms behind; commits wait for '\(names)'."
        guard bytes <= mostLagBytes, lagMs <= mostLagMs else {
            return EngineCondition("standbys", text, remedy: "Look at the standby's disk, its network and its log.")
        }
        return EngineCondition("standbys", text)
    }

    static func idle(_ server: Row) throws -> EngineCondition {
        let limit = try server.integer("idle_limit_ms")
        guard 1...mostIdleMs ~= limit else {
            return EngineCondition(
                "idleTransactions",
                limit == 0
                    ? "A node that stands still within a transaction keeps its locks for ever."
                    : "A node that stands still within a transaction keeps its locks for \(limit / 1000) seconds.",
                remedy: "ALTER ROLE \(try server.text("role")) SET idle_in_transaction_session_timeout = '10s';")
        }
        return EngineCondition("idleTransactions", "A node that stands still within a transaction loses its locks after \(limit / 1000) seconds.")
    }

    func connections(_ server: Row, nodes: Int) throws -> EngineCondition {
        let (most, used, reserved) = (try server.integer("most"), try server.integer("used"), try server.integer("reserved"))
        let free = most - used - reserved, wanted = Int64(max(1, nodes) * pool) + reserved
        let text = "\(used) of \(most) connections are in use, \(free) are free."
        if wanted > most {
            return EngineCondition(
                "databaseConnections", "\(text) \(max(1, nodes)) node\(nodes > 1 ? "s" : "") with pool=\(pool) may want more than there are.",
                remedy: "Lower pool= of the nodes' URL, put a pgbouncer between (prepare=off), or ALTER SYSTEM SET max_connections = \(wanted + 20); and restart the database.")
        }
        if free < 5 {
            return EngineCondition(
                "databaseConnections", text, remedy: "See who has them (pg_stat_activity), or ALTER SYSTEM SET max_connections and restart the database.")
        }
        return EngineCondition("databaseConnections", text)
    }

    static func nodes(_ living: [NodesSeen.Node]) -> EngineCondition {
        guard !living.isEmpty else {
            return EngineCondition("nodes", "No node works on the database.", remedy: "Start one: landfall serve --database URL. Its log says why it ended.")
        }
        let releases = Dictionary(grouping: living, by: \.release).sorted { $0.key < $1.key }.map { "\($0.value.count) × \($0.key)" }
        let count = living.count
        return EngineCondition("nodes", "\(count) node\(count == 1 ? "" : "s") live\(count == 1 ? "s" : ""): \(releases.joined(separator: ", ")).")
    }

    /// - Parameter took: how long the database's answer did.
    static func clock(_ server: Row, nowMs: Int64, took: Duration) throws -> EngineCondition {
        guard took <= .milliseconds(NodesSeen.clockWarningMs) else {
            return EngineCondition("clock", "The clocks were not compared: the database took \(Int(took / .milliseconds(1))) ms to answer.")
        }
        let ahead = nowMs - (try server.integer("now_ms"))
        let text = "This machine's clock is \(abs(ahead)) ms \(ahead < 0 ? "behind" : "ahead of") the database's."
        return EngineCondition("clock", text, remedy: abs(ahead) > NodesSeen.clockWarningMs ? "Set both clocks by NTP; above 10 seconds a node is not ready." : nil)
    }

    static func indexes(_ rows: [Row]) throws -> EngineCondition {
        let broken = try rows.map { try $0.text("name") }
        guard let first = broken.first else { return EngineCondition("indexes", "Every index is complete.") }
        return EngineCondition(
            "indexes", "Not complete, so no statement uses them: \(broken.joined(separator: ", ")).", remedy: "REINDEX INDEX CONCURRENTLY \(first);")
    }

    /// This month and the next one: nodes make more.
    static func months(_ connection: any ReadConnection) throws -> EngineCondition {
        for table in MonthlyTable.all {
            guard let first = try table.missing(connection, ahead: 1).first else { continue }
            return EngineCondition(
                "months", "The table '\(table.name)' has no part for \(first.label): rows of that month go into '\(table.rest)'.",
                remedy: "Start a node again: it makes the part. If it cannot, a transaction that stays open uses '\(table.rest)' (pg_stat_activity), or its role does not own the table.")
        }
        return EngineCondition("months", "The parts of this month and the next one are there.")
    }

    static func vacuum(_ server: Row, _ rows: [Row]) throws -> EngineCondition {
        if try server.text("autovacuum") != "on" {
            return EngineCondition("vacuum", "autovacuum is off, so tables grow without end.", remedy: "ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf();")
        }
        let age = try server.integer("age")
        if age > mostAge {
            return EngineCondition("vacuum", "The oldest row is \(age) transactions old; the engine stops at two billion.", remedy: "VACUUM (FREEZE);")
        }
        guard let worst = rows.first else { return EngineCondition("vacuum", "Deleted rows are cleared away.") }
        let table = try worst.text("name")
        return EngineCondition(
            "vacuum", "The table '\(table)' has \(try worst.integer("dead")) deleted rows that are not cleared away.",
            remedy: "VACUUM \(table); a transaction that stays open for long prevents it (pg_stat_activity, xact_start).")
    }
}

extension PostgresConditions {
    fileprivate static let serverText = """
        SELECT current_setting('server_version') AS version, pg_encoding_to_char(d.encoding) AS encoding, CAST(d.datcollate AS TEXT) AS collation,
          quote_ident(d.datname) AS quoted_name, quote_ident(current_user) AS role,
          current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') AS synchronous_names,
          CAST((SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS BIGINT) AS idle_limit_ms,
          CAST(current_setting('max_connections') AS BIGINT) AS most,
          CAST(current_setting('superuser_reserved_connections') AS BIGINT) AS reserved,
          (SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend' OR backend_type IS NULL) AS used,
          current_setting('autovacuum') AS autovacuum, current_setting('data_checksums') AS checksums,
          CAST(age(d.datfrozenxid) AS BIGINT) AS age, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now_ms
        FROM pg_database d WHERE d.datname = current_database()
        """
    // Of a backup that is being made there is a row too. Without pg_monitor the rows have no values.
    fileprivate static let standbysText = """
        SELECT COUNT(*) AS standbys, CAST(MAX(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) AS BIGINT) AS lag_bytes,
          CAST(MAX(EXTRACT(EPOCH FROM replay_lag)) * 1000 AS BIGINT) AS lag_ms
        FROM pg_stat_replication WHERE state IS NULL OR state <> 'backup'
        """
    fileprivate static let indexesText = """
        SELECT quote_ident(c.relname) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND NOT (i.indisvalid AND i.indisready) ORDER BY 1
        """
    fileprivate static let vacuumText = """
        SELECT quote_ident(relname) AS name, n_dead_tup AS dead FROM pg_stat_user_tables
        WHERE schemaname = current_schema() AND n_dead_tup > 100000 + n_live_tup ORDER BY n_dead_tup DESC LIMIT 1
        """
}
