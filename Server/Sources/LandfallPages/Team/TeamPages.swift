// SPDX-License-Identifier: Apache-2.0

/// A member as the list shows it.
package struct MemberEntry: Hashable, Sendable {
    package let id: String
    package let name: String
    package let email: String
    package let role: Role
    package let lastSeenMs: Int64?
    /// The open ones.
    package let sessions: Int64

    package init(id: String, name: String, email: String, role: Role, lastSeenMs: Int64?, sessions: Int64 = 0) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.lastSeenMs = lastSeenMs
        self.sessions = sessions
    }
}

/// Who may sign in, and the form that invites somebody.
package struct MembersPage {
    package let frame: Frame
    package let members: [MemberEntry]
    /// The member who looks: nobody changes or removes themselves here.
    package let own: String
    /// The roles that this member may give.
    package let roles: [Role]
    /// The invitations that nobody has taken yet.
    package var invitations: [Open] = []
    /// A link that was just made, to be handed over.
    package var invitation: (email: String, address: String)?
    package var email = ""
    package var problems: [FieldProblem] = []

    package struct Open: Hashable, Sendable {
        package let email: String
        package let role: Role
        /// The address of a member. Nil: the operator of the server.
        package let invitedBy: String?
        package let expiresAtMs: Int64

        package init(email: String, role: Role, invitedBy: String?, expiresAtMs: Int64) {
            self.email = email
            self.role = role
            self.invitedBy = invitedBy
            self.expiresAtMs = expiresAtMs
        }
    }

    package init(frame: Frame, members: [MemberEntry], own: String, roles: [Role]) {
        self.frame = frame
        self.members = members
        self.own = own
        self.roles = roles
    }

    private var words: Words { frame.words }

    package var html: HTML {
        frame.page(words.members, .members, note: words.timesNote) {
            if let invitation {
                div(.class("alert good"), Attribute("role", "status")) {
                    p { words.invited(invitation.email) }
                    pre(Attribute("tabindex", "0")) { code { invitation.address } }
                }
            }
            section(.class("block")) {
                scrollingTable(words.members, titles: [words.memberColumn, words.roleColumn, words.lastSeen, words.sessionsColumn, words.actions]) {
                    for member in members { row(member) }
                }
            }
            if !invitations.isEmpty {
                section(.class("block")) {
                    h2 { words.openInvitations }
                    scrollingTable(
                        words.openInvitations, titles: [words.email, words.roleColumn, words.invitedBy, words.until, words.actions]
                    ) { for invitation in invitations { row(invitation) } }
                }
            }
            section(.class("block narrow")) {
                h2 { words.invite }
                problems.summary(words)
                form(Attribute("method", "post"), .action(Place("/console/settings/members/invite"))) {
                    frame.proof
                    Field(name: "email", title: words.email, type: "email", value: email, problems: problems).html
                    fieldset {
                        legend { words.roleColumn }
                        for role in roles {
                            label(.class("choice")) {
                                input(
                                    .type("radio"), .name("role"), .value(role.rawValue), .flag("required"),
                                    .flag("checked", role == .viewer))
                                span { strong { words.role(role) }; span(.class("quiet")) { words.describe(role) } }
                            }
                        }
                    }
                    button(.class("primary")) { words.makeInvitation }
                }
            }
        }
    }

    private func row(_ member: MemberEntry) -> HTML {
        let isOpen = member.id != own && roles.contains(member.role)
        return tr {
            th(Attribute("scope", "row")) { member.name; span(.class("quiet line")) { member.email } }
            td { words.role(member.role) }
            td { member.lastSeenMs.map { words.instant($0) } ?? words.never }
            td { "\(member.sessions)" }
            td {
                if isOpen {
                    details(.class("act")) {
                        summary { words.change }
                        form(Attribute("method", "post"), .action(Place("/console/settings/members", [member.id, "role"]))) {
                            frame.proof
                            label(Attribute("for", "role-" + member.id)) { words.roleColumn }
                            select(.id("role-" + member.id), .name("role")) {
                                for role in roles {
                                    option(.value(role.rawValue), .flag("selected", role == member.role)) { words.role(role) }
                                }
                            }
                            button { words.save }
                        }
                        if member.sessions > 0 {
                            form(Attribute("method", "post"), .action(Place("/console/settings/members", [member.id, "sessions", "end"]))) {
                                frame.proof
                                button { words.endAllSessions }
                            }
                        }
                        form(Attribute("method", "post"), .action(Place("/console/settings/members", [member.id, "remove"]))) {
                            frame.proof
                            button(.class("danger")) { words.remove(member.name) }
                        }
                    }
                } else if member.id == own { span(.class("quiet")) { words.you } }
            }
        }
    }
}

extension MembersPage {
    private func row(_ invitation: Open) -> HTML {
        tr {
            th(Attribute("scope", "row")) { invitation.email }
            td { words.role(invitation.role) }
            td { invitation.invitedBy ?? words.serverOperator }
            td(.class("nowrap")) { words.instant(invitation.expiresAtMs) }
            td {
                if roles.contains(invitation.role) {
                    form(Attribute("method", "post"), .action(Place("/console/settings/members/invitations/cancel"))) {
                        frame.proof
                        input(.type("hidden"), .name("address"), .value(invitation.email))
                        button(.label(words.cancelInvitation(of: invitation.email))) { words.cancelInvitation }
                    }
                }
            }
        }
    }
}
