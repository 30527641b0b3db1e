// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// The durable queue of background work. If the holder of a lease does not finish in time, the lease ends by itself and the job
/// is due again, on this node or another.
package struct JobQueue: Sendable {
    package let database: any Database
    /// This node, if nodes share the store.
    private let node: NodeName?

    package init(database: any Database, node: NodeName? = nil) { (self.database, self.node) = (database, node) }

    /// Takes at most `limit` due jobs: fresh jobs first, then retries, each ordered by due time.
    func lease(
        _ kind: JobKind, _ limit: Int, nowMs: Int64, leaseMs: Int64, _ urgency: Urgency = .bulk
    ) async throws -> [Job] {
        try await database.write(urgency, locking: []) { [node] connection in
            func lease(_ limit: Int, isRetry: Bool) throws -> [Job] {
                try connection.rows(
                    Self.leaseText,
                    [
                        .text(kind.rawValue), .integer(nowMs), .integer(nowMs + leaseMs), .integer(Int64(limit)),
                        .flag(isRetry), .text(node?.text),
                    ]
                ).map { try Job($0, kind) }
            }
            let fresh = try lease(limit, isRetry: false)
            return fresh.count < limit ? try fresh + lease(limit - fresh.count, isRetry: true) : fresh
        }
    }

    /// When the next job of each kind may be taken, by this node or another. A kind without jobs is absent.
    package func nextDueMs(of kinds: [JobKind]) async throws -> [JobKind: Int64] {
        let answers = try await database.rows(kinds.map { Statement(Self.nextText, [.text($0.rawValue)]) })
        return zip(kinds, answers).reduce(into: [:]) { next, answer in
            next[answer.0] = answer.1.first?.optionalInteger("next_ms")
        }
    }

    /// How often jobs of each kind have failed in a row: the most of the first hundred that are tried again. A kind without such jobs is
    /// absent.
    package func failures(of kinds: [JobKind]) async throws -> [JobKind: Int64] {
        let answers = try await database.rows(kinds.map { Statement(Self.failuresText, [.text($0.rawValue)]) })
        return zip(kinds, answers).reduce(into: [:]) { failures, answer in
            failures[answer.0] = answer.1.first?.optionalInteger("attempts")
        }
    }

    /// Ends every lease. Correct only if no other node works on this store: then every lease is left from before a restart.
    func endLeases() async throws {
        try await database.write(.bulk, locking: []) { connection in
            _ = try connection.run("UPDATE job SET lease_until_ms = due_at_ms WHERE lease_until_ms > due_at_ms")
        }
    }

    /// Ends every lease of a node that stops, or that has died: others take its jobs at once.
    package func endLeases(of node: NodeName) async throws {
        try await database.write(.interactive, locking: []) { connection in
            _ = try connection.run(
                "UPDATE job SET lease_until_ms = due_at_ms, leased_by = NULL WHERE leased_by = $1 AND lease_until_ms > due_at_ms",
                [.text(node.text)])
            connection.tell(.job)
        }
    }

    /// Ends the leases of this node, which stops.
    package func endOwnLeases() async throws { if let node { try await endLeases(of: node) } }

    /// Which other node has the job; nil if none.
    func otherHolder(of name: JobName) async throws -> JobLease? {
        let rows = try await database.rows([Statement(Self.holderText, name.values)])[0]
        guard let row = rows.first, let holder = row.optionalText(0).map({ NodeName($0) }), holder != node else { return nil }
        return JobLease(untilMs: try row.integer(1), node: holder)
    }

    /// Takes the job from another node, which moves it no more.
    /// - Returns: nil if it does not have that lease any more.
    func take(_ name: JobName, from holder: JobLease, by lease: JobLease) async throws -> Job? {
        // Leases of one job are told apart by their ends.
        let untilMs = max(lease.untilMs, holder.untilMs + 1)
        return try await database.write(.interactive, locking: []) { connection in
            try connection.row(
                Self.takeText,
                name.values + [.text(holder.node?.text), .integer(holder.untilMs), .text(lease.node?.text), .integer(untilMs)]
            ).map { try Job($0, name.kind) }
        }
    }

    /// Makes jobs due that wait longer than their kinds ever do: the clock was ahead when they were put back.
    func pullForward(_ kinds: [JobKind], waitingPastMs limitMs: Int64, nowMs: Int64) async throws {
        try await database.write(.bulk, locking: []) { connection in
            for kind in kinds {
                for isRetry in [false, true] {
                    try connection.run(Self.pullText, [.text(kind.rawValue), .flag(isRetry), .integer(limitMs), .integer(nowMs)])
                }
            }
        }
    }

    static let pullText = """
        UPDATE job SET due_at_ms = $4, lease_until_ms = $4 WHERE kind = $1 AND is_retry = $2 AND lease_until_ms > $3
        """

    func add(_ names: [JobName], payload: String = "", dueAtMs: Int64) async throws {
        guard !names.isEmpty else { return }
        try await database.write(.bulk, locking: []) { connection in
            for name in names { try connection.run(name.insertion(payload: payload, dueAtMs: dueAtMs)) }
        }
    }

    /// Changes nothing if the lease has ended and another node has taken the job.
    func move(_ job: Job, _ step: JobStep) async throws {
        guard let statement = job.moving(step) else { return }
        try await database.write(.bulk, locking: []) { connection in _ = try connection.run(statement) }
    }

    static let leaseText = """
        UPDATE job SET lease_until_ms = $3, attempts = attempts + 1, leased_by = $6
        WHERE kind = $1 AND is_retry = $5 AND lease_until_ms <= $2 AND (app_id, job_key) IN (
          SELECT app_id, job_key FROM job WHERE kind = $1 AND is_retry = $5 AND lease_until_ms <= $2
          ORDER BY lease_until_ms LIMIT $4
        )
        RETURNING app_id, job_key, install_id, payload, attempts, created_at_ms, lease_until_ms
        """
    static let holderText = """
        SELECT leased_by, lease_until_ms FROM job WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND leased_by IS NOT NULL
        """
    static let takeText = """
        UPDATE job SET leased_by = $6, lease_until_ms = $7, attempts = attempts + 1
        WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND leased_by = $4 AND lease_until_ms = $5
        RETURNING app_id, job_key, install_id, payload, attempts, created_at_ms, lease_until_ms
        """
    static let failuresText = """
        SELECT MAX(attempts) AS attempts FROM (
          SELECT attempts FROM job WHERE kind = $1 AND is_retry = 1 ORDER BY lease_until_ms LIMIT 100
        ) AS retries
        """
    static let nextText = """
        SELECT MIN(next_ms) AS next_ms FROM (
          SELECT MIN(lease_until_ms) AS next_ms FROM job WHERE kind = $1 AND is_retry = 0
          UNION ALL
          SELECT MIN(lease_until_ms) AS next_ms FROM job WHERE kind = $1 AND is_retry = 1
        ) AS queues
        """
}

extension JobName {
    /// Requests the work, in the transaction that makes it necessary. An existing job stays unchanged.
    /// - Parameter lease: this node takes the job at once, see ``JobSlots``.
    func insertion(
        install: InstallID? = nil, payload: String = "", dueAtMs: Int64, lease: JobLease? = nil
    ) -> Statement {
        Statement(
            """
            INSERT INTO job (
              app_id, kind, job_key, install_id, payload, is_retry, attempts, due_at_ms, lease_until_ms, created_at_ms, leased_by
            )
            VALUES ($1, $2, $3, $4, $5, 0, $7, $6, $8, $6, $9)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(kind.rawValue), .text(key), .text(install?.rawValue), .text(payload),
                .integer(dueAtMs), .integer(lease == nil ? 0 : 1), .integer(lease?.untilMs ?? dueAtMs), .text(lease?.node?.text),
            ])
    }

    /// `$1` to `$3` of a statement about its row.
    fileprivate var values: [SQLValue] { [.text(app.rawValue), .text(kind.rawValue), .text(key)] }

    /// Removes the job for all who requested it: the work is done.
    var deletion: Statement { Statement("DELETE FROM job WHERE app_id = $1 AND kind = $2 AND job_key = $3", values) }
}

extension Job {
    fileprivate init(_ row: Row, _ kind: JobKind) throws {
        name = JobName(app: AppID(try row.text("app_id")), kind: kind, key: try row.text("job_key"))
        install = row.optionalText("install_id").map { InstallID($0) }
        payload = try row.text("payload")
        attempts = try row.integer("attempts")
        createdAtMs = try row.integer("created_at_ms")
        leaseUntilMs = try row.integer("lease_until_ms")
    }

    /// Changes no row if the lease has ended and another node has taken the job. Nil if the work has moved the row itself.
    func moving(_ step: JobStep) -> Statement? {
        switch step {
        case .done: deletion
        case .again(let atMs): putBack(untilMs: atMs, isRetry: false, payload: payload)
        case .retry(let atMs): putBack(untilMs: atMs, isRetry: true, payload: payload)
        case .moved: nil
        }
    }

    /// Nothing is left to do, see ``moving(_:)``.
    var deletion: Statement {
        Statement("DELETE FROM job WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND lease_until_ms = $4", lease)
    }

    /// Something is left to do, see ``moving(_:)``.
    func putBack(untilMs: Int64, isRetry: Bool, payload: String) -> Statement {
        Statement(
            """
            UPDATE job SET due_at_ms = $5, lease_until_ms = $5, is_retry = $6, attempts = $7, payload = $8, leased_by = NULL
            WHERE app_id = $1 AND kind = $2 AND job_key = $3 AND lease_until_ms = $4
            """, lease + [.integer(untilMs), .flag(isRetry), .integer(isRetry ? attempts : 0), .text(payload)])
    }

    private var lease: [SQLValue] {
        name.values + [.integer(leaseUntilMs)]
    }
}
