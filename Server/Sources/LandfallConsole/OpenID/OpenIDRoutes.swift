// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire
import Logging

/// Signing in by the provider: a way there, and the way back.
struct OpenIDRoutes: Sendable {
    static let callbackPath = "/console/sign-in/callback"
    /// Of a code, in bytes.
    static let longestCode = 4_096
    /// How long a request waits while others are asking the provider.
    private static let wait = Duration.seconds(10)

    let provider: OpenIDProvider
    let people: OpenIDMembers
    let sessions: SessionStore
    let limits: SignInLimits
    let console: ConsoleParts
    let limitHits: LimitHits
    let time: ServerTime
    /// Calls of the provider at once: anyone may begin a sign-in.
    private let turns = AsyncSemaphore(permits: 4, mostWaiting: 32)

    init(
        provider: OpenIDProvider, people: OpenIDMembers, sessions: SessionStore, limits: SignInLimits, console: ConsoleParts, limitHits: LimitHits,
        time: ServerTime
    ) {
        (self.provider, self.people, self.sessions, self.limits) = (provider, people, sessions, limits)
        (self.console, self.limitHits, self.time) = (console, limitHits, time)
    }

    /// `GET /console/sign-in/provider?next=`. By GET: a form's answer may not lead to another server.
    @Sendable func begin(_ call: ConsoleCall) async throws -> Response { try await begin(call, .signIn) }

    /// `GET /console/confirm/provider?next=`: the provider asks for the password again.
    @Sendable func beginConfirming(_ call: ConsoleCall) async throws -> Response { try await begin(call, .confirm) }

    private func begin(_ call: ConsoleCall, _ purpose: OpenIDFlow.Purpose) async throws -> Response {
        let rules = try rules(of: call)
        let next = call.query("next").flatMap { Place(next: $0) } ?? Place("/console")
        guard call.isSafe else {
            var page = SignInPage(words: call.words, next: nil)
            page.isSafe = false
            return ConsoleAnswer.page(page.html, .forbidden)
        }
        do {
            guard let callback = callback(of: call) else { throw OpenIDRefusal.host }
            let document = try await turn { try await provider.document(of: rules) }
            let flow = OpenIDFlow(startedAtMs: call.nowMs, purpose: purpose, next: next)
            var fields = [
                ("response_type", "code"), ("client_id", rules.clientID), ("redirect_uri", callback), ("scope", "openid email profile"),
                ("state", flow.state), ("nonce", flow.nonce), ("code_challenge", flow.challenge), ("code_challenge_method", "S256"),
            ]
            if purpose == .confirm { fields += [("max_age", "0"), ("prompt", "login")] }
            var headers = ConsoleAnswer.fields
            headers[.location] = document.authorizing(fields)
            headers[.setCookie] = flow.setCookie
            return Response(status: .seeOther, headers: headers)
        } catch let refusal as OpenIDRefusal {
            return refused(call, refusal, next: next)
        }
    }

    /// `GET /console/sign-in/callback`
    @Sendable func finish(_ call: ConsoleCall) async throws -> Response {
        let rules = try rules(of: call)
        guard call.isSafe, let flow = OpenIDFlow(in: call.request, nowMs: call.nowMs), let state = call.query("state"),
            OpenIDFlow.areEqual(state, flow.state)
        else { return refused(call, .state, next: Place("/console")) }
        var known: MemberEmail?
        do {
            guard let callback = callback(of: call) else { throw OpenIDRefusal.host }
            let code = try code(of: call, rules)
            let person = try await limited(call) {
                let claims = try await turn { try await provider.claims(for: code, flow, callback: callback, rules) }
                let person = try IDClaims(rules: rules, nonce: flow.nonce, nowMs: time.nowMs()).person(of: claims)
                if flow.purpose == .confirm {
                    guard let provenAtMs = person.provenAtMs, provenAtMs + IDClaims.leewayMs >= flow.startedAtMs else { throw OpenIDRefusal.notFresh }
                }
                return person
            }
            known = person.email
            switch try await people.enter(person, by: rules, network: call.network, nowMs: call.nowMs) {
            case .refused(let refusal): throw refusal
            case .member(let member): return try await open(member, person, call, flow)
            }
        } catch let refusal as OpenIDRefusal {
            if refusal.counts { try await count(call, refusal, known) }
            return refused(call, refusal, next: flow.next)
        }
    }

    private func rules(of call: ConsoleCall) throws -> OpenIDRules {
        guard let rules = call.context.snapshot.configuration.signIn.openID else { throw RequestError.notFound }
        return rules
    }

    private func code(of call: ConsoleCall, _ rules: OpenIDRules) throws -> String {
        if let issuer = call.query("iss"), !issuer.hasSameBytes(as: rules.issuer) { throw OpenIDRefusal.issuer }
        if call.query("error") != nil { throw OpenIDRefusal.cancelled }
        guard let code = call.query("code"), (1...Self.longestCode).contains(code.utf8.count) else { throw OpenIDRefusal.cancelled }
        return code
    }

    /// Where the provider sends the browser back to: the address under which the browser knows this console, if the configuration or this
    /// machine names it.
    private func callback(of call: ConsoleCall) -> String? {
        let hosts = call.context.snapshot.configuration.domains.api
        guard let authority = call.request.head.authority else { return nil }
        if ThisMachine.isNamed(authority: authority) {
            let scheme = call.request.headers[.xForwardedProto] == "https" ? "https" : "http"
            return "\(scheme)://\(authority)\(Self.callbackPath)"
        }
        let host = authority.lowercased().prefix { $0 != ":" }
        guard hosts.contains(where: { $0.lowercased() == host }) else { return nil }
        return "https://\(authority.lowercased())\(Self.callbackPath)"
    }

    private func turn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        do { return try await turns.withPermit(within: Self.wait, by: time, body) } catch is AsyncSemaphore.Refusal {
            throw RequestError(.busy, "Too many people sign in at once. Try again.", retryAfter: 5)
        }
    }

    /// Asks nobody while the caller's network pauses after too many failures.
    private func limited(_ call: ConsoleCall, _ body: @Sendable () async throws -> OpenIDPerson) async throws -> OpenIDPerson {
        var person: OpenIDPerson?
        let verdict = try await limits.judge(attempt(call, nil, nil), nowMs: call.nowMs) {
            person = try await body()
            return true
        }
        guard case .right = verdict, let person else {
            limitHits.hit(.signIns)
            throw RequestError(.busy, "Too many sign-ins have failed. Try again in 15 minutes.")
        }
        return person
    }

    /// Writes the line, and counts for the network.
    private func count(_ call: ConsoleCall, _ refusal: OpenIDRefusal, _ email: MemberEmail?) async throws {
        _ = try await limits.judge(attempt(call, refusal, email), nowMs: call.nowMs) { false }
    }

    /// An account of its own: nobody ends another one's sign-in by password.
    private func attempt(_ call: ConsoleCall, _ refusal: OpenIDRefusal?, _ email: MemberEmail?) -> PasswordTry {
        let line = call.line(.signInFailed, "\(email?.text ?? "–") (OpenID: \(refusal?.rawValue ?? ""))")
        return PasswordTry(
            email: MemberEmail(stored: "openid " + (call.network ?? call.context.requestID)), network: call.address.map { ClientNetwork(of: $0) }, line: line)
    }

    /// A confirmed session goes on under a fresh token; everything else begins a new one.
    private func open(_ member: Member, _ person: OpenIDPerson, _ call: ConsoleCall, _ flow: OpenIDFlow) async throws -> Response {
        let token = SessionToken.drawn(), agent = BrowserName.of(call.request.headers[.userAgent])
        if flow.purpose == .confirm, let visitor = try await visitor(call), visitor.member.id.hasSameBytes(as: member.id),
            try await sessions.prove(visitor, as: token, call.line(.confirmed, agent, by: member.email.text), nowMs: call.nowMs)
        {
            return answer(flow.next, ConsoleCookie.session(token))
        }
        // What the provider knew already proves nothing of now.
        let provenAtMs = min(person.provenAtMs ?? 0, call.nowMs)
        let line = call.line(.signedIn, "\(agent) · OpenID", by: member.email.text)
        guard try await sessions.begin(token, of: member, from: call.origin, line, nowMs: call.nowMs, provenAtMs: provenAtMs) else {
            return answer(Place("/console/sign-in"), nil)
        }
        console.place.isSetUp()
        return answer(flow.next, ConsoleCookie.session(token))
    }

    private func visitor(_ call: ConsoleCall) async throws -> ConsoleVisitor? {
        guard let token = ConsoleCookie.value(ConsoleCookie.session, in: call.request).flatMap({ SessionToken($0) }),
            let found = try await sessions.find(token, nowMs: call.nowMs)
        else { return nil }
        return ConsoleVisitor(member: found.member, session: found.session, token: token)
    }

    /// The cookie of the flow ends with it.
    private func answer(_ place: Place, _ session: String?) -> Response {
        var response = ConsoleAnswer.see(place, cookie: session)
        response.headers.append(HTTPField(name: .setCookie, value: OpenIDFlow.noCookie))
        return response
    }

    private func refused(_ call: ConsoleCall, _ refusal: OpenIDRefusal, next: Place) -> Response {
        call.context.namedLogger.notice(
            "A sign-in by the OpenID provider did not succeed.", metadata: ["openid.reason": "\(refusal.rawValue)", "openid.advice": "\(refusal)"])
        let status: HTTPResponse.Status =
            switch refusal {
            case .unreachable, .discovery, .secret: .serviceUnavailable
            case .state, .host, .cancelled: .badRequest
            default: .forbidden
            }
        var response = ConsoleAnswer.page(RefusedSignInPage(words: call.words, refusal: refusal, next: next).html, status)
        response.headers.append(HTTPField(name: .setCookie, value: OpenIDFlow.noCookie))
        return response
    }
}

extension ConsoleRoute {
    static func openID(_ routes: OpenIDRoutes) -> [ConsoleRoute] {
        [
            get("/console/sign-in/provider", .anyone, routes.begin),
            get("/console/sign-in/callback", .anyone, routes.finish),
            get("/console/confirm/provider", .member(.account), routes.beginConfirming),
        ]
    }
}
