// SPDX-License-Identifier: Apache-2.0

/// A sign-in by the provider that did not succeed: why, and what to do.
struct RefusedSignInPage {
    let words: Words
    let refusal: OpenIDRefusal
    /// Where another try leads.
    let next: Place

    var html: HTML {
        Card(words: words, address: "/console/sign-in", heading: words.refusedSignIn).html {
            p { words.sentence(refusal) }
            p(.class("hint")) { words.refusedSignInCode; " "; code { refusal.rawValue } }
            p {
                a(.class("button"), .href(Place("/console/sign-in/provider", query: [("next", next.text)]))) { words.tryAgain }
            }
            p { a(.href(Place("/console/sign-in"))) { words.signIn } }
        }
    }
}

extension Words {
    var withProvider: String { translate("Sign in with your organisation") }
    var confirmWithProvider: String { translate("Confirm with your organisation") }
    var confirmByProviderText: String {
        translate("This is dangerous or cannot be undone, so you prove again after 15 minutes that it is you.")
    }
    var passwordsOff: String { translate("This console takes no passwords.") }
    var invitedByProviderText: String {
        translate("You are invited to this console. Sign in with the account of your organisation that has this address:")
    }
    var joinWithoutPassword: String { translate("You are invited to this console. This link signs you in once.") }
    var providerAway: String { translate("If your organisation's sign-in does not work, an operator of the server can run") }
    var refusedSignIn: String { translate("You are not signed in") }
    var refusedSignInCode: String { translate("For the operator of the server:") }
    var tryAgain: String { translate("Try again") }

    func sentence(_ refusal: OpenIDRefusal) -> String {
        switch refusal {
        case .unreachable: translate("Your organisation's sign-in does not answer. Try again in a moment.")
        case .discovery, .secret, .code: translate("The sign-in with your organisation is not set up correctly. Ask an operator of the server.")
        case .host: translate("The console cannot be used at this address. Ask an operator of the server for the right one.")
        case .state: translate("This sign-in has ended, or began in another browser. Begin again.")
        case .cancelled: translate("The sign-in was cancelled. Begin again if you did not want that.")
        case .issuer, .signature, .claims, .nonce:
            translate("The answer of your organisation's sign-in could not be checked. Begin again. If it happens again, ask an operator of the server.")
        case .notFresh: translate("Your organisation's sign-in did not say that you have just signed in there. Sign out there, and try again.")
        case .unverified: translate("Your organisation has not verified your e-mail address. Verify it there, and begin again.")
        case .foreign: translate("Your e-mail address is of another organisation. Sign in with another account.")
        case .manyGroups: translate("You are in too many groups. Ask the people who run your organisation's sign-in.")
        case .noGroup: translate("None of your groups may use this console. Ask an owner of it.")
        case .notInvited: translate("You have no invitation to this console. Ask an owner of it.")
        case .taken: translate("A member with your e-mail address has another identity. Ask an owner to remove that member.")
        case .full: fullTeam(MemberStore.most)
        }
    }
}
