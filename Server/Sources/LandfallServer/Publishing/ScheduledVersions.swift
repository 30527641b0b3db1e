// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire
package import Logging

/// A text that is to become a version at a given time.
package struct ScheduledVersion: Hashable, Sendable {
    package enum State: String, Hashable, Sendable { case waiting, published, failed, cancelled }

    package let id: String
    /// The newest version at the time of scheduling.
    let base: Int64
    package let draft: ConfigurationStore.Draft
    let hash: String
    package let atMs: Int64
    package let state: State
    /// The reason if it failed.
    package let reason: String?
}

/// Stores scheduled versions and their results. The queue of jobs knows their times. The text of a version that does not wait any more is
/// deleted.
package struct ScheduledVersions: Sendable {
    /// How many versions may wait at the same time.
    static let mostWaiting = 100
    /// How many versions a list contains, newest first.
    static let mostListed = 100
    package static let longestAheadMs: Int64 = 366 * 86_400_000

    private let database: any Database
    let app: AppID

    package init(_ database: any Database, app: AppID) {
        self.database = database
        self.app = app
    }

    /// - Parameter further: is stored in the same unit.
    /// - Throws: ``PublishingRefusal/wrongTime``, ``PublishingRefusal/manyScheduled``.
    func add(
        _ draft: ConfigurationStore.Draft, base: Int64, atMs: Int64, nowMs: Int64, with further: [Statement] = []
    ) async throws -> PublishingAnswer.Scheduled {
        guard atMs > nowMs, atMs <= nowMs + Self.longestAheadMs else {
            throw PublishingRefusal.wrongTime
        }
        let id = UUIDv7.make(nowMs: nowMs)
        try await database.write(.interactive, locking: [.store]) { connection in
            let waiting = try connection.row(
                "SELECT COUNT(*) AS waiting FROM configuration_schedule WHERE app_id = $1 AND state = 'waiting'",
                [.text(app.rawValue)])
            guard try waiting?.integer("waiting") ?? 0 < Self.mostWaiting else {
                throw PublishingRefusal.manyScheduled
            }
            try connection.run(
                """
                INSERT INTO configuration_schedule (app_id, schedule_id, base, text, hash, author, message, due_at_ms, created_at_ms, state)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting')
                """,
                [
                    .text(app.rawValue), .text(id), .integer(base), .text(draft.text), .text(ConfigurationStore.hash(of: draft.text)),
                    .text(draft.author), .text(draft.message), .integer(atMs), .integer(nowMs),
                ])
            try connection.run(name(id).insertion(dueAtMs: atMs))
            connection.tell(.job)
            try connection.batch(further)
        }
        return PublishingAnswer.Scheduled(id: id, atMilliseconds: atMs)
    }

    package func find(_ id: String) async throws -> ScheduledVersion? {
        try await database.read { [app] connection in
            try connection.row(
                """
                SELECT schedule_id, base, text, hash, author, message, due_at_ms, state, reason FROM configuration_schedule
                WHERE app_id = $1 AND schedule_id = $2
                """, [.text(app.rawValue), .text(id)]
            ).map { try ScheduledVersion($0, text: try $0.text("text")) }
        }
    }

    /// The versions that wait, failed or were cancelled, newest first and without their texts.
    package func list() async throws -> [ScheduledVersion] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT schedule_id, base, hash, author, message, due_at_ms, state, reason FROM configuration_schedule
                WHERE app_id = $1 AND state <> 'published' ORDER BY schedule_id DESC LIMIT $2
                """, [.text(app.rawValue), .integer(Int64(Self.mostListed))]
            ).map { try ScheduledVersion($0, text: "") }
        }
    }

    /// - Parameter further: is stored in the same unit, if the version waited.
    /// - Returns: false if the version does not wait.
    package func cancel(_ id: String, with further: [Statement] = []) async throws -> Bool {
        try await database.write { [app] connection in
            let changed = try connection.run(
                """
                UPDATE configuration_schedule SET state = 'cancelled', text = ''
                WHERE app_id = $1 AND schedule_id = $2 AND state = 'waiting'
                """,
                [.text(app.rawValue), .text(id)])
            try connection.run(name(id).deletion)
            if changed > 0 { try connection.batch(further) }
            return changed > 0
        }
    }

    /// - Parameter further: is stored in the same unit, if the version waited.
    func fail(_ id: String, because reason: String, with further: [Statement] = []) async throws {
        try await database.write(.bulk, locking: []) { [app] connection in
            let changed = try connection.run(
                """
                UPDATE configuration_schedule SET state = 'failed', text = '', reason = $3
                WHERE app_id = $1 AND schedule_id = $2 AND state = 'waiting'
                """, [.text(app.rawValue), .text(id), .text(reason)])
            if changed > 0 { try connection.batch(further) }
        }
    }

    /// Marks the waiting versions of an author who may not publish any more as failed, in the unit that removes the permission. The audit
    /// log gets a line if there was such a version.
    /// - Parameter line: the id of that line: an engine may repeat the unit.
    package static func failAll(by author: String, of app: AppID, line id: String, nowMs: Int64, _ connection: any WriteConnection) throws {
        let reason = "Its author may not publish it any more: the member was removed, or has another role. Schedule it again if it is still wanted."
        let failed = try connection.run(
            """
            UPDATE configuration_schedule SET state = 'failed', text = '', reason = $3
            WHERE app_id = $1 AND author = $2 AND state = 'waiting'
            """, [.text(app.rawValue), .text(author), .text(reason)])
        guard failed > 0 else { return }
        let subject = failed > 1 ? "\(failed): \(reason)" : reason
        let line = AuditLine(action: .versionFailed, member: author, subject: subject, network: nil)
        try connection.run(line.insertion(into: app, id: id, nowMs: nowMs))
    }

    /// Marks the version as published. The unit that publishes it runs this statement, and is undone if the version does not wait any
    /// more.
    func ending(_ id: String) -> Statement {
        Statement(
            """
            UPDATE configuration_schedule SET state = 'published', text = ''
            WHERE app_id = $1 AND schedule_id = $2 AND state = 'waiting'
            """, [.text(app.rawValue), .text(id)])
    }

    private func name(_ id: String) -> JobName { JobName(app: app, kind: .scheduledVersion, key: id) }
}

extension JobKind {
    package static let scheduledVersion = JobKind(rawValue: "scheduled_version")
}

extension ScheduledVersion {
    fileprivate init(_ row: Row, text: String) throws {
        id = try row.text("schedule_id")
        base = try row.integer("base")
        draft = ConfigurationStore.Draft(text: text, author: try row.text("author"), message: try row.text("message"))
        hash = try row.text("hash")
        atMs = try row.integer("due_at_ms")
        state = State(rawValue: try row.text("state")) ?? .failed
        reason = row.optionalText("reason")
    }
}

extension VersionPublisher {
    /// Publishes each version at its time, or later if no node ran at that time.
    package func work(_ logger: Logger) -> JobWork {
        JobWork(kind: .scheduledVersion, startPause: .zero, longestWaitMs: nil) { job in
            if let reason = try await publishScheduled(job.name.key, logger) {
                logger.error(
                    "A scheduled version was not published.", metadata: ["schedule.id": "\(job.name.key)", "error.text": "\(reason)"])
            }
            return .done
        }
    }
}
