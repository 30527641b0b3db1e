// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer

extension ConsoleRoute {
    /// Files of all pages, set-up, signing in, and the account.
    static func entrance(_ entering: SignInRoutes, _ account: AccountRoutes) -> [ConsoleRoute] {
        [
            get("/console/assets/{name}", .anyone) { call in
                guard let answer = ConsoleAnswer.asset(call.context.parameters.get("name") ?? "") else { throw RequestError.notFound }
                return answer
            },
            get("/console/language/{language}", .anyone, entering.chooseLanguage),
            get("/console/setup", .anyone, entering.setUpPage),
            post("/console/setup", .anyone, entering.join),
            get("/console/join", .anyone, entering.joinPage),
            post("/console/join", .anyone, entering.join),
            get("/console/sign-in", .anyone, entering.signInPage),
            post("/console/sign-in", .anyone, entering.signIn),
            post("/console/sign-out", .member(.account), entering.signOut),
            get("/console/confirm", .member(.account), account.confirmPage),
            post("/console/confirm", .member(.account), account.confirm),
            get("/console/account", .member(.account), account.page),
            post("/console/account/password", .member(.account), account.changePassword),
            post("/console/account/sessions/{id}/end", .member(.account), account.endSession),
            post("/console/account/shortcuts", .member(.account), account.chooseShortcuts),
        ]
    }
}
