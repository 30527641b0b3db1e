// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// Setting up, joining, signing in and out.
struct SignInRoutes: Sendable {
    let members: MemberStore
    let sessions: SessionStore
    let invitations: Invitations
    let limits: SignInLimits
    let console: ConsoleParts
    let limitHits: LimitHits

    /// `GET /console/language/{language}?next=`
    @Sendable func chooseLanguage(_ call: ConsoleCall) async throws -> Response {
        guard let language = Language(tag: call.context.parameters.get("language") ?? "") else { throw RequestError.notFound }
        let next = call.query("next").flatMap { Place(next: $0) } ?? Place("/console")
        return ConsoleAnswer.see(next, cookie: ConsoleCookie.language(language))
    }

    /// `GET /console/setup?token=`
    @Sendable func setUpPage(_ call: ConsoleCall) async throws -> Response { try await page(.setUp, call) }

    /// `GET /console/join?token=`
    @Sendable func joinPage(_ call: ConsoleCall) async throws -> Response { try await page(.invitation, call) }

    private func page(_ reason: JoinPage.Reason, _ call: ConsoleCall) async throws -> Response {
        // A page with a password field would have the password sent before anything refuses it.
        guard call.isSafe else { return ConsoleAnswer.page(unsafePage(call).html, .forbidden) }
        guard let (token, invitation) = try await invitation(call.query("token"), call), invitation.isSetUp == (reason == .setUp) else {
            return ConsoleAnswer.page(EndedLinkPage(words: call.words).html, .gone)
        }
        if let page = invitedPage(invitation, call) { return ConsoleAnswer.page(page.html) }
        var page = JoinPage(words: call.words, reason: reason, token: token.text, invitedEmail: invitation.email?.text)
        page.takesPasswords = call.takesPasswords
        return ConsoleAnswer.page(page.html)
    }

    private func invitation(_ text: String?, _ call: ConsoleCall) async throws -> (SessionToken, Invitation)? {
        guard let token = text.flatMap({ SessionToken($0) }),
            let invitation = try await invitations.invitation(token, nowMs: call.nowMs)
        else { return nil }
        return (token, invitation)
    }

    /// Where passwords are off, members invite to the provider's sign-in. The operator's links still let people in: the provider may be away.
    private func invitedPage(_ invitation: Invitation, _ call: ConsoleCall) -> InvitedPage? {
        guard !call.takesPasswords, invitation.invitedBy != nil, let email = invitation.email else { return nil }
        return InvitedPage(words: call.words, email: email.text)
    }

    /// `POST /console/setup` and `/console/join`: makes the member and signs them in.
    @Sendable func join(_ call: ConsoleCall) async throws -> Response {
        guard call.isSafe else { return ConsoleAnswer.page(unsafePage(call).html, .forbidden) }
        guard let (token, invitation) = try await invitation(call.form["token"], call) else {
            return ConsoleAnswer.page(EndedLinkPage(words: call.words).html, .gone)
        }
        if let page = invitedPage(invitation, call) { return ConsoleAnswer.page(page.html, .forbidden) }
        let takesPasswords = call.takesPasswords
        var page = JoinPage(
            words: call.words, reason: invitation.isSetUp ? .setUp : .invitation, token: token.text,
            invitedEmail: invitation.email?.text)
        (page.name, page.email, page.takesPasswords) = (call.field("name"), call.field("email"), takesPasswords)
        let email = invitation.email ?? MemberEmail(page.email)
        let password = call.form["password"] ?? ""
        if !(1...100).contains(page.name.count) || page.name.utf8.count > 400 || !page.name.unicodeScalars.contains(where: \.isVisible)
            || page.name.unicodeScalars.contains(where: { $0.turnsText || $0.properties.generalCategory == .control })
        {
            page.problems.append(FieldProblem("name", call.words.missingName))
        }
        if email == nil { page.problems.append(FieldProblem("email", call.words.wrongEmail)) }
        let known = [email?.text ?? "", page.name, call.context.snapshot.app.name]
        if takesPasswords, let refusal = PasswordRules.refusal(of: password, knowing: known) {
            page.problems.append(FieldProblem("password", call.words.sentence(refusal)))
        }
        guard page.problems.isEmpty, let email else { return ConsoleAnswer.page(page.html, .unprocessableContent) }
        let hash = takesPasswords ? try await console.passwords.hash(password) : ""
        let person = JoiningPerson(email: email, name: page.name, password: hash)
        switch try await invitations.join(person, by: token, network: call.network, nowMs: call.nowMs) {
        case .ended: return ConsoleAnswer.page(EndedLinkPage(words: call.words).html, .gone)
        case .emailTaken:
            page.problems.append(FieldProblem("email", call.words.takenEmail))
            return ConsoleAnswer.page(page.html, .conflict)
        case .joined: break
        }
        console.place.isSetUp()
        // Another link may have set another password meanwhile: then this one signs nobody in.
        guard let member = try await members.member(email: email), hash.isEmpty || member.password.hasSameBytes(as: hash) else {
            return ConsoleAnswer.see(Place("/console/sign-in"))
        }
        return try await begin(member, call, next: Place("/console"), nil)
    }

    /// `GET /console/sign-in?next=`
    @Sendable func signInPage(_ call: ConsoleCall) async throws -> Response {
        var page = signInPage(call, next: call.query("next"))
        page.isSafe = call.isSafe
        return ConsoleAnswer.page(page.html)
    }

    private func signInPage(_ call: ConsoleCall, next: String?) -> SignInPage {
        var page = SignInPage(words: call.words, next: next.flatMap { Place(next: $0)?.text })
        (page.takesPasswords, page.hasProvider) = (call.takesPasswords, call.hasProvider)
        return page
    }

    /// `POST /console/sign-in`
    @Sendable func signIn(_ call: ConsoleCall) async throws -> Response {
        guard call.isSafe else { return ConsoleAnswer.page(unsafePage(call).html, .forbidden) }
        guard call.takesPasswords else {
            var page = signInPage(call, next: call.form["next"])
            page.problems = [FieldProblem("", call.words.passwordsOff)]
            return ConsoleAnswer.page(page.html, .forbidden)
        }
        let text = call.field("email")
        // An address of no possible member counts, and takes its time, like any other.
        let possible = MemberEmail(text), email = possible ?? MemberEmail(stored: text.cut(toBytes: MemberEmail.most))
        // Text that is not an address may be a password that was typed into the wrong field.
        let line = call.line(.signInFailed, possible?.text ?? "–")
        let password = PasswordTry(email: email, network: call.address.map { ClientNetwork(of: $0) }, line: line)
        var known: Member?
        let verdict = try await limits.judge(password, nowMs: call.nowMs) {
            known = try await members.member(email: email)
            return try await console.passwords.matches(call.form["password"] ?? "", known?.password)
        }
        guard case .right = verdict, let member = known else { return refused(call, text, verdict) }
        let next = call.form["next"].flatMap { Place(next: $0) } ?? Place("/console")
        return try await begin(member, call, next: next, call.line(.signedIn, BrowserName.of(call.request.headers[.userAgent]), by: email.text))
    }

    /// The same answer for a wrong password, an unknown address and too many tries.
    private func refused(_ call: ConsoleCall, _ email: String, _ verdict: SignInLimits.Verdict) -> Response {
        var page = signInPage(call, next: call.form["next"])
        page.email = email
        page.problems = [FieldProblem("", call.words.wrongPassword)]
        var response = ConsoleAnswer.page(page.html, .unprocessableContent)
        if case .paused(let seconds) = verdict {
            limitHits.hit(.signIns)
            response.headers[.retryAfter] = String(seconds)
        }
        return response
    }

    private func unsafePage(_ call: ConsoleCall) -> SignInPage {
        var page = SignInPage(words: call.words, next: nil)
        page.isSafe = false
        return page
    }

    /// Always a fresh token: one that somebody planted before opens nothing.
    private func begin(_ member: Member, _ call: ConsoleCall, next: Place, _ line: AuditLine?) async throws -> Response {
        let token = SessionToken.drawn()
        guard try await sessions.begin(token, of: member, from: call.origin, line, nowMs: call.nowMs) else {
            return ConsoleAnswer.see(Place("/console/sign-in"))
        }
        return ConsoleAnswer.see(next, cookie: ConsoleCookie.session(token))
    }

    /// `POST /console/sign-out`
    @Sendable func signOut(_ call: ConsoleCall) async throws -> Response {
        let visitor = try call.member
        try await sessions.end(visitor.token, call.line(.signedOut, visitor.session.agent), nowMs: call.nowMs)
        return ConsoleAnswer.see(Place("/console/sign-in"), cookie: ConsoleCookie.noSession)
    }
}

extension Words {
    func sentence(_ refusal: PasswordRules.Refusal) -> String {
        switch refusal {
        case .short: shortPassword
        case .long: longPassword
        case .common: commonPassword
        }
    }
}
