// SPDX-License-Identifier: Apache-2.0

/// Members, sessions and the audit log.
extension Words {
    var memberColumn: String { translate("Member") }
    var roleColumn: String { translate("Role") }
    var lastSeen: String { translate("Last seen") }
    var actions: String { translate("Actions") }
    var never: String { translate("Never", context: "last seen") }
    var you: String { translate("You") }
    var change: String { translate("Change") }
    var sessionsColumn: String { translate("Sessions") }
    var endAllSessions: String { translate("End all sessions") }
    var openInvitations: String { translate("Open invitations") }
    var invitedBy: String { translate("Invited by") }
    var until: String { translate("Until") }
    var serverOperator: String { translate("Operator of the server") }
    var cancelInvitation: String { translate("Cancel", context: "an invitation") }
    func cancelInvitation(of email: String) -> String { translate("Cancel the invitation of \(email)") }
    func fullTeam(_ most: Int) -> String {
        translate("There are \(most) members already, which is the limit. Remove a member first.")
    }
    func remove(_ name: String) -> String { translate("Remove \(name)") }
    var invite: String { translate("Invite somebody") }
    var makeInvitation: String { translate("Make an invitation link") }
    func invited(_ email: String) -> String {
        translate("Send this link to \(email). It works once, within 24 hours, and is not shown again.")
    }
    var auditNote: String { translate("Every change and sign-in; times in \(clock.zone)") }
    var time: String { translate("Time") }
    var action: String { translate("Action") }
    var subject: String { translate("What") }
    var network: String { translate("Network") }
    var everyAction: String { translate("Every action") }
    var showEntries: String { translate("Show these") }
    var noAuditEntries: String { translate("No entry is like this.") }
    var noAuditEntriesYet: String { translate("The newest entries are not like this. Look at older ones.") }
    func serverKeyNamed(_ name: String) -> String { translate("Key \(name)") }
    func installsForgotten(_ count: String) -> String { translate("Installs: \(count)") }
    var sessions: String { translate("Where you are signed in") }
    var browser: String { translate("Browser") }
    var since: String { translate("Since") }
    var thisSession: String { translate("This session") }
    var endSession: String { translate("End") }
    var changePassword: String { translate("Change the password") }
    var currentPassword: String { translate("Current password") }
    var newPassword: String { translate("New password") }
    var endsOtherSessions: String { translate("This ends all your other sessions.") }
    var passwordSaved: String { translate("The password is changed.") }
    var wrongCurrentPassword: String { translate("This is not your password.") }
    var confirmTitle: String { translate("Confirm that it is you") }
    var confirmText: String {
        translate("This is dangerous or cannot be undone, so it asks for your password again after 15 minutes.")
    }
    var confirm: String { translate("Confirm") }

    /// The stored names of actions are the server's; an unknown one, of a newer release, stays as it is.
    func name(ofAction action: String) -> String {
        switch action {
        case "signed_in": translate("Signed in")
        case "sign_in_failed": translate("Sign-in failed")
        case "signed_out": translate("Signed out")
        case "confirmed": translate("Confirmed their password")
        case "confirm_failed": translate("Gave a wrong password")
        case "owner_created": translate("Created the owner")
        case "joined": translate("Joined")
        case "identity_linked": translate("Linked an identity")
        case "invited": translate("Invited")
        case "role_changed": translate("Changed a role")
        case "member_removed": translate("Removed a member")
        case "password_changed": translate("Changed the password")
        case "session_ended": translate("Ended a session")
        case "sessions_ended": translate("Ended all sessions of a member")
        case "invitation_cancelled": translate("Cancelled an invitation")
        case "link_made": translate("Made a link")
        case "version_published": translate("Published a version")
        case "version_rolled_back": translate("Rolled back to a version")
        case "version_scheduled": translate("Scheduled a version")
        case "version_went_live": translate("Published a scheduled version")
        case "version_failed": translate("Could not publish a scheduled version")
        case "version_cancelled": translate("Cancelled a scheduled version")
        case "link_removed": translate("Removed a link")
        case "link_archived": translate("Archived a link")
        case "link_taken_up": translate("Took up a link again")
        case "link_relabelled": translate("Changed a link's labels")
        case "link_changed": translate("Changed a link")
        case "checklist_hidden": translate("Hid the first steps")
        case "checklist_shown": translate("Showed the first steps again")
        case "person_forgotten": translate("Forgot a person")
        case "access_given": translate("Gave access to a person")
        case "access_taken_back": translate("Took access back")
        case "webhook_sent_again": translate("Sent a webhook's message again")
        case "webhook_replayed": translate("Replayed messages of a webhook")
        case "webhook_tested": translate("Tested a webhook")
        case "webhook_switched_on": translate("Switched a webhook on again")
        default: action
        }
    }
}
