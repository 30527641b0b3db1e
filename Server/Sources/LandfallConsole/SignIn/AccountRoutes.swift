// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// A member's own password and sessions.
struct AccountRoutes: Sendable {
    let members: MemberStore
    let sessions: SessionStore
    let limits: SignInLimits
    let console: ConsoleParts
    let limitHits: LimitHits

    /// `GET /console/account`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.page(try await accountPage(call, isSaved: call.query("saved") != nil).html)
    }

    private func accountPage(_ call: ConsoleCall, isSaved: Bool = false) async throws -> AccountPage {
        let visitor = try call.member
        let entries = try await sessions.list(of: visitor.member.id, nowMs: call.nowMs).map { session in
            AccountPage.Session(
                id: session.id, isThis: session.id == visitor.session.id, agent: session.agent, network: session.network,
                createdAtMs: session.createdAtMs, lastSeenMs: session.seenAtMs)
        }
        var page = AccountPage(frame: try call.frame, email: visitor.member.email.text, sessions: entries)
        page.isSaved = isSaved
        page.hasPassword = call.takesPasswords && !visitor.member.password.isEmpty
        return page
    }

    /// `POST /console/account/password`: ends every session of the member and begins a new one.
    @Sendable func changePassword(_ call: ConsoleCall) async throws -> Response {
        let member = try call.member.member, password = call.form["password"] ?? ""
        guard call.takesPasswords else { return ConsoleAnswer.page(try await accountPage(call).html, .forbidden) }
        var problems: [FieldProblem] = []
        if try await !isOwn(call.form["current"] ?? "", of: member, call) {
            problems.append(FieldProblem("current", call.words.wrongCurrentPassword))
        }
        let known = [member.email.text, member.name, call.context.snapshot.app.name]
        if let refusal = PasswordRules.refusal(of: password, knowing: known) {
            problems.append(FieldProblem("password", call.words.sentence(refusal)))
        }
        guard problems.isEmpty else {
            var page = try await accountPage(call)
            page.problems = problems
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        let changed = Member(
            id: member.id, email: member.email, name: member.name, role: member.role,
            password: try await console.passwords.hash(password), createdAtMs: member.createdAtMs)
        // Somebody may have replaced the password that was checked: then theirs stays, and this session has ended.
        guard try await members.change(
            member, password: changed.password, call.line(.passwordChanged, member.email.text), nowMs: call.nowMs)
        else { return Self.ended }
        return try await begin(changed, call, next: Place("/console/account", query: [("saved", "1")]), nil)
    }

    /// `POST /console/account/sessions/{id}/end`
    @Sendable func endSession(_ call: ConsoleCall) async throws -> Response {
        let visitor = try call.member
        let id = call.context.parameters.get("id") ?? ""
        guard try await sessions.end(id, of: visitor.member.id, call.line(.sessionEnded, visitor.member.email.text), nowMs: call.nowMs)
        else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/account"))
    }

    /// `POST /console/account/shortcuts`: switches keyboard shortcuts off, or on again, in this browser.
    @Sendable func chooseShortcuts(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.see(Place("/console/account"), cookie: ConsoleCookie.shortcuts(isOn: call.form["shortcuts"] != "off"))
    }

    /// `GET /console/confirm?next=`
    @Sendable func confirmPage(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.page(try confirm(call, next: call.query("next")).html)
    }

    /// `POST /console/confirm`: the session goes on under a fresh token, so that a copy of the old one is worth nothing. Forms of
    /// other windows stay valid: one of them may have asked for the password. A form that is sent twice begins a session for its second
    /// answer: the browser may keep either cookie.
    @Sendable func confirm(_ call: ConsoleCall) async throws -> Response {
        let visitor = try call.member
        var page = try confirm(call, next: call.form["next"])
        guard try await isOwn(call.form["password"] ?? "", of: visitor.member, call) else {
            page.problems = [FieldProblem("password", call.words.wrongCurrentPassword)]
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        let token = SessionToken.drawn(), line = call.line(.confirmed, visitor.session.agent)
        let next = Place(next: page.next) ?? Place("/console")
        guard try await sessions.prove(visitor, as: token, line, nowMs: call.nowMs) else {
            return try await begin(visitor.member, call, next: next, line, formToken: visitor.formToken)
        }
        return ConsoleAnswer.see(next, cookie: ConsoleCookie.session(token))
    }

    private func confirm(_ call: ConsoleCall, next: String?) throws -> ConfirmPage {
        let member = try call.member.member
        var page = ConfirmPage(frame: try call.frame, next: next.flatMap { Place(next: $0)?.text } ?? "/console", email: member.email.text)
        (page.hasPassword, page.hasProvider) = (call.takesPasswords && !member.password.isEmpty, call.hasProvider)
        return page
    }

    /// Has the limits of signing in: a stolen session must not try passwords without them.
    private func isOwn(_ password: String, of member: Member, _ call: ConsoleCall) async throws -> Bool {
        guard call.takesPasswords else { return false }
        let line = call.line(.confirmFailed, member.email.text)
        let given = PasswordTry(email: member.email, network: call.address.map { ClientNetwork(of: $0) }, line: line)
        let verdict = try await limits.judge(given, nowMs: call.nowMs) {
            try await console.passwords.matches(password, member.password)
        }
        if case .paused = verdict { limitHits.hit(.signIns) }
        return verdict == .right
    }

    /// - Parameter formToken: what the forms carry; nil for new forms.
    private func begin(
        _ member: Member, _ call: ConsoleCall, next: Place, _ line: AuditLine?, formToken: String? = nil
    ) async throws -> Response {
        let token = SessionToken.drawn()
        guard try await sessions.begin(token, of: member, from: call.origin, line, nowMs: call.nowMs, formToken: formToken) else {
            return Self.ended
        }
        return ConsoleAnswer.see(next, cookie: ConsoleCookie.session(token))
    }

    private static var ended: Response { ConsoleAnswer.see(Place("/console/sign-in"), cookie: ConsoleCookie.noSession) }
}
