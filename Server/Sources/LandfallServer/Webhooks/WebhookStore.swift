// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Facts on their way to endpoints: first a row of the transaction that they belong to, then a message with its number, and a delivery for
/// each endpoint that wants it. A delivery that has ended stays for a while, see ``WebhookKeeping``.
package struct WebhookStore: Sendable {
    /// What the job makes messages of in one transaction.
    static let lot = 100
    /// The same while no endpoint takes anything.
    static let lotPutOff = 32
    /// The same in characters, about: one row may have the facts of hundreds of events.
    static let lotLength: Int64 = 400_000
    let database: any Database
    let app: AppID

    package init(_ database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    /// Held by every unit that deletes messages or gives numbers: of two units that end the last two deliveries of a message, one sees
    /// that it was the last.
    var lock: RowLock { RowLock("webhook_sequence", ["app_id": .text(app.rawValue)]) }

    // MARK: - From facts to deliveries

    /// A row of a transaction.
    struct Outbox: Sendable {
        let id: String
        let facts: String
        let createdAtMs: Int64
    }

    /// The oldest rows, as many as one transaction takes; at least one, if there is one.
    func waiting(most: Int = Self.lot) async throws -> [Outbox] {
        try await database.read { [app] connection in
            let lengths = try connection.rows(Self.outboxLengthsText, [.text(app.rawValue), .integer(Int64(most))])
                .map { try $0.integer("length") }
            var total: Int64 = 0, count = 0
            while count < lengths.count, total < Self.lotLength { (total, count) = (total + lengths[count], count + 1) }
            guard count > 0 else { return [] }
            return try connection.rows(Self.outboxText, [.text(app.rawValue), .integer(Int64(count))]).map {
                Outbox(id: try $0.text("outbox_id"), facts: try $0.text("facts"), createdAtMs: try $0.integer("created_at_ms"))
            }
        }
    }

    /// How many rows of transactions wait, up to a bound.
    func factCount(upTo most: Int64) async throws -> Int64 {
        try await database.rows([Statement(Self.outboxCountText, [.text(app.rawValue), .integer(most)])])[0].first?.integer("count") ?? 0
    }

    /// Makes messages and deliveries of rows, each once: a row that is gone meanwhile was taken by another node, or its person was erased.
    /// - Parameters:
    ///   - messages: of each row.
    ///   - most: how many of the newest messages may wait.
    ///   - kept: of how many of the newest messages it is kept how they ended.
    /// - Returns: how many deliveries had to make room.
    func add(
        _ messages: [(outbox: String, messages: [WebhookMessage])], most: Int64, kept: Int64 = WebhookKeeping.most, nowMs: Int64
    ) async throws -> Int {
        // Before the transaction: other writes wait behind it.
        let messages = messages.map { (outbox: $0.outbox, messages: $0.messages.map { $0.written() }) }
        return try await database.write(.bulk, locking: [lock]) { [app] connection in
            let removals = messages.map { Statement(Self.takeText, [.text(app.rawValue), .text($0.outbox)]) }
            let taken = zip(messages, try connection.batch(removals)).filter { $0.1 > 0 }.flatMap(\.0.messages)
            guard !taken.isEmpty else { return 0 }
            let count = Int64(taken.count)
            let row = try connection.row(Self.numberText, [.text(app.rawValue), .integer(count)])
            guard let last = try row?.integer("sequence"), let forgotten = try row?.integer("forgotten") else {
                throw DatabaseError.unexpectedValue(column: "sequence")
            }
            try connection.batch(
                taken.enumerated().flatMap { index, message in
                    message.insertions(sequence: last - count + 1 + Int64(index), into: app, nowMs: nowMs)
                })
            // More than was added, so that what is too much by now becomes less.
            let old = last - min(kept, most), removed = count + Int64(Self.lot)
            if old > forgotten { _ = try forgetEnded(upTo: old, most: removed, nowMs: nowMs, connection) }
            guard last > most else { return 0 }
            let past: [SQLValue] = [.text(app.rawValue), .integer(last - most), .integer(removed)]
            let dropped = try connection.run(Self.dropWaitingText, past + [.integer(Self.never)])
            try connection.run(Self.dropDeliveriesText, past)
            try connection.run(Self.dropMessagesText, past)
            if dropped > 0 { try connection.run(Self.countDroppedText, [.text(app.rawValue), .integer(Int64(dropped))]) }
            return dropped
        }
    }

    // MARK: - Deliveries

    /// `due_at_ms` of a delivery that has ended.
    static let never = Int64.max

    struct Due: Sendable {
        let message: String
        /// Both nil if its person was erased meanwhile.
        let sequence: Int64?
        let body: String?
        /// Tries before this one.
        let attempts: Int64
    }

    /// What an endpoint is to get now, the oldest time first.
    func due(at endpoint: String, nowMs: Int64, most: Int) async throws -> [Due] {
        let values: [SQLValue] = [.text(app.rawValue), .text(endpoint), .integer(min(nowMs, Self.never - 1)), .integer(Int64(most))]
        return try await database.rows([Statement(Self.dueText, values)])[0].map {
            Due(
                message: try $0.text("message_id"), sequence: $0.optionalInteger("sequence"), body: $0.optionalText("body"),
                attempts: try $0.integer("attempts"))
        }
    }

    /// What became of one try.
    struct Tried: Sendable {
        let due: Due
        let trial: WebhookTrial
        /// Nil: the try was the last one.
        let retryAtMs: Int64?
        /// Nil while it is tried again.
        let ending: WebhookDelivery.Ending?
    }

    /// What became of tries.
    struct Settlement: Sendable {
        var tried: [Tried] = []
        /// Those whose message was erased meanwhile.
        var gone: [String] = []
        var delivered = 0
        var givenUp = 0
        var failure: String?
    }

    func settle(_ settlement: Settlement, at endpoint: String, nowMs: Int64) async throws {
        let key: [SQLValue] = [.text(app.rawValue), .text(endpoint)]
        var states: [Statement] = []
        if settlement.delivered > 0 {
            states.append(Statement(Self.workedText, key))
        } else if let failure = settlement.failure {
            states.append(Statement(Self.failedText, key + [.integer(nowMs), .text(failure.cut(toBytes: 500))]))
        }
        if settlement.givenUp > 0 { states.append(Statement(Self.givenUpText, key + [.integer(Int64(settlement.givenUp))])) }
        guard !states.isEmpty || !settlement.tried.isEmpty || !settlement.gone.isEmpty else { return }
        try await database.write(.bulk, locking: [lock]) { [states] connection in
            let forgotten = try forgotten(connection)
            let tries = settlement.tried.flatMap { tried -> [Statement] in
                // It waited while those around it were forgotten.
                let isOld = tried.ending != nil && (tried.due.sequence ?? 0) <= forgotten
                return isOld ? removal(of: tried.due.message, at: endpoint) : [note(tried, at: endpoint, nowMs: nowMs)]
            }
            _ = try connection.batch(tries + settlement.gone.flatMap { removal(of: $0, at: endpoint) } + states)
        }
    }

    private func note(_ tried: Tried, at endpoint: String, nowMs: Int64) -> Statement {
        Statement(
            Self.triedText,
            [
                .text(app.rawValue), .text(endpoint), .text(tried.due.message), .integer(tried.due.attempts + 1),
                .integer(tried.retryAtMs ?? Self.never), .text(tried.ending?.rawValue), .integer(tried.trial.status),
                .text(tried.trial.answer), .text(tried.trial.failure?.cut(toBytes: 500)), .integer(nowMs),
            ])
    }

    private func removal(of message: String, at endpoint: String) -> [Statement] {
        [
            Statement(Self.endText, [.text(app.rawValue), .text(endpoint), .text(message)]),
            Statement(Self.lastText, [.text(app.rawValue), .text(message)]),
        ]
    }

    /// Deletes some of what an endpoint has that nobody names any more.
    /// - Returns: false if there is more.
    func forget(at endpoint: String) async throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(endpoint), .integer(Int64(Self.lot))]
        let messages = try await database.rows([Statement(Self.anyText, values)])[0].map { try $0.text("message_id") }
        let statements = messages.flatMap { removal(of: $0, at: endpoint) }
        if !statements.isEmpty { try await database.write(.bulk, locking: [lock]) { _ = try $0.batch(statements) } }
        return messages.count < Self.lot
    }

    /// Ends some of what waits for an endpoint that is off. One that was switched on meanwhile keeps it: somebody may have sent it again.
    /// - Returns: false if there is more.
    func endWaiting(at endpoint: String) async throws -> Bool {
        let waiting = try await due(at: endpoint, nowMs: .max, most: Self.lot)
        guard !waiting.isEmpty else { return true }
        return try await database.write(.bulk, locking: [lock]) { connection in
            guard try connection.row(Self.isOffText, [.text(app.rawValue), .text(endpoint)]) != nil else { return true }
            let forgotten = try forgotten(connection)
            let statements = waiting.flatMap { due -> [Statement] in
                guard let sequence = due.sequence, sequence > forgotten else { return removal(of: due.message, at: endpoint) }
                let values: [SQLValue] = [
                    .text(app.rawValue), .text(endpoint), .text(due.message), .integer(Self.never), .text(WebhookDelivery.Ending.off.rawValue),
                ]
                return [Statement(Self.endOffText, values)]
            }
            _ = try connection.batch(statements)
            return waiting.count < Self.lot
        }
    }
}

extension WebhookStore {
    private static let outboxLengthsText = """
        SELECT LENGTH(facts) AS length FROM webhook_outbox WHERE app_id = $1 ORDER BY outbox_id LIMIT $2
        """
    private static let outboxText = """
        SELECT outbox_id, facts, created_at_ms FROM webhook_outbox WHERE app_id = $1 ORDER BY outbox_id LIMIT $2
        """
    private static let outboxCountText = """
        SELECT COUNT(*) AS count FROM (SELECT 1 FROM webhook_outbox WHERE app_id = $1 LIMIT $2) AS waiting
        """
    private static let takeText = "DELETE FROM webhook_outbox WHERE app_id = $1 AND outbox_id = $2"
    private static let numberText = """
        INSERT INTO webhook_sequence (app_id, sequence, dropped) VALUES ($1, $2, 0)
        ON CONFLICT (app_id) DO UPDATE SET sequence = webhook_sequence.sequence + excluded.sequence
        RETURNING sequence, forgotten
        """
    static let dropWaitingText = """
        DELETE FROM webhook_delivery WHERE app_id = $1 AND due_at_ms < $4 AND message_id IN (
          SELECT message_id FROM webhook_message WHERE app_id = $1 AND sequence <= $2 ORDER BY sequence LIMIT $3
        )
        """
    static let dropDeliveriesText = """
        DELETE FROM webhook_delivery WHERE app_id = $1 AND message_id IN (
          SELECT message_id FROM webhook_message WHERE app_id = $1 AND sequence <= $2 ORDER BY sequence LIMIT $3
        )
        """
    static let dropMessagesText = """
        DELETE FROM webhook_message WHERE app_id = $1 AND message_id IN (
          SELECT message_id FROM webhook_message WHERE app_id = $1 AND sequence <= $2 ORDER BY sequence LIMIT $3
        )
        """
    private static let countDroppedText = "UPDATE webhook_sequence SET dropped = dropped + $2 WHERE app_id = $1"
    static let dueText = """
        SELECT d.message_id, d.attempts, m.sequence, m.body
        FROM webhook_delivery d LEFT JOIN webhook_message m ON m.app_id = d.app_id AND m.message_id = d.message_id
        WHERE d.app_id = $1 AND d.endpoint = $2 AND d.due_at_ms <= $3 ORDER BY d.due_at_ms LIMIT $4
        """
    private static let triedText = """
        UPDATE webhook_delivery
        SET attempts = $4, due_at_ms = $5, outcome = $6, status = $7, answer = $8, failure = $9, tried_at_ms = $10
        WHERE app_id = $1 AND endpoint = $2 AND message_id = $3
        """
    private static let isOffText = """
        SELECT 1 AS found FROM webhook_endpoint WHERE app_id = $1 AND endpoint = $2 AND off_at_ms IS NOT NULL
        """
    private static let endOffText = """
        UPDATE webhook_delivery SET due_at_ms = $4, outcome = $5 WHERE app_id = $1 AND endpoint = $2 AND message_id = $3
        """
    private static let anyText = "SELECT message_id FROM webhook_delivery WHERE app_id = $1 AND endpoint = $2 LIMIT $3"
    private static let endText = "DELETE FROM webhook_delivery WHERE app_id = $1 AND endpoint = $2 AND message_id = $3"
    private static let lastText = """
        DELETE FROM webhook_message WHERE app_id = $1 AND message_id = $2
          AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE app_id = $1 AND message_id = $2)
        """
    private static let workedText = """
        UPDATE webhook_endpoint SET failing_since_ms = NULL, last_failure = NULL
        WHERE app_id = $1 AND endpoint = $2 AND failing_since_ms IS NOT NULL
        """
    private static let failedText = """
        UPDATE webhook_endpoint SET failing_since_ms = COALESCE(failing_since_ms, $3), last_failure = $4
        WHERE app_id = $1 AND endpoint = $2
        """
    private static let givenUpText = "UPDATE webhook_endpoint SET given_up = given_up + $3 WHERE app_id = $1 AND endpoint = $2"
}
