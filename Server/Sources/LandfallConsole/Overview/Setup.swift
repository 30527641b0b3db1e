// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// What the store has seen of a new server's first steps: a look for one row each, among the newest ones.
struct Setup: Sendable {
    let database: any Database
    let app: AppID
    /// Most clicks may be machines', and most installs have no source but their own search, so a look for another one must end.
    var most: Int64 = 10_000

    /// - Parameter isKeyUsed: on this node; the store learns of it within a minute.
    func checklist(isKeyUsed: Bool = false) async throws -> Checklist {
        let looks: [(Checklist.Step, String, [SQLValue])] = [
            (.keyUsed, "SELECT 1 AS found FROM key_use WHERE app_id = $1 LIMIT 1", []),
            (.firstOpen, "SELECT 1 AS found FROM install WHERE app_id = $1 LIMIT 1", []),
            (
                .linkTapped,
                """
                SELECT 1 AS found FROM (SELECT kind FROM click WHERE app_id = $1 ORDER BY click_id DESC LIMIT $2) c
                WHERE c.kind = 'person' LIMIT 1
                """, [.integer(most)]
            ),
            (
                .attributed,
                """
                SELECT 1 AS found FROM (
                  SELECT install_id FROM install WHERE app_id = $1 ORDER BY created_at_ms DESC, install_id DESC LIMIT $2
                ) i
                JOIN attribution_fact f ON f.app_id = $1 AND f.install_id = i.install_id AND f.status = 'non_organic'
                LIMIT 1
                """, [.integer(most)]
            ),
            (
                .paywallShown,
                "SELECT 1 AS found FROM event WHERE app_id = $1 AND type = 'paywall_shown' AND occurred_at_ms > $2 LIMIT 1", [.integer(0)]
            ),
        ]
        return try await database.read { [app] connection in
            var done = Set(try looks.filter { try connection.row($0.1, [.text(app.rawValue)] + $0.2) != nil }.map(\.0))
            // No first open comes without a key, also where an earlier release did not write uses down.
            if isKeyUsed || done.contains(.firstOpen) { done.insert(.keyUsed) }
            return Checklist(done: done, isHidden: try HiddenSetup.isHidden(connection, app))
        }
    }
}

/// A team that needs no list of first steps hides it, for all its members; it can be shown again.
struct HiddenSetup: Sendable {
    private static let name = SQLValue.text("checklist_hidden")

    let database: any Database
    let app: AppID

    static func isHidden(_ connection: any ReadConnection, _ app: AppID) throws -> Bool {
        try connection.row("SELECT 1 AS found FROM console_choice WHERE app_id = $1 AND name = $2", [.text(app.rawValue), name]) != nil
    }

    func hide(_ line: AuditLine, nowMs: Int64) async throws {
        try await change(
            Statement(
                "INSERT INTO console_choice (app_id, name, chosen_at_ms) VALUES ($1, $2, $3) ON CONFLICT (app_id, name) DO NOTHING",
                [.text(app.rawValue), Self.name, .integer(nowMs)]), line, nowMs)
    }

    func show(_ line: AuditLine, nowMs: Int64) async throws {
        try await change(
            Statement("DELETE FROM console_choice WHERE app_id = $1 AND name = $2", [.text(app.rawValue), Self.name]), line, nowMs)
    }

    private func change(_ statement: Statement, _ line: AuditLine, _ nowMs: Int64) async throws {
        try await database.append([statement, line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)])
    }

    /// `POST /console/checklist`: hides the list, or shows it again.
    @Sendable func choose(_ call: ConsoleCall) async throws -> Response {
        switch call.field("list") {
        case "hidden": try await hide(call.line(.checklistHidden, ""), nowMs: call.nowMs)
        case "shown": try await show(call.line(.checklistShown, ""), nowMs: call.nowMs)
        default: throw RequestError.invalid("list", "'hidden' or 'shown'.")
        }
        return ConsoleAnswer.see(Place("/console"))
    }
}
