// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// The one durable queue of work that nobody waits for. A lease that its holder does not end in time ends by itself; the job is
/// due again, here or on another node.
struct JobQueue: Sendable {
    let database: any Database

    /// Takes at most `limit` of what is due, the longest due first.
    func lease(_ kind: JobKind, _ limit: Int, nowMs: Int64, leaseMs: Int64) async throws -> [Job] {
        let statement = Statement(
            Self.leaseText,
            [.text(kind.rawValue), .integer(nowMs), .integer(nowMs + leaseMs), .integer(Int64(limit))])
        return try await database.write(.bulk, locking: []) { connection in
            try connection.rows(statement).map { row in
                Job(
                    name: JobName(app: AppID(try row.text("app_id")), kind: kind, key: try row.text("job_key")),
                    payload: try row.text("payload"), attempts: try row.integer("attempts"),
                    leaseUntilMs: try row.integer("lease_until_ms"))
            }
        }
    }

    /// When the next job of each kind may be taken, by this node or another. A kind without jobs is not in it.
    func nextDueMs(of kinds: [JobKind]) async throws -> [JobKind: Int64] {
        try await database.read { connection in
            try kinds.reduce(into: [:]) { next, kind in
                next[kind] = try connection.row(Self.nextText, [.text(kind.rawValue)])?.optionalInteger("next_ms")
            }
        }
    }

    /// Ends every lease. Right only where no other node works on this store: then leases are left from before a restart.
    func endLeases() async throws {
        try await database.write(.bulk, locking: []) { connection in
            _ = try connection.run("UPDATE job SET lease_until_ms = due_at_ms WHERE lease_until_ms > due_at_ms")
        }
    }

    func add(_ names: [JobName], payload: String = "", dueAtMs: Int64) async throws {
        try await database.write(.bulk, locking: []) { connection in
            for name in names { try connection.add(name, payload: payload, dueAtMs: dueAtMs) }
        }
    }

    func move(_ job: Job, _ step: JobStep) async throws {
        try await database.write(.bulk, locking: []) { connection in _ = try job.move(step, in: connection) }
    }

    static let leaseText = """
        UPDATE job SET lease_until_ms = $3, attempts = attempts + 1
        WHERE kind = $1 AND lease_until_ms <= $2 AND (app_id, job_key) IN (
          SELECT app_id, job_key FROM job WHERE kind = $1 AND lease_until_ms <= $2 ORDER BY lease_until_ms LIMIT $4
        )
        RETURNING app_id, job_key, payload, attempts, lease_until_ms
        """
    static let nextText = "SELECT MIN(lease_until_ms) AS next_ms FROM job WHERE kind = $1"
}

extension WriteConnection {
    /// Asks for the work, in the unit that makes it necessary. One that is there already stays as it is.
    func add(_ job: JobName, payload: String = "", dueAtMs: Int64) throws {
        try run(
            """
            INSERT INTO job (app_id, kind, job_key, payload, attempts, due_at_ms, lease_until_ms, created_at_ms)
            VALUES ($1, $2, $3, $4, 0, $5, $5, $5)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(job.app.rawValue), .text(job.kind.rawValue), .text(job.key), .text(payload), .integer(dueAtMs),
            ])
    }
}

extension WriteConnection {
    /// The work is done, by whoever asked for it.
    func remove(_ job: JobName) throws {
        try run(
            "DELETE FROM job WHERE app_id = $1 AND kind = $2 AND job_key = $3",
            [.text(job.app.rawValue), .text(job.kind.rawValue), .text(job.key)])
    }
}

extension Job {
    /// - Returns: false where the lease has ended and somebody else has taken the job: then nothing is changed.
    func move(_ step: JobStep, in connection: any WriteConnection) throws -> Bool {
        let key: [SQLValue] = [
            .text(name.app.rawValue), .text(name.kind.rawValue), .text(name.key), .integer(leaseUntilMs),
        ]
        switch step {
        case .done:
            return try connection.run(
                "DELETE FROM job WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND lease_until_ms = $4", key) > 0
        case .again(let atMs): return try put(backUntilMs: atMs, attempts: 0, key, in: connection)
        case .retry(let atMs): return try put(backUntilMs: atMs, attempts: attempts, key, in: connection)
        case .moved: return true
        }
    }

    private func put(
        backUntilMs: Int64, attempts: Int64, _ key: [SQLValue], in connection: any WriteConnection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE job SET due_at_ms = $5, lease_until_ms = $5, attempts = $6
            WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND lease_until_ms = $4
            """, key + [.integer(backUntilMs), .integer(attempts)]) > 0
    }
}
