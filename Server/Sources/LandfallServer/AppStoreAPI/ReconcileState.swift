// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
package import LandfallRules
package import LandfallStore
import LandfallWire

/// How far the App Store was asked, as the store keeps it. It only goes forward when everything before it is in facts.
struct ReconcileState: Hashable, Codable, Sendable {
    /// Notifications that Apple could not deliver, of one environment.
    struct Heard: Hashable, Codable, Sendable {
        /// All until then are here, in Unix milliseconds.
        var untilMs: Int64?
        /// What is being asked; nil between two rounds.
        var window: Window?
        /// When this environment answered 401, in Unix milliseconds; nil since it took the key.
        var refusedAtMs: Int64?
    }

    struct Window: Hashable, Codable, Sendable {
        let fromMs, untilMs: Int64
        /// Where Apple goes on; nil at the beginning.
        var page: String?
    }

    /// The history of each subscription that may go on, after an outage: those up to this one were asked.
    struct Walk: Hashable, Codable, Sendable {
        var dueMs: Int64
        var chain: String
    }

    var production = Heard()
    var sandbox = Heard()
    var walk: Walk?
    /// When everything was asked and is in facts.
    var succeededAtMs: Int64?
    /// The key that Apple refused in each environment: it is not used again within a day.
    var refusedKey: String?
    /// In Unix milliseconds.
    var refusedAtMs: Int64?
    /// Why the last run did not succeed, for people.
    var problem: String?
    /// When Apple was found to have a notification that it could not post here, in Unix milliseconds.
    var missedAtMs: Int64?
    /// The same of the first one since a notification came by itself.
    var silentSinceMs: Int64?

    /// Whether Apple refused this key within the last day. Later it may have been repaired there.
    func isRefused(_ fingerprint: String, nowMs: Int64) -> Bool {
        guard refusedKey == fingerprint, let refusedAtMs else { return false }
        return refusedAtMs <= nowMs && nowMs < refusedAtMs + Retention.dayMs
    }

    mutating func refuse(_ fingerprint: String?, atMs: Int64) {
        (refusedKey, refusedAtMs) = (fingerprint, atMs)
        (production.refusedAtMs, sandbox.refusedAtMs) = (nil, nil)
    }

    subscript(environment: AppStoreEnvironment) -> Heard {
        get { environment == .production ? production : sandbox }
        set { if environment == .production { production = newValue } else { sandbox = newValue } }
    }
}

/// Texts about an app that the App Store's API makes necessary, one row for each subject.
package struct AppStoreProgress: Sendable {
    enum Subject: String { case reconcile, test }

    private static let text = "SELECT state FROM app_store_progress WHERE app_id = $1 AND subject = $2"

    let database: any Database
    let app: AppID

    package init(_ database: any Database, of app: AppID) { (self.database, self.app) = (database, app) }

    func state<State: Decodable & Sendable>(_ subject: Subject, as type: State.Type = State.self) async throws -> State? {
        let values: [SQLValue] = [.text(app.rawValue), .text(subject.rawValue)]
        return try await database.read { connection in
            try connection.row(Self.text, values).flatMap { try Self.decoded(type, try $0.text("state")) }
        }
    }

    /// A text that another release has written counts as none.
    private static func decoded<State: Decodable>(_ type: State.Type, _ text: String) throws -> State? {
        try? WireCoding.decode(type, from: Data(text.utf8))
    }

    func writing(_ state: some Encodable, _ subject: Subject) throws -> Statement {
        Statement(
            """
            INSERT INTO app_store_progress (app_id, subject, state) VALUES ($1, $2, $3)
            ON CONFLICT (app_id, subject) DO UPDATE SET state = excluded.state
            """,
            [.text(app.rawValue), .text(subject.rawValue), .text(String(decoding: try WireCoding.encode(state), as: UTF8.self))])
    }

    func write(_ state: some Encodable, _ subject: Subject) async throws {
        let statement = try writing(state, subject)
        try await database.write(.bulk, locking: []) { _ = try $0.run(statement) }
    }

    private static let newerText = """
        SELECT 1 AS found FROM app_store_notification
        WHERE app_id = $1 AND expires_at_ms > $2 AND received_at_ms > $3 AND received_at_ms < $4 LIMIT 1
        """

    /// Whether a notification came between these moments.
    func hasNotification(after afterMs: Int64, before beforeMs: Int64) async throws -> Bool {
        // A row is kept for at least so long since it came, so the index of what expires leaves out all that came before.
        let values: [SQLValue] = [.text(app.rawValue), .integer(afterMs + NotificationName.keptMs), .integer(afterMs), .integer(beforeMs)]
        return try await database.read { try $0.row(Self.newerText, values) != nil }
    }
}
