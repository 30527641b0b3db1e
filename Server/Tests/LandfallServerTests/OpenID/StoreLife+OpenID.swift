// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// People of a provider: by a group, by an invitation, with a member's address, with another role, without any group, and too late.
    static func openID(_ store: TestStore) async throws {
        let database = store.database, app = TestStore.app, now = TestStore.noon
        let people = OpenIDMembers(database: database, app: app), members = MemberStore(database: database, app: app)
        let invitations = Invitations(database: database, app: app)
        func rules(_ groups: GroupRules?) -> OpenIDRules {
            OpenIDRules(issuer: "https://login.example.com", clientID: "c", secret: nil, domains: ["example.com"], groups: groups)
        }
        func enter(_ subject: String, _ email: String, _ groups: [String]?) async throws -> OpenIDMembers.Entry {
            let person = OpenIDPerson(
                subject: subject, email: MemberEmail(stored: email), name: "it's", groups: groups, provenAtMs: nil)
            return try await people.enter(person, by: rules(groups == nil ? nil : .sample), network: nil, nowMs: now)
        }
        for groups in [["owners"], ["owners"], ["editors"], []] { _ = try await enter("it's", "lea@example.com", groups) }
        _ = try await enter("none", "ida@example.com", [])
        _ = try await enter("uninvited", "ida@example.com", nil)
        let email = MemberEmail(stored: "ida@example.com")
        let line = AuditLine(action: .invited, member: nil, subject: "it's", network: nil)
        let invitation = Invitation(email: email, role: .viewer, invitedBy: nil, expiresAtMs: now + 1)
        _ = try await invitations.invite(invitation, .drawn(), line, nowMs: now)
        _ = try await enter("ida", email.text, nil)
        _ = try await enter("other", email.text, nil)
        // A member who had a password before.
        _ = try await enter("maya", "maya@example.com", nil)
        if let ida = try await members.member(email: email) { _ = try await members.remove(ida.id, as: ida.role, line, nowMs: now) }
    }
}
