// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// A message on its way to one endpoint, or what became of it.
package struct WebhookDelivery: Hashable, Sendable {
    /// How it ended. The raw value is stored.
    package enum Ending: String, CaseIterable, Sendable {
        case delivered
        /// After the last of its tries.
        case givenUp = "given_up"
        /// The endpoint answered 410.
        case off
    }

    /// `webhook-id`.
    package let id: String
    package let type: String
    package let sequence: Int64
    package let createdAtMs: Int64
    /// Tries that were made.
    package let attempts: Int64
    /// Nil while it waits.
    package let ending: Ending?
    /// Nil once it has ended.
    package let nextTryAtMs: Int64?
    package let lastTryAtMs: Int64?
    /// Of the last answer.
    package let status: Int64?
    /// The beginning of the last answer.
    package let answer: String?
    package let failure: String?
    /// What the endpoint gets, byte for byte.
    package let body: String
}

extension WebhookDelivery {
    init(_ row: Row) throws {
        let dueAtMs = try row.integer("due_at_ms"), body = try row.text("body")
        self.init(
            id: try row.text("message_id"), type: WebhookMessage.type(of: body), sequence: try row.integer("sequence"),
            createdAtMs: try row.integer("created_at_ms"), attempts: try row.integer("attempts"),
            ending: row.optionalText("outcome").flatMap { Ending(rawValue: $0) },
            nextTryAtMs: dueAtMs == WebhookStore.never ? nil : dueAtMs, lastTryAtMs: row.optionalInteger("tried_at_ms"),
            status: row.optionalInteger("status"), answer: row.optionalText("answer"), failure: row.optionalText("failure"), body: body)
    }
}

extension WebhookMessage {
    private struct Typed: Decodable { let type: String }

    /// What a body says that it is; empty for a body that this release cannot read.
    static func type(of body: String) -> String { (try? WireCoding.decode(Typed.self, from: Data(body.utf8)))?.type ?? "" }
}

/// The deliveries of an endpoint: which of them, and again.
extension WebhookStore {
    static let longestPage = 200

    /// The newest first.
    /// - Parameters:
    ///   - before: an id; nil begins with the newest.
    ///   - isUndelivered: only what waits, was given up or was ended by an answer 410.
    func deliveries(at endpoint: String, before: String?, isUndelivered: Bool, most: Int) async throws -> [WebhookDelivery] {
        let values: [SQLValue] = [.text(app.rawValue), .text(endpoint), .text(before ?? "g"), .integer(Int64(most))]
        let text = isUndelivered ? Self.undeliveredText : Self.listText
        return try await database.rows([Statement(text, values)])[0].map { try WebhookDelivery($0) }
    }

    func delivery(_ id: String, at endpoint: String) async throws -> WebhookDelivery? {
        let values: [SQLValue] = [.text(app.rawValue), .text(endpoint), .text(id)]
        return try await database.rows([Statement(Self.oneText, values)])[0].first.map { try WebhookDelivery($0) }
    }

    /// Sends one now. What has ended begins anew, with all its tries.
    /// - Parameter line: who did that.
    /// - Returns: false if there is no such delivery.
    func sendAgain(_ id: String, at endpoint: String, noting line: Statement, nowMs: Int64) async throws -> Bool {
        let statement = Statement(
            Self.againText, [.text(app.rawValue), .text(endpoint), .text(id), .integer(nowMs), .integer(Self.never)])
        return try await database.write(.bulk, locking: [lock]) { connection in
            guard try connection.run(statement) > 0 else { return false }
            try connection.run(line)
            return true
        }
    }

    /// Sends again what has ended, of the messages of a range of time. What is delivered meanwhile is not sent twice: the ids only rise.
    /// - Returns: how many.
    func replay(at endpoint: String, fromMs: Int64, toMs: Int64, noting line: Statement, nowMs: Int64) async throws -> Int {
        var after = UUIDv7.earliest(atMs: fromMs), count = 0
        let end = UUIDv7.earliest(atMs: toMs), key: [SQLValue] = [.text(app.rawValue), .text(endpoint)]
        try await database.write(.bulk, locking: []) { _ = try $0.run(line) }
        while true {
            let values = key + [.text(after), .text(end), .integer(Int64(Self.lot))]
            let found = try await database.rows([Statement(Self.rangeText, values)])[0].map { try $0.text("message_id") }
            guard let last = found.last else { return count }
            let again = found.map { Statement(Self.endedAgainText, key + [.text($0), .integer(nowMs), .integer(Self.never)]) }
            count += try await database.write(.bulk, locking: [lock]) { try $0.batch(again).reduce(0, +) }
            if found.count < Self.lot { return count }
            after = last
        }
    }

    /// A message as an endpoint gets it.
    struct Numbered: Sendable {
        let id: String
        let sequence: Int64
        let body: String
    }

    /// Messages for an endpoint whose numbers are higher, in the order of their numbers.
    func messages(at endpoint: String, after sequence: Int64, most: Int) async throws -> [Numbered] {
        let values: [SQLValue] = [.text(app.rawValue), .text(endpoint), .integer(sequence), .integer(Int64(most))]
        return try await database.rows([Statement(Self.messagesText, values)])[0].map {
            Numbered(id: try $0.text("message_id"), sequence: try $0.integer("sequence"), body: try $0.text("body"))
        }
    }

    /// The highest number that was given; 0 before the first.
    func newestSequence() async throws -> Int64 {
        try await database.rows([Statement(Self.newestText, [.text(app.rawValue)])])[0].first?.integer("sequence") ?? 0
    }

    private static let columns = """
        SELECT d.message_id, d.attempts, d.due_at_ms, d.created_at_ms, d.outcome, d.status, d.answer, d.failure, d.tried_at_ms,
          m.sequence, m.body
        FROM webhook_delivery d JOIN webhook_message m ON m.app_id = d.app_id AND m.message_id = d.message_id
        WHERE d.app_id = $1 AND d.endpoint = $2 AND d.message_id
        """
    static let listText = columns + " < $3 ORDER BY d.message_id DESC LIMIT $4"
    static let undeliveredText =
        columns + " < $3 AND (d.outcome IS NULL OR d.outcome <> 'delivered') ORDER BY d.message_id DESC LIMIT $4"
    static let oneText = columns + " = $3"
    /// A waiting delivery keeps the count of its tries.
    private static let againText = """
        UPDATE webhook_delivery
        SET attempts = CASE WHEN due_at_ms = $5 THEN 0 ELSE attempts END, due_at_ms = $4, outcome = NULL
        WHERE app_id = $1 AND endpoint = $2 AND message_id = $3
        """
    private static let rangeText = """
        SELECT message_id FROM webhook_delivery
        WHERE app_id = $1 AND endpoint = $2 AND message_id > $3 AND message_id < $4 ORDER BY message_id LIMIT $5
        """
    private static let endedAgainText = """
        UPDATE webhook_delivery SET attempts = 0, due_at_ms = $4, outcome = NULL
        WHERE app_id = $1 AND endpoint = $2 AND message_id = $3 AND due_at_ms = $5
        """
    private static let messagesText = """
        SELECT m.message_id, m.sequence, m.body
        FROM webhook_message m JOIN webhook_delivery d ON d.app_id = m.app_id AND d.message_id = m.message_id AND d.endpoint = $2
        WHERE m.app_id = $1 AND m.sequence > $3 ORDER BY m.sequence LIMIT $4
        """
    private static let newestText = "SELECT sequence FROM webhook_sequence WHERE app_id = $1"
}
