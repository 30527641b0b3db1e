// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// What happened in the console. The raw value is stored, and pages translate it.
package enum AuditAction: String, CaseIterable, Sendable {
    case signedIn = "signed_in", signInFailed = "sign_in_failed", signedOut = "signed_out", confirmed, confirmFailed = "confirm_failed"
    case ownerCreated = "owner_created", joined, invited, identityLinked = "identity_linked"
    case roleChanged = "role_changed", memberRemoved = "member_removed", passwordChanged = "password_changed"
    case sessionEnded = "session_ended", sessionsEnded = "sessions_ended", invitationCancelled = "invitation_cancelled"
    case linkMade = "link_made", linkRemoved = "link_removed"
    case linkArchived = "link_archived", linkTakenUp = "link_taken_up", linkRelabelled = "link_relabelled"
    case linkChanged = "link_changed"
    /// The line does not say who was erased.
    case personForgotten = "person_forgotten"
    case accessGiven = "access_given", accessTakenBack = "access_taken_back"
    case versionPublished = "version_published", versionRolledBack = "version_rolled_back", versionCancelled = "version_cancelled"
    case versionScheduled = "version_scheduled", versionWentLive = "version_went_live", versionFailed = "version_failed"
    case webhookSentAgain = "webhook_sent_again", webhookReplayed = "webhook_replayed", webhookTested = "webhook_tested"
    case webhookSwitchedOn = "webhook_switched_on"
    case checklistHidden = "checklist_hidden", checklistShown = "checklist_shown"
}

/// One line of the audit log. A change writes its line in its own transaction: there is no change without a line.
package struct AuditLine: Sendable {
    /// Kept for 400 days.
    static let keptMs = 400 * Retention.dayMs

    package let action: AuditAction
    package let member: String?
    package let subject: String
    package let network: String?

    package init(action: AuditAction, member: String?, subject: String, network: String?) {
        (self.action, self.member, self.subject, self.network) = (action, member, subject, network)
    }

    /// Names links: the first, and how many more.
    package static func subject(of links: [StoredLink]) -> String {
        let more = links.count > 1 ? " +\(links.count - 1)" : ""
        return (links.first?.address.cut(toBytes: 480) ?? "") + more
    }

    /// Says how many installs an erased person had.
    package static func subject(ofInstalls count: Int64) -> String { "installs: \(count)" }

    package func insertion(into app: AppID, id: String, nowMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO audit_entry (app_id, id, at_ms, member, action, subject, network) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id), .integer(nowMs), .text(member), .text(action.rawValue),
                .text(subject.cut(toBytes: 500)), .text(network),
            ])
    }
}

extension Caller {
    /// The line about what a server key or the operator of this machine did.
    func line(_ action: AuditAction, _ subject: String) -> AuditLine {
        AuditLine(action: action, member: auditName, subject: subject, network: nil)
    }

    /// Who they are in the words of the audit log.
    var auditName: String { isOperator ? "operator" : "key \(serverKey ?? "")" }
}

extension AuditLine {
    /// The line about a version, whose number is known when it is stored. Its id is drawn now: an engine may repeat the unit.
    package func insertion(into app: AppID, nowMs: Int64) -> @Sendable (_ version: Int64) -> [Statement] {
        let id = UUIDv7.make(nowMs: nowMs)
        return { version in
            let subject = subject.isEmpty ? "\(version)" : "\(version): \(subject)"
            return [
                AuditLine(action: action, member: member, subject: subject, network: network).insertion(into: app, id: id, nowMs: nowMs)
            ]
        }
    }
}
