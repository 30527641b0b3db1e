// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallPages
import LandfallWire

/// What happened in the console. The raw value is stored, and pages translate it.
enum AuditAction: String, CaseIterable, Sendable {
    case signedIn = "signed_in", signInFailed = "sign_in_failed", signedOut = "signed_out", confirmed, confirmFailed = "confirm_failed"
    case ownerCreated = "owner_created", joined, invited
    case roleChanged = "role_changed", memberRemoved = "member_removed", passwordChanged = "password_changed"
    case sessionEnded = "session_ended", sessionsEnded = "sessions_ended", invitationCancelled = "invitation_cancelled"
    case linkMade = "link_made", linkRemoved = "link_removed"
    case linkArchived = "link_archived", linkTakenUp = "link_taken_up", linkRelabelled = "link_relabelled"
    case linkChanged = "link_changed"
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
    /// Of a file's page.
    static let longestPage = 1_000
    /// How many lines a filter looks at for one page, and how many of them at once.
    static let mostLooked = 10_000, lookLength = 1_000

    let database: any Database
    let app: AppID

    func add(_ line: AuditLine, nowMs: Int64) async throws {
        try await database.append([line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)])
    }

    /// A line as it is stored.
    struct Stored: Sendable {
        let id: String
        let entry: AuditPage.Entry
    }

    struct Page: Sendable {
        let lines: [Stored]
        /// The id after which the next page begins; nil on the last one.
        let next: String?
    }

    /// Every line, the newest first.
    func page(before: String?) async throws -> [Stored] { try await page(AuditPage.Filter(), before: before).lines }

    /// The lines that the filter names, the newest first. Looks at a bounded number of lines: a page may have few lines, or none, and
    /// still be followed by another one.
    /// - Parameter before: the id after which the page begins; nil for the newest.
    func page(_ filter: AuditPage.Filter, before: String?, most: Int = pageLength) async throws -> Page {
        let isWhole = filter == AuditPage.Filter()
        var found: [Stored] = [], before = before, looked = 0
        while looked < Self.mostLooked {
            let limit = isWhole ? most : Self.lookLength
            let lines = try await lines(before: before, limit: limit)
            for line in lines where filter.names(line.entry) {
                found.append(line)
                if found.count == most { return Page(lines: found, next: line.id) }
            }
            guard lines.count == limit else { return Page(lines: found, next: nil) }
            looked += lines.count
            before = lines.last?.id
        }
        return Page(lines: found, next: before)
    }

    private func lines(before: String?, limit: Int) async throws -> [Stored] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT id, at_ms, member, action, subject, network FROM audit_entry
                WHERE app_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
                """, [.text(app.rawValue), .text(before ?? "g"), .integer(Int64(limit))]
            ).map { row in
                Stored(
                    id: try row.text("id"),
                    entry: AuditPage.Entry(
                        atMs: try row.integer("at_ms"), member: row.optionalText("member"), action: try row.text("action"),
                        subject: try row.text("subject"), network: row.optionalText("network")))
            }
        }
    }
}

extension AuditPage.Filter {
    fileprivate func names(_ entry: AuditPage.Entry) -> Bool {
        (member.isEmpty || entry.member.map { $0.hasSameBytes(as: member) || $0.hasSameBytes(as: member.lowercased()) } ?? false)
            && (action.isEmpty || entry.action.hasSameBytes(as: action))
    }
}
