// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore

/// How long it is kept how deliveries ended. What waits is not touched.
enum WebhookKeeping {
    /// Of so many of the newest messages.
    static let most: Int64 = 20_000
    /// The same while little of the disk is free, see ``WebhookFanOut/leastFreeDisk``.
    static let mostOnFullDisk: Int64 = 1_000
    static let keptMs = 7 * Retention.dayMs
}

extension WebhookStore {
    /// Up to which number nothing is kept that has ended.
    func forgotten(_ connection: any ReadConnection) throws -> Int64 {
        try connection.row(Self.forgottenText, [.text(app.rawValue)])?.integer("forgotten") ?? 0
    }

    /// Deletes some of what has ended and is too old. The caller holds the lock.
    /// - Parameters:
    ///   - sequence: messages up to this number are too old, whatever their time.
    /// - Returns: the rows by table, and whether there may be more.
    func forgetEnded(upTo sequence: Int64, most: Int64, nowMs: Int64, _ connection: any WriteConnection) throws -> RetentionLot {
        let from = try forgotten(connection)
        let oldest = try connection.rows(Self.oldestText, [.text(app.rawValue), .integer(from), .integer(most)])
        // Ids and numbers rise together, but for transactions that ended in another order than they began.
        let first = UUIDv7.earliest(atMs: nowMs - WebhookKeeping.keptMs)
        let past = try oldest.map { (id: try $0.text("message_id"), sequence: try $0.integer("sequence")) }
            .prefix { $0.sequence <= sequence || $0.id < first }
        guard let last = past.last?.sequence else { return RetentionLot() }
        let range: [SQLValue] = [.text(app.rawValue), .integer(from), .integer(last)]
        let deliveries = try connection.run(Self.forgetDeliveriesText, range + [.integer(Self.never)])
        let messages = try connection.run(Self.forgetMessagesText, range)
        try connection.run(Self.forgetText, [.text(app.rawValue), .integer(last)])
        return RetentionLot(rows: ["webhook_delivery": deliveries, "webhook_message": messages], isMore: past.count >= Int(most))
    }

    /// The same by time alone, in a transaction of its own.
    func forgetOld(nowMs: Int64) async throws -> RetentionLot {
        try await database.write(.bulk, locking: [lock]) { connection in
            try forgetEnded(upTo: 0, most: RetentionRule.mostRows, nowMs: nowMs, connection)
        }
    }

    private static let forgottenText = "SELECT forgotten FROM webhook_sequence WHERE app_id = $1"
    private static let forgetText = "UPDATE webhook_sequence SET forgotten = $2 WHERE app_id = $1"
    static let oldestText = """
        SELECT message_id, sequence FROM webhook_message WHERE app_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
        """
    static let forgetDeliveriesText = """
        DELETE FROM webhook_delivery WHERE app_id = $1 AND due_at_ms = $4 AND message_id IN (
          SELECT message_id FROM webhook_message WHERE app_id = $1 AND sequence > $2 AND sequence <= $3
        )
        """
    static let forgetMessagesText = """
        DELETE FROM webhook_message WHERE app_id = $1 AND sequence > $2 AND sequence <= $3 AND NOT EXISTS (
          SELECT 1 FROM webhook_delivery d WHERE d.app_id = $1 AND d.message_id = webhook_message.message_id
        )
        """
}

extension RetentionRule {
    /// How deliveries to webhooks ended.
    package static func webhooks(_ store: WebhookStore) -> RetentionRule {
        RetentionRule(name: "webhook_delivery") { nowMs in try await store.forgetOld(nowMs: nowMs) }
    }
}
