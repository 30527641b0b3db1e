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
    let handle: @Sendable (ConsoleCall) async throws -> Response

    static func get(
        _ path: String, _ access: Access, _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .get, path: path, access: access, handle: handle) }

    static func post(
        _ path: String, _ access: Access, formLimit: Int = ConsoleCall.formLimit,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .post, path: path, access: access, formLimit: formLimit, handle: handle) }
}

extension ConsoleRoute {
    /// Every page and form, room by room.
    static func all(_ services: Services) -> [ConsoleRoute] {
        [
            entrance(services),
            health(services),
            keys(services),
            reports(services),
            configuration(services),
            versions(services),
            links(services),
            profiles(services),
            experiments(services),
        ].flatMap { $0 }
    }

    /// Set-up, signing in, the first pages, and the members.
    private static func entrance(_ services: Services) -> [ConsoleRoute] {
        let app = services.snapshot.app.id, database = services.database
        let members = MemberStore(database: database, app: app), sessions = SessionStore(database: database, app: app)
        let audit = AuditLog(database: database, app: app), invitations = Invitations(database: database, app: app)
        let entering = SignInRoutes(
            members: members, sessions: sessions, invitations: invitations, audit: audit, console: services.console,
            bounds: services.bounds)
        let team = TeamRoutes(members: members, invitations: invitations, console: services.console), log = AuditRoutes(audit: audit)
        let account = AccountRoutes(
            members: members, sessions: sessions, audit: audit, console: services.console, bounds: services.bounds)
        let reports = services.reports
        let overview = OverviewRoutes(reports: reports, database: database)
        let live = LiveRoutes(
            feed: services.console.live, startedAtMs: services.console.startedAtMs, sessions: sessions, time: services.time)
        return [
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
            get("/console", .member(.account), overview.page),
            post("/console/checklist", .member(.publishing), SetupHiding(database: database, app: app).choose),
            get("/console/live", .member(.account), live.page),
            get("/console/live/stream", .member(.account), live.stream),
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
