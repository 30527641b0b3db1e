// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

extension JobKind {
    /// One notification on its way to the second receiver.
    package static let appStoreForwarding = JobKind(rawValue: "app_store_forwarding")
}

/// Notifications that wait for the second receiver. Their payload stays until then.
package struct ForwardingStore: Sendable {
    let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// The text that Apple has signed; nil if it waits no longer.
    func waiting(_ name: NotificationName, in app: AppID) async throws -> String? {
        try await database.read { connection in
            let row = try connection.row(Self.text, name.values(of: app))
            return try row.flatMap { row in
                guard row["payload"] != .null else { return nil }
                return JWSText.joined(try row.text("header"), try row.blob("payload"), try row.blob("signature"))
            }
        }
    }

    private static let text = """
        SELECT n.payload, n.signature, h.header
        FROM app_store_notification n LEFT JOIN jws_header h ON h.app_id = n.app_id AND h.header_hash = n.header_hash
        WHERE n.app_id = $1 AND n.environment = $2 AND n.notification_uuid = $3 AND n.forwarding = 'waiting'
        """

    /// Ends the job. The payload goes if facts say all of it.
    /// - Parameter outcome: nil if nobody wants it any more.
    func end(_ name: NotificationName, _ outcome: Forwarding?, _ job: Job) async throws {
        let values = name.values(of: job.name.app) + [.text(outcome?.rawValue)]
        let statements = [Statement(Self.endText, values), job.deletion]
        try await database.write(.bulk, locking: []) { _ = try $0.batch(statements) }
    }

    private static let endText = """
        UPDATE app_store_notification SET forwarding = $4,
          payload = CASE WHEN is_in_facts = 1 THEN NULL ELSE payload END, signature = CASE WHEN is_in_facts = 1 THEN NULL ELSE signature END
        WHERE app_id = $1 AND environment = $2 AND notification_uuid = $3 AND forwarding = 'waiting'
        """

    /// How many wait, and how many of the last 180 days were given up; both up to a bound.
    package func counts(in app: AppID) async throws -> (waiting: Int, oldestMs: Int64?, givenUp: Int) {
        let bound: SQLValue = .integer(Int64(Self.mostCounted))
        let answers = try await database.rows([
            Statement(Self.waitingText, [.text(JobKind.appStoreForwarding.rawValue), .text(app.rawValue), bound]),
            Statement(Self.lostText, [.text(app.rawValue), bound]),
        ])
        return (
            Int(try answers[0].first?.integer("count") ?? 0), answers[0].first?.optionalInteger("oldest_ms"),
            Int(try answers[1].first?.integer("count") ?? 0)
        )
    }

    /// From this age on people should look at the receiver.
    package static let lateMs: Int64 = 3_600_000
    private static let mostCounted = 100_000
    private static let waitingText = """
        SELECT COUNT(*) AS count, MIN(created_at_ms) AS oldest_ms FROM (
          SELECT created_at_ms FROM job WHERE app_id = $2 AND kind = $1 LIMIT $3
        ) AS waiting
        """
    private static let lostText = """
        SELECT COUNT(*) AS count FROM (
          SELECT 1 AS found FROM app_store_notification WHERE app_id = $1 AND forwarding = 'givenUp' LIMIT $2
        ) AS lost
        """
}
