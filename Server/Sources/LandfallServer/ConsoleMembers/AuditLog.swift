// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallPages
import LandfallWire

/// What happened in the console. The raw value is stored, and pages translate it.
enum AuditAction: String, CaseIterable, Sendable {
    case signedIn = "signed_in", signInFailed = "sign_in_failed", signedOut = "signed_out", confirmed, confirmFailed = "confirm_failed"
    case ownerCreated = "owner_created", joined, invited
    case roleChanged = "role_changed", memberRemoved = "member_removed", passwordChanged = "password_changed"
    case sessionEnded = "session_ended", linkMade = "link_made", linkRemoved = "link_removed"
    case linkArchived = "link_archived", linkTakenUp = "link_taken_up", linkRelabelled = "link_relabelled"
    /// The line does not say whom.
    case personForgotten = "person_forgotten"
    case versionPublished = "version_published", versionRolledBack = "version_rolled_back", versionCancelled = "version_cancelled"
    case versionScheduled = "version_scheduled", versionWentLive = "version_went_live", versionFailed = "version_failed"
    case checklistHidden = "checklist_hidden", checklistShown = "checklist_shown"
}

/// One line of the audit log. A change writes its line in its own transaction: there is no change without a line.
struct AuditLine: Sendable {
    /// Kept for 400 days.
    static let keptMs = 400 * Retention.dayMs

    let action: AuditAction
    let member: String?
    let subject: String
    let network: String?

    /// Names links: the first, and how many more.
    static func subject(of links: [StoredLink]) -> String {
        let more = links.count > 1 ? " +\(links.count - 1)" : ""
        return (links.first?.address.cut(toBytes: 480) ?? "") + more
    }

    /// Says of how many installs somebody was forgotten.
    static func subject(ofInstalls count: Int64) -> String { "installs: \(count)" }

    func insertion(into app: AppID, id: String, nowMs: Int64) -> Statement {
        Statement(
            "INSERT INTO audit_entry (app_id, id, at_ms, member, action, subject, network) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                .text(app.rawValue), .text(id), .integer(nowMs), .text(member), .text(action.rawValue),
                .text(subject.cut(toBytes: 500)), .text(network),
            ])
    }
}

extension Caller {
    /// The line about what a server key or the operator of this machine did.
    func line(_ action: AuditAction, _ subject: String) -> AuditLine {
        AuditLine(action: action, member: isOperator ? "operator" : "key \(serverKey ?? "")", subject: subject, network: nil)
    }
}

/// Reads the log, and writes lines about what changes no row.
struct AuditLog: Sendable {
    static let pageLength = 100

    let database: any Database
    let app: AppID

    func add(_ line: AuditLine, nowMs: Int64) async throws {
        try await database.append([line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)])
    }

    /// The newest first.
    /// - Parameter before: the id after which the page begins; nil for the newest.
    func page(before: String?) async throws -> [(id: String, entry: AuditPage.Entry)] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT id, at_ms, member, action, subject, network FROM audit_entry
                WHERE app_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
                """, [.text(app.rawValue), .text(before ?? "g"), .integer(Int64(Self.pageLength))]
            ).map { row in
                (
                    try row.text("id"),
                    AuditPage.Entry(
                        atMs: try row.integer("at_ms"), member: row.optionalText("member"), action: try row.text("action"),
                        subject: try row.text("subject"), network: row.optionalText("network"))
                )
            }
        }
    }
}
