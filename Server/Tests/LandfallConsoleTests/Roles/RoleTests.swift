// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Roles and the pages about members", .timeLimit(.minutes(1)))
struct RoleTests {
    @Test("Viewers see no people, support no reports, only owners touch owners")
    func rights() {
        #expect(Right.people.roles == [.owner, .admin, .editor, .support])
        #expect(Right.reports.roles == [.owner, .admin, .editor, .viewer])
        #expect(Right.owners.roles == [.owner])
        #expect(Right.members.roles == [.owner, .admin])
        #expect(Role.allCases.allSatisfy { $0.rights.contains(.account) })
    }

    @Test("Nobody changes themselves, and an admin's list has no form for an owner")
    func forms() {
        let members = [
            MemberEntry(id: "a", name: "Admin", email: "a@example.com", role: .admin, lastSeenMs: nil),
            MemberEntry(id: "o", name: "Owner", email: "o@example.com", role: .owner, lastSeenMs: nil),
            MemberEntry(id: "v", name: "Viewer", email: "v@example.com", role: .viewer, lastSeenMs: nil),
        ]
        let roles = Role.allCases.filter { $0 != .owner }

        let markup = MembersPage(frame: .sample(.admin), members: members, own: "a", roles: roles).html.markup

        #expect(!markup.contains("/members/a/") && !markup.contains("/members/o/") && markup.contains("/members/v/role"))
        #expect(!markup.contains("value=\"owner\""))
    }

    @Test("Every form of a signed-in page carries the proof of its session")
    func proof() {
        let member = MemberEntry(id: "v", name: "Viewer", email: "v@example.com", role: .viewer, lastSeenMs: 1, sessions: 2)
        var members = MembersPage(frame: .sample(), members: [member], own: "a", roles: Role.allCases)
        members.invitations = [.init(email: "o@example.com", role: .viewer, invitedBy: nil, expiresAtMs: 1)]
        #expect(members.html.markup.ranges(of: "method=\"post\"").count >= 5)
        let pages = [
            members.html,
            AccountPage(frame: .sample(), email: "m", sessions: []).html, ConfirmPage(frame: .sample(), next: "/console", email: "m").html,
        ]
        for page in pages {
            #expect(page.markup.ranges(of: "method=\"post\"").count == page.markup.ranges(of: "name=\"csrf\" value=\"proof\"").count)
        }
    }
}
