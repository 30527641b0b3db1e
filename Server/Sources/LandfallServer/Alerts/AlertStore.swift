// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Alerts and what people have to be told of them, on disk: a restart tells nothing twice.
package struct AlertStore: Sendable {
    /// A hundred hosts that fail at once, to each destination.
    static let mostMessages: Int64 = 1_000

    let database: any Database
    let app: AppID

    package init(_ database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    /// Those that fire, the oldest first.
    package func firing() async throws -> [AlertState] {
        try await states().filter(\.isFiring).sorted { ($0.sinceMs, $0.key.rule.rawValue, $0.key.subject) < ($1.sinceMs, $1.key.rule.rawValue, $1.key.subject) }
    }

    /// A row of a rule that this release does not know is left alone.
    func states() async throws -> [AlertState] {
        try await database.rows([Statement(Self.statesText, [.text(app.rawValue)])])[0].compactMap { row in
            guard let rule = AlertRule(rawValue: try row.text("rule")) else { return nil }
            return AlertState(
                key: AlertKey(rule, try row.text("subject")), sinceMs: try row.integer("since_ms"),
                quietSinceMs: row.optionalInteger("quiet_since_ms"), firedAtMs: row.optionalInteger("fired_at_ms"),
                value: row.optionalInteger("value"), limit: row.optionalInteger("limit_value"), detail: try row.text("detail"))
        }
    }

    /// One transaction: either an alert has fired and people will be told, or neither.
    /// - Parameter destinations: names of those that are told.
    func move(from before: AlertStates, to after: AlertStates, telling news: [AlertNews], to destinations: [String], nowMs: Int64) async throws {
        var statements = before.states.keys.filter { after.states[$0] == nil }.map { key in
            Statement(Self.endText, [.text(app.rawValue), .text(key.rule.rawValue), .text(key.subject)])
        }
        statements += after.states.values.filter { before.states[$0.key] != $0 }.map(statement)
        statements += try news.flatMap { news in
            let text = String(decoding: try WireCoding.encode(news), as: UTF8.self)
            return destinations.map { destination in
                Statement(
                    Self.newText,
                    [.text(app.rawValue), .text(Self.id(of: news)), .text(destination), .text(text), .integer(nowMs)])
            }
        }
        guard !statements.isEmpty else { return }
        if !news.isEmpty { statements.append(Statement(Self.boundText, [.text(app.rawValue), .integer(Self.mostMessages)])) }
        try await database.write(.bulk, locking: []) { [statements] in _ = try $0.batch(statements) }
    }

    private func statement(_ state: AlertState) -> Statement {
        Statement(
            Self.stateText,
            [
                .text(app.rawValue), .text(state.key.rule.rawValue), .text(state.key.subject), .integer(state.sinceMs),
                .integer(state.quietSinceMs), .integer(state.firedAtMs), .integer(state.value), .integer(state.limit), .text(state.detail),
            ])
    }

    /// Follows from what it says, so that news that comes twice is one message.
    /// - Parameter kind: of other news about the same; nil: of this.
    static func id(of news: AlertNews, _ kind: AlertNews.Kind? = nil) -> String {
        let text = [news.key.rule.rawValue, news.key.subject, "\(news.sinceMs)", (kind ?? news.kind).rawValue].joined(separator: "\n")
        return "alert-" + SHA256.hash(data: Data(text.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: - Messages

    struct Due: Sendable {
        let message: String
        let destination: String
        /// Nil for a text that another release has written.
        let news: AlertNews?
        let attempts: Int64
    }

    /// The oldest first. What waits longer than any wait was put back before the clock went back, so it is due.
    /// - Parameter most: for each destination: one that takes nothing is in no other's way.
    func due(nowMs: Int64, most: Int) async throws -> [Due] {
        let names = try await database.rows([Statement(Self.namesText, [.text(app.rawValue)])])[0].map { try $0.text("destination") }
        let longestMs = AlertWork.waitsMs.max() ?? 0, latestMs = min(nowMs, .max - longestMs) + longestMs
        let statements = names.map { name in
            Statement(Self.dueText, [.text(app.rawValue), .integer(nowMs), .integer(Int64(most)), .text(name), .integer(latestMs)])
        }
        return try await database.rows(statements).joined().map { row in
            Due(
                message: try row.text("message_id"), destination: try row.text("destination"),
                news: try? WireCoding.decode(AlertNews.self, from: Data(try row.text("news").utf8)), attempts: try row.integer("attempts"))
        }
    }

    /// A destination that knows that something is over is not told any more that it began: the news would be in the wrong order.
    /// - Parameter dueAtMs: when it is tried again; nil: it is done or given up.
    func settle(_ due: Due, dueAtMs: Int64?) async throws {
        let key: [SQLValue] = [.text(app.rawValue), .text(due.message), .text(due.destination)]
        let begun = due.news.flatMap { $0.kind == .resolved ? Self.id(of: $0, .fired) : nil } ?? due.message
        let statement = dueAtMs.map { Statement(Self.retryText, key + [.integer(due.attempts + 1), .integer($0)]) }
            ?? Statement(Self.doneText, key + [.text(begun)])
        try await database.write(.bulk, locking: []) { _ = try $0.run(statement) }
    }
}

extension AlertStore {
    private static let statesText = """
        SELECT rule, subject, since_ms, quiet_since_ms, fired_at_ms, value, limit_value, detail FROM alert_state WHERE app_id = $1
        """
    private static let stateText = """
        INSERT INTO alert_state (app_id, rule, subject, since_ms, quiet_since_ms, fired_at_ms, value, limit_value, detail)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (app_id, rule, subject) DO UPDATE SET
          since_ms = excluded.since_ms, quiet_since_ms = excluded.quiet_since_ms, fired_at_ms = excluded.fired_at_ms,
          value = excluded.value, limit_value = excluded.limit_value, detail = excluded.detail
        """
    private static let endText = "DELETE FROM alert_state WHERE app_id = $1 AND rule = $2 AND subject = $3"
    private static let newText = """
        INSERT INTO alert_message (app_id, message_id, destination, news, attempts, due_at_ms, created_at_ms)
        VALUES ($1, $2, $3, $4, 0, $5, $5) ON CONFLICT DO NOTHING
        """
    /// The newest stay.
    private static let boundText = """
        DELETE FROM alert_message WHERE app_id = $1 AND created_at_ms < (
          SELECT MIN(created_at_ms) FROM (
            SELECT created_at_ms FROM alert_message WHERE app_id = $1 ORDER BY created_at_ms DESC LIMIT $2
          ) AS newest
        )
        """
    private static let namesText = "SELECT DISTINCT destination FROM alert_message WHERE app_id = $1 ORDER BY destination"
    private static let dueText = """
        SELECT message_id, destination, news, attempts FROM alert_message
        WHERE app_id = $1 AND destination = $4 AND (due_at_ms <= $2 OR due_at_ms > $5) ORDER BY created_at_ms, message_id LIMIT $3
        """
    private static let retryText = """
        UPDATE alert_message SET attempts = $4, due_at_ms = $5 WHERE app_id = $1 AND message_id = $2 AND destination = $3
        """
    private static let doneText = "DELETE FROM alert_message WHERE app_id = $1 AND message_id IN ($2, $4) AND destination = $3"
}
