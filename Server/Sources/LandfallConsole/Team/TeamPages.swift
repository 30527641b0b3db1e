// SPDX-License-Identifier: Apache-2.0

/// A member as the list shows it.
struct MemberEntry: Hashable, Sendable {
    let id: String
    let name: String
    let email: String
    let role: Role
    let lastSeenMs: Int64?
    /// The open ones.
    let sessions: Int64

    init(id: String, name: String, email: String, role: Role, lastSeenMs: Int64?, sessions: Int64 = 0) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.lastSeenMs = lastSeenMs
        self.sessions = sessions
    }
}

/// Who may sign in, and the form that invites somebody.
struct MembersPage {
    let frame: Frame
    let members: [MemberEntry]
    /// The member who looks: nobody changes or removes themselves here.
    let own: String
    /// The roles that this member may give.
    let roles: [Role]
    /// The invitations that nobody has taken yet.
    var invitations: [Open] = []
    /// A link that was just made, to be handed over.
    var invitation: (email: String, address: String)?
    var email = ""
    var problems: [FieldProblem] = []

    struct Open: Hashable, Sendable {
        let email: String
        let role: Role
        /// The address of a member. Nil: the operator of the server.
        let invitedBy: String?
        let expiresAtMs: Int64
    }

    private var words: Words { frame.words }

    var html: HTML {
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
