// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
package import LandfallStore
import LandfallWire

/// Notifications whose work was given up. Their bodies are kept, so a later release, or the right root, may succeed.
package struct GivenUpNotifications: Sendable {
    /// Of one transaction.
    static let lot: Int64 = 200

    private let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// Makes them due again, those that end first before the others.
    /// - Returns: how many, and whether there are more.
    func retry(in app: AppID, nowMs: Int64) async throws -> RetriedNotifications {
        // What was worked on without trouble is kept for a shorter time, so none of it is read.
        let after: [SQLValue] = [.text(app.rawValue), .integer(nowMs + NotificationName.keptMs), .integer(Self.lot)]
        let names = try await database.rows([Statement(Self.namesText, after)])[0].map { try NotificationName($0) }
        let statements = names.flatMap { name in
            [
                Statement(Self.dueText, name.values(of: app)),
                JobName(app: app, kind: .notification, key: name.key).insertion(dueAtMs: nowMs),
            ]
        }
        if !statements.isEmpty {
            try await database.write(.bulk, locking: []) { connection in
                try connection.batch(statements)
                connection.tell(.job)
            }
        }
        return RetriedNotifications(notifications: names.count, isMore: names.count == Int(Self.lot))
    }

    private static let namesText = """
        SELECT environment, notification_uuid FROM app_store_notification
        WHERE app_id = $1 AND expires_at_ms > $2 AND reason IN ('failed', 'refused') ORDER BY expires_at_ms LIMIT $3
        """
    /// A call at the same time has made it due already.
    private static let dueText = """
        UPDATE app_store_notification SET processed_at_ms = NULL, reason = NULL, expires_at_ms = NULL
        WHERE app_id = $1 AND environment = $2 AND notification_uuid = $3 AND reason IN ('failed', 'refused')
        """
}

/// `/v1/app-store/notifications/retries`, for commands only: notifications that were given up are worked on again.
package struct GivenUpNotificationRoutes: Sendable {
    package static let path = NotificationRoutes.path + "/retries"

    private let given: GivenUpNotifications
    private let time: ServerTime

    package init(_ given: GivenUpNotifications, time: ServerTime) { (self.given, self.time) = (given, time) }

    /// `POST`
    @Sendable package func retry(_ request: Request, context: AppContext) async throws -> Answer<RetriedNotifications> {
        Answer(try await given.retry(in: context.snapshot.app.id, nowMs: time.nowMs()))
    }
}

/// What `landfall retry-notifications` has done.
package struct RetriedNotifications: Hashable, Sendable, Codable {
    package let notifications: Int
    package let isMore: Bool

    package init(notifications: Int, isMore: Bool) { (self.notifications, self.isMore) = (notifications, isMore) }
}

extension NotificationName {
    fileprivate init(_ row: Row) throws {
        self.init(environment: try row.text("environment"), uuid: try row.text("notification_uuid"))
    }
}
