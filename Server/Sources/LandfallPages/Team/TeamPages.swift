// SPDX-License-Identifier: Apache-2.0

/// A member as the list shows it.
package struct MemberEntry: Hashable, Sendable {
    package let id: String
    package let name: String
    package let email: String
    package let role: Role
    package let lastSeenMs: Int64?

    package init(id: String, name: String, email: String, role: Role, lastSeenMs: Int64?) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.lastSeenMs = lastSeenMs
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
    /// A link that was just made, to be handed over.
    package var invitation: (email: String, address: String)?
    package var email = ""
    package var problems: [FieldProblem] = []

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
                scrollingTable(words.members, titles: [words.memberColumn, words.roleColumn, words.lastSeen, words.actions]) {
                    for member in members { row(member) }
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

/// Every change and every sign-in, the newest first.
package struct AuditPage {
    package struct Entry: Hashable, Sendable {
        package let atMs: Int64
        /// Nil: nobody was signed in.
        package let member: String?
        package let action: String
        package let subject: String
        package let network: String?

        package init(atMs: Int64, member: String?, action: String, subject: String, network: String?) {
            self.atMs = atMs
            self.member = member
            self.action = action
            self.subject = subject
            self.network = network
        }
    }

    package let frame: Frame
    package let entries: [Entry]
    /// Where the next page begins; nil on the last one.
    package let before: String?

    package init(frame: Frame, entries: [Entry], before: String?) {
        self.frame = frame
        self.entries = entries
        self.before = before
    }

    package var html: HTML {
        let words = frame.words
        return frame.page(words.auditLog, .audit, note: words.auditNote) {
            section(.class("block")) {
                scrollingTable(words.auditLog, titles: [words.time, words.memberColumn, words.action, words.subject, words.network]) {
                    for entry in entries {
                        tr {
                            td(.class("nowrap")) { words.instant(entry.atMs) }
                            td { entry.member ?? "–" }
                            td { words.name(ofAction: entry.action) }
                            td { entry.subject }
                            td { entry.network ?? "–" }
                        }
                    }
                }
                if let before {
                    p { a(.class("button"), .href(Place("/console/settings/audit", query: [("before", before)]))) { words.older } }
                }
            }
        }
    }
}
