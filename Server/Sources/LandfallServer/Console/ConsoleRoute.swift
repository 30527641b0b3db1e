// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallPages

/// One page or form of the console, with what it needs. The router is made from the table of these, and so are the tests of who
/// may do what.
struct ConsoleRoute: Sendable {
    enum Access: Hashable, Sendable {
        case anyone
        case member(Right)
        /// The same, with a password given in the last 15 minutes.
        case proven(Right)

        var right: Right? {
            switch self {
            case .anyone: nil
            case .member(let right), .proven(let right): right
            }
        }
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// The most bytes of a form.
    var formLimit = ConsoleCall.formLimit
    /// It is answered on the thread for editing.
    var isEditing = false
    let handle: @Sendable (ConsoleCall) async throws -> Response

    static func get(
        _ path: String, _ access: Access, _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .get, path: path, access: access, handle: handle) }

    static func post(
        _ path: String, _ access: Access, formLimit: Int = ConsoleCall.formLimit,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .post, path: path, access: access, formLimit: formLimit, handle: handle) }

    /// These routes, on the thread for editing.
    static func editing(_ routes: [ConsoleRoute]) -> [ConsoleRoute] {
        routes.map { route in
            var route = route
            route.isEditing = true
            return route
        }
    }
}

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

    /// The first page with its checklist, and what happens now.
    static func first(_ overview: OverviewRoutes, _ hiding: SetupHiding, _ live: LiveRoutes) -> [ConsoleRoute] {
        [
            get("/console", .member(.account), overview.page),
            post("/console/checklist", .member(.publishing), hiding.choose),
            get("/console/live", .member(.account), live.page),
            get("/console/live/stream", .member(.account), live.stream),
        ]
    }

    /// Members, and what they did.
    static func team(_ team: TeamRoutes, _ log: AuditRoutes) -> [ConsoleRoute] {
        [
            get("/console/settings/members", .proven(.members), team.members),
            post("/console/settings/members/invite", .proven(.members), team.invite),
            post("/console/settings/members/{id}/role", .proven(.members), team.changeRole),
            post("/console/settings/members/{id}/remove", .proven(.members), team.remove),
            post("/console/settings/members/{id}/sessions/end", .proven(.members), team.endSessions),
            post("/console/settings/members/invitations/cancel", .proven(.members), team.cancelInvitation),
            get("/console/settings/audit", .member(.members), log.page),
            get("/console/settings/audit.csv", .member(.members), log.csv),
            get("/console/settings/audit.json", .member(.members), log.json),
        ]
    }
}
