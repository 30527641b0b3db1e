// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The engine's own tables, by which nodes know of each other. They are no part of the stores' schema: the embedded engine has no
/// use for them.
enum NodeTables {
    /// Tables that are there stay as they are, so that nodes need the right to create tables only when they migrate.
    static func create(_ connection: PostgresTransaction) throws {
        if try !connection.hasTable("node_change") { for text in texts { try connection.run(text) } }
    }

    private static let texts = [
        // Without a log: after a crash it is empty, and its readers are told that changes may have been missed.
        """
        CREATE UNLOGGED TABLE node_change (
          xact BIGINT NOT NULL, node TEXT NOT NULL, kind TEXT NOT NULL, app TEXT NOT NULL, subject TEXT NOT NULL,
          at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
        )
        """,
        "CREATE INDEX node_change_by_xact ON node_change (xact)",
        """
        CREATE TABLE node (
          name TEXT NOT NULL PRIMARY KEY, release TEXT NOT NULL, clock_ahead_ms BIGINT NOT NULL, seen_at TIMESTAMPTZ NOT NULL,
          began_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
        )
        """,
    ]

    static func beat(_ node: NodeName, release: String, nowMs: Int64) -> Statement {
        Statement(beatText, [.text(node.text), .text(release), .integer(nowMs)])
    }

    /// The nodes; none where no server has made the tables yet.
    static func seen(by connection: any ReadConnection) throws -> NodesSeen {
        try seen(connection.hasTable("node") ? connection.rows(question) : [])
    }

    /// - Parameter rows: the answer to ``question``.
    static func seen(_ rows: [Row]) throws -> NodesSeen {
        NodesSeen(
            nowMs: try rows.first?.integer("now_ms") ?? 0,
            nodes: try rows.map { row in
                .init(
                    name: NodeName(try row.text("name")), release: try row.text("release"), silentMs: try row.integer("silent_ms"),
                    runningMs: try row.integer("running_ms"), clockAheadMs: try row.integer("clock_ahead_ms"))
            })
    }

    /// When that node last beat, in milliseconds of the database's clock; nil if it is not there. Everything that was committed before is
    /// in the same snapshot, on a standby too.
    static func beatMs(of node: NodeName, _ connection: any ReadConnection) throws -> Int64? {
        try connection.row(beatMsText, [.text(node.text)])?.integer("beat_ms")
    }

    private static let beatMsText = "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM seen_at) * 1000) AS BIGINT) AS beat_ms FROM node WHERE name = $1"

    /// The newest beat of any node.
    static let newestBeat = Statement("SELECT CAST(FLOOR(EXTRACT(EPOCH FROM MAX(seen_at)) * 1000) AS BIGINT) AS beat_ms FROM node")

    /// In lots: a program may have made millions of changes while no node was running.
    static let tidyText = """
        DELETE FROM node_change WHERE ctid IN (
          SELECT ctid FROM node_change WHERE at < clock_timestamp() - INTERVAL '1 minute' LIMIT 10000
        )
        """
    /// Only if it is still silent: one that was stopped for a while may go on just now.
    static let forgetText = "DELETE FROM node WHERE name = $1 AND seen_at < clock_timestamp() - INTERVAL '3 seconds'"
    static let leaveText = "DELETE FROM node WHERE name = $1"

    private static let beatText = """
        INSERT INTO node (name, release, seen_at, clock_ahead_ms)
        VALUES ($1, $2, clock_timestamp(), $3 - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT))
        ON CONFLICT (name) DO UPDATE SET
          release = excluded.release, seen_at = excluded.seen_at, clock_ahead_ms = excluded.clock_ahead_ms
        """
    // In milliseconds, by the database's clock: those of the nodes may differ.
    static let question = Statement(
        """
        SELECT name, release, clock_ahead_ms,
          CAST(EXTRACT(EPOCH FROM clock_timestamp() - began_at) * 1000 AS BIGINT) AS running_ms, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now_ms,
          GREATEST(0, CAST(EXTRACT(EPOCH FROM clock_timestamp() - seen_at) * 1000 AS BIGINT)) AS silent_ms
        FROM node ORDER BY name
        """)
}

extension ReadConnection {
    /// - Parameter name: a name of ours.
    func hasTable(_ name: String) throws -> Bool {
        try row("SELECT CAST(to_regclass('\(name)') AS TEXT) AS found")?.optionalText("found") != nil
    }
}
