// SPDX-License-Identifier: Apache-2.0

/// A member's own page: the password, and where they are signed in.
struct AccountPage {
    struct Session: Hashable, Sendable {
        let id: String
        let isThis: Bool
        let agent: String
        let network: String?
        let createdAtMs: Int64
        let lastSeenMs: Int64
    }

    let frame: Frame
    let email: String
    let sessions: [Session]
    var problems: [FieldProblem] = []
    var isSaved = false
    /// False for a member who signs in by the provider only.
    var hasPassword = true

    var html: HTML {
        let words = frame.words
        return frame.page(words.account, .account, note: email + " · " + words.timesNote) {
            if isSaved { div(.class("alert good"), Attribute("role", "status")) { p { words.passwordSaved } } }
            section(.class("block")) {
                h2 { words.sessions }
                scrollingTable(words.sessions, titles: [words.browser, words.network, words.since, words.lastSeen, words.actions]) {
                    for session in sessions { row(session) }
                }
            }
            if hasPassword { passwordForm }
            section(.class("block narrow")) {
                h2 { words.shortcuts }
                frame.shortcutsList
                form(Attribute("method", "post"), .action(Place("/console/account/shortcuts"))) {
                    frame.proof
                    input(.type("hidden"), .name("shortcuts"), .value(frame.hasShortcuts ? "off" : "on"))
                    button(Attribute("aria-describedby", "shortcuts-text")) { frame.hasShortcuts ? words.shortcutsOff : words.shortcutsOn }
                    p(.class("hint"), .id("shortcuts-text")) { words.shortcutsText }
                }
            }
        }
    }

    private var passwordForm: HTML {
        let words = frame.words
        return section(.class("block narrow")) {
            h2 { words.changePassword }
            problems.summary(words)
            form(Attribute("method", "post"), .action(Place("/console/account/password"))) {
                frame.proof
                input(.type("hidden"), .name("email"), .value(email), Attribute("autocomplete", "username"))
                Field(
                    name: "current", title: words.currentPassword, type: "password", complete: "current-password",
                    problems: problems
                ).html
                Field(
                    name: "password", title: words.newPassword, type: "password", hint: words.passwordRule,
                    complete: "new-password", problems: problems
                ).html
                button(.class("primary"), Attribute("aria-describedby", "password-ends")) { words.changePassword }
                p(.class("hint"), .id("password-ends")) { words.endsOtherSessions }
            }
        }
    }

    private func row(_ session: Session) -> HTML {
        let words = frame.words
        return tr {
            th(Attribute("scope", "row")) { session.agent }
            td { session.network ?? "–" }
            td(.class("nowrap")) { words.instant(session.createdAtMs) }
            td(.class("nowrap")) { words.instant(session.lastSeenMs) }
            td {
                if session.isThis { span(.class("quiet")) { words.thisSession } } else {
                    form(Attribute("method", "post"), .action(Place("/console/account/sessions", [session.id, "end"]))) {
                        frame.proof
                        button { words.endSession }
                    }
                }
            }
        }
    }
}

/// Asks for the password once more before something dangerous.
struct ConfirmPage {
    let frame: Frame
    let next: String
    let email: String
    var problems: [FieldProblem] = []
    /// False for a member who signs in by the provider only.
    var hasPassword = true
    var hasProvider = false

    var html: HTML {
        let words = frame.words
        return frame.page(words.confirmTitle, nil) {
            section(.class("block narrow")) {
                p { hasProvider ? words.confirmByProviderText : words.confirmText }
                problems.summary(words)
                if hasProvider {
                    p {
                        a(.class("button primary"), .href(Place("/console/confirm/provider", query: [("next", next)]))) { words.confirmWithProvider }
                    }
                }
                if hasPassword || !hasProvider {
                    form(Attribute("method", "post"), .action(Place("/console/confirm"))) {
                        frame.proof
                        input(.type("hidden"), .name("next"), .value(next))
                        input(.type("hidden"), .name("email"), .value(email), Attribute("autocomplete", "username"))
                        Field(name: "password", title: words.password, type: "password", complete: "current-password", problems: problems).html
                        button(.class("primary")) { words.confirm }
                    }
                }
            }
        }
    }
}
