// SPDX-License-Identifier: Apache-2.0

/// The page that asks for e-mail address and password.
struct SignInPage {
    let words: Words
    /// Where to go afterwards.
    let next: String?
    var email = ""
    var problems: [FieldProblem] = []
    /// False on plain http that leaves the machine: then nobody can sign in.
    var isSafe = true
    var takesPasswords = true
    /// People may sign in by the OpenID provider.
    var hasProvider = false

    var html: HTML {
        Card(words: words, address: Place("/console/sign-in", query: [("next", next)]).text, heading: words.signIn).html {
            problems.summary(words)
            if isSafe, hasProvider {
                p {
                    a(.class("button primary"), .href(Place("/console/sign-in/provider", query: [("next", next)]))) { words.withProvider }
                }
            }
            if isSafe, takesPasswords {
                form(Attribute("method", "post"), .action(Place("/console/sign-in"))) {
                    if let next { input(.type("hidden"), .name("next"), .value(next)) }
                    Field(name: "email", title: words.email, type: "email", value: email, complete: "username", problems: problems).html
                    Field(name: "password", title: words.password, type: "password", complete: "current-password", problems: problems).html
                    button(.class("primary")) { words.signIn }
                }
                p(.class("hint")) { words.lostPassword; " "; code { "landfall console invite" } }
            } else if isSafe {
                p(.class("hint")) { words.providerAway; " "; code { "landfall console invite" } }
            } else {
                p { words.needsHTTPS }
            }
        }
    }
}

/// The page that makes a member from a link: the first owner, or somebody who was invited.
struct JoinPage {
    enum Reason: Sendable { case setUp, invitation }

    let words: Words
    let reason: Reason
    let token: String
    /// Nil: the person chooses it.
    let invitedEmail: String?
    var name = ""
    var email = ""
    var problems: [FieldProblem] = []
    /// False: the link signs the person in once.
    var takesPasswords = true

    private var isSetUp: Bool { reason == .setUp }

    var html: HTML {
        let place = isSetUp ? Place("/console/setup", query: [("token", token)]) : Place("/console/join", query: [("token", token)])
        return Card(words: words, address: place.text, heading: isSetUp ? words.setUp : words.join).html {
            p { isSetUp ? words.setUpText : takesPasswords ? words.joinText : words.joinWithoutPassword }
            problems.summary(words)
            form(Attribute("method", "post"), .action(isSetUp ? Place("/console/setup") : Place("/console/join"))) {
                input(.type("hidden"), .name("token"), .value(token))
                Field(name: "name", title: words.yourName, value: name, complete: "name", problems: problems).html
                if let invitedEmail {
                    input(.type("hidden"), .name("email"), .value(invitedEmail), Attribute("autocomplete", "username"))
                    p(.class("hint")) { words.email + ": "; strong { invitedEmail } }
                } else {
                    Field(name: "email", title: words.email, type: "email", value: email, complete: "username", problems: problems).html
                }
                if takesPasswords {
                    Field(
                        name: "password", title: words.password, type: "password", hint: words.passwordRule, complete: "new-password",
                        problems: problems
                    ).html
                }
                button(.class("primary")) { isSetUp ? words.createOwner : words.join }
            }
        }
    }
}

/// An invitation to a console that takes no passwords: the provider says who comes.
struct InvitedPage {
    let words: Words
    let email: String

    var html: HTML {
        Card(words: words, address: "/console/sign-in", heading: words.join).html {
            p { words.invitedByProviderText; " "; strong { email } }
            p { a(.class("button primary"), .href(Place("/console/sign-in/provider"))) { words.withProvider } }
        }
    }
}

/// A link that has ended, or that was used before.
struct EndedLinkPage {
    let words: Words
    init(words: Words) { self.words = words }

    var html: HTML {
        Card(words: words, address: "/console/sign-in", heading: words.endedLink).html {
            p { words.endedLinkText }
            pre(Attribute("tabindex", "0")) { code { "landfall console invite --email you@example.com --role owner" } }
            p { a(.class("button"), .href(Place("/console/sign-in"))) { words.signIn } }
        }
    }
}

extension Words {
    var signIn: String { translate("Sign in") }
    var email: String { translate("E-mail") }
    var password: String { translate("Password") }
    var yourName: String { translate("Your name") }
    var lostPassword: String { translate("Lost your password? An operator can run") }
    var passwordRule: String { translate("15 characters or more; a sentence is fine. Spaces and pasting are welcome.") }
    var needsHTTPS: String {
        translate("The console signs in over https only, or on the server's own machine. Open it at its https address.")
    }
    var setUp: String { translate("Set up the console") }
    var setUpText: String { translate("You are the first here: this makes you the owner of this server.") }
    var createOwner: String { translate("Create the owner") }
    var join: String { translate("Join") }
    var joinText: String { translate("You are invited to this console. Choose a password.") }
    var endedLink: String { translate("This link has ended") }
    var endedLinkText: String {
        translate("It was used, replaced, or is too old. An operator of the server can make a new one:")
    }
    var wrongPassword: String {
        translate("This e-mail address and password do not match. After ten failures, sign-in pauses for 15 minutes.")
    }
    var missingName: String { translate("Enter your name, at most 100 characters.") }
    var wrongEmail: String { translate("Enter an e-mail address.") }
    var takenEmail: String { translate("A member has this address.") }
    var shortPassword: String { translate("Use 15 characters or more.") }
    var longPassword: String { translate("Use at most 1,000 bytes.") }
    var commonPassword: String { translate("This is too easy to guess. Choose another one.") }
}
