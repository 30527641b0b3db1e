// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// What the store knows of an endpoint besides what waits for it.
package struct WebhookEndpointState: Hashable, Sendable {
    package let key: String
    /// When it answered 410; nil while it is on.
    package let offAtMs: Int64?
    package let failingSinceMs: Int64?
    package let lastFailure: String?
    /// Deliveries that failed for three days.
    package let givenUp: Int64
}

extension WebhookEndpointState {
    /// One that the job has not seen yet.
    init(new key: String) { self.init(key: key, offAtMs: nil, failingSinceMs: nil, lastFailure: nil, givenUp: 0) }
}

extension WebhookStore {
    package func endpoints() async throws -> [WebhookEndpointState] {
        try await database.rows([Statement(Self.endpointsText, [.text(app.rawValue)])])[0].map { row in
            WebhookEndpointState(
                key: try row.text("endpoint"), offAtMs: row.optionalInteger("off_at_ms"),
                failingSinceMs: row.optionalInteger("failing_since_ms"), lastFailure: row.optionalText("last_failure"),
                givenUp: try row.integer("given_up"))
        }
    }

    /// Remembers endpoints that are new, and forgets those that the configuration names no more: one that comes back is on again.
    /// - Parameter forgettingOthers: false if a newer configuration may name them.
    /// - Returns: the states of those that the configuration names.
    func follow(_ endpoints: [WebhookEndpoint], forgettingOthers: Bool = true) async throws -> [WebhookEndpointState] {
        let known = try await self.endpoints()
        let named = Set(endpoints.map(\.key)), keys = Set(known.map(\.key))
        for old in keys.subtracting(named).sorted() where forgettingOthers {
            while try await !forget(at: old) {}
            try await database.write(.bulk, locking: []) { [app] connection in
                _ = try connection.run("DELETE FROM webhook_endpoint WHERE app_id = $1 AND endpoint = $2", [.text(app.rawValue), .text(old)])
            }
        }
        let new = named.subtracting(keys).sorted()
        if !new.isEmpty {
            try await database.write(.bulk, locking: []) { [app] connection in
                for key in new { try connection.run(Self.newText, [.text(app.rawValue), .text(key)]) }
            }
        }
        return known.filter { named.contains($0.key) }
            + new.map { WebhookEndpointState(new: $0) }
    }

    /// What it is told from now on arrives again.
    /// - Parameter line: who did that.
    /// - Returns: false if it was on already.
    func switchOn(_ endpoint: String, noting line: Statement) async throws -> Bool {
        let statement = Statement(Self.onText, [.text(app.rawValue), .text(endpoint)])
        return try await database.write(.bulk, locking: []) { connection in
            guard try connection.run(statement) > 0 else { return false }
            try connection.run(line)
            return true
        }
    }

    /// - Returns: false if it was off already.
    func switchOff(_ endpoint: String, nowMs: Int64) async throws -> Bool {
        let statement = Statement(Self.offText, [.text(app.rawValue), .text(endpoint), .integer(nowMs)])
        return try await database.write(.bulk, locking: []) { try $0.run(statement) > 0 }
    }

    /// How much waits for an endpoint, up to a bound, and since when the oldest message of it waits. While the endpoint fails, facts
    /// that may become messages for it are counted too.
    package struct Waiting: Hashable, Sendable {
        package let count: Int64
        package let oldestMs: Int64?
    }

    /// - Returns: of each of these endpoints in order, and how many messages had to make room.
    func waiting(at endpoints: [String]) async throws -> (waiting: [Waiting], dropped: Int64) {
        let bounds: [SQLValue] = [.integer(Self.never), .integer(Self.mostCounted)]
        let questions = endpoints.flatMap { endpoint -> [Statement] in
            let key: [SQLValue] = [.text(app.rawValue), .text(endpoint)]
            return [Statement(Self.waitingText, key + bounds), Statement(Self.putOffText, key + [.integer(Self.mostCounted)])]
        }
        let answers = try await database.rows(questions + [Statement(Self.droppedText, [.text(app.rawValue)])])
        let waiting = try stride(from: 0, to: answers.count - 1, by: 2).map { place in
            let count = try answers[place].first?.integer("count") ?? 0, putOff = try answers[place + 1].first?.integer("count") ?? 0
            return Waiting(count: min(count + putOff, Self.mostCounted), oldestMs: answers[place].first?.optionalInteger("oldest_ms"))
        }
        return (waiting, try answers.last?.first?.integer("dropped") ?? 0)
    }

    /// Of all endpoints together: how many deliveries wait, up to a bound, since when the oldest waits, and how many had to make room.
    package func counts() async throws -> (waiting: Int64, oldestMs: Int64?, dropped: Int64) {
        let (each, dropped) = try await waiting(at: try await endpoints().map(\.key))
        return (each.reduce(0) { $0 + $1.count }, each.compactMap(\.oldestMs).min(), dropped)
    }

    private static let mostCounted: Int64 = 100_000
    private static let endpointsText = """
        SELECT endpoint, off_at_ms, failing_since_ms, last_failure, given_up FROM webhook_endpoint WHERE app_id = $1
        """
    private static let newText = """
        INSERT INTO webhook_endpoint (app_id, endpoint, given_up) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING
        """
    private static let onText = """
        UPDATE webhook_endpoint SET off_at_ms = NULL, failing_since_ms = NULL, last_failure = NULL
        WHERE app_id = $1 AND endpoint = $2 AND off_at_ms IS NOT NULL
        """
    private static let offText = """
        UPDATE webhook_endpoint SET off_at_ms = $3 WHERE app_id = $1 AND endpoint = $2 AND off_at_ms IS NULL
        """
    private static let waitingText = """
        SELECT COUNT(*) AS count, MIN(created_at_ms) AS oldest_ms FROM (
          SELECT created_at_ms FROM webhook_delivery WHERE app_id = $1 AND endpoint = $2 AND due_at_ms < $3 LIMIT $4
        ) AS waiting
        """
    private static let putOffText = """
        SELECT COUNT(*) AS count FROM (
          SELECT 1 FROM webhook_outbox WHERE app_id = $1 AND EXISTS (
            SELECT 1 FROM webhook_endpoint WHERE app_id = $1 AND endpoint = $2 AND failing_since_ms IS NOT NULL AND off_at_ms IS NULL
          ) LIMIT $3
        ) AS put_off
        """
    private static let droppedText = "SELECT dropped FROM webhook_sequence WHERE app_id = $1"
}
