// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
package import LandfallServer
import LandfallWire
import Logging

/// The checks before every page and form, in this order: the session, the role, where a form comes from, its proof, how long ago
/// the password was given. Every answer, also an error, is a page.
package struct ConsoleEntrance: Sendable {
    package let sessions: SessionStore
    package let addresses: CallerAddresses
    package let time: ServerTime
    package let limitHits: LimitHits
    package let editing: OwnThreads

    package init(sessions: SessionStore, addresses: CallerAddresses, time: ServerTime, limitHits: LimitHits, editing: OwnThreads) {
        (self.sessions, self.addresses, self.time, self.limitHits, self.editing) = (sessions, addresses, time, limitHits, editing)
    }

    package func add(_ routes: [ConsoleRoute], to router: Router<AppContext>) {
        let pages = Set(routes.filter { $0.method == .get }.map(\.path))
        for route in routes {
            let depth = route.method == .get ? nil : Self.depth(of: route.path, pages)
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await answer(request, context, route, depth)
            }
        }
    }

    /// How many parts of a form's path make the path of the nearest page: there the answer of the form can be left.
    private static func depth(of path: String, _ pages: Set<String>) -> Int {
        let parts = path.split(separator: "/")
        return (1...parts.count).last { pages.contains("/" + parts.prefix($0).joined(separator: "/")) } ?? 1
    }

    private func answer(_ request: Request, _ context: AppContext, _ route: ConsoleRoute, _ depth: Int?) async throws -> Response {
        var words = Words(Self.language(of: request))
        let zone = context.snapshot.configuration.reportZone
        words.clock = PageClock(zone: zone.name, nowMs: time.nowMs()) { zone.offsetMs($0) }
        do {
            return try await checked(request, context, route, words, depth)
        } catch is CancellationError {
            throw CancellationError()
        } catch let excess as FormExcess {
            return ConsoleAnswer.page(excess.page(words).html, .contentTooLarge)
        } catch {
            let failure = RequestError(any: error)
            limitHits.refused(failure)
            if failure.status == .internalServerError {
                context.namedLogger.error("A page of the console failed unexpectedly.", metadata: ["error.text": "\(error)"])
            }
            let page: MessagePage =
                switch failure.status {
                case .notFound: .notFound(words)
                case .forbidden: .forged(words)
                case .contentTooLarge: .tooLarge(words, most: route.formLimit)
                case .badRequest: failure.code == .malformedRequest ? .unreadable(words) : .refused(words)
                case .serviceUnavailable, .tooManyRequests: .busy(words)
                default: .failed(words, request: context.requestID)
                }
            var response = ConsoleAnswer.page(page.html, failure.status)
            if let retryAfter = failure.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
            return response
        }
    }

    private func checked(
        _ request: Request, _ context: AppContext, _ route: ConsoleRoute, _ words: Words, _ depth: Int?
    ) async throws -> Response {
        let nowMs = time.nowMs()
        // The nearest page above a form.
        let page = depth.map { "/" + request.uri.path.split(separator: "/").prefix($0).joined(separator: "/") }
        var call = ConsoleCall(
            request: request, context: context, words: words, nowMs: nowMs, isSafe: isSafe(request, context),
            address: addresses.bounded(of: request, context), page: page)
        if let refusal = try await refusal(&call, route) { return refusal }
        var text: String?
        if route.method == .post {
            guard Self.isOwn(request) else { return ConsoleAnswer.page(MessagePage.forged(words).html, .forbidden) }
            text = try await request.text(upTo: route.formLimit)
        }
        // A browser that sends slowly has no place yet.
        guard route.isEditing else { return try await handled(call, text, route) }
        return try await editing.run { [call] in try await handled(call, text, route) }
    }

    /// - Parameter text: of the form; nil for a page.
    private func handled(_ call: ConsoleCall, _ text: String?, _ route: ConsoleRoute) async throws -> Response {
        var call = call
        if let text {
            guard let form = FormText.fields(text, most: ConsoleCall.mostFields) else {
                if FormText.count(text) > ConsoleCall.mostFields { throw FormExcess.fields }
                throw RequestError(.malformedRequest, "The body is not a form.")
            }
            call.form = form
            // The body may have come slowly: meanwhile the member may have lost the right, or the session may have ended.
            if let refusal = try await refusal(&call, route) { return refusal }
            if let visitor = call.visitor, !visitor.formToken.hasSameBytes(as: form["csrf"] ?? "") {
                return ConsoleAnswer.page(MessagePage.forged(call.words).html, .forbidden)
            }
        }
        if case .proven = route.access, let visitor = call.visitor, !visitor.session.isProven(nowMs: call.nowMs) {
            return ConsoleAnswer.see(Place("/console/confirm", query: [("next", Self.next(of: call.request, page: call.page))]))
        }
        return try await route.handle(call)
    }

    /// Reads who the visitor is, and says why the visitor may not go on; nil for a visitor who may.
    private func refusal(_ call: inout ConsoleCall, _ route: ConsoleRoute) async throws -> Response? {
        guard let right = route.access.right else { return nil }
        call.visitor = try await visitor(call.request, route, nowMs: call.nowMs)
        guard let visitor = call.visitor else {
            return ConsoleAnswer.see(Place("/console/sign-in", query: [("next", Self.next(of: call.request, page: call.page))]))
        }
        guard visitor.member.role.rights.contains(right) else {
            return ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: right).html, .forbidden)
        }
        return nil
    }

    private func visitor(_ request: Request, _ route: ConsoleRoute, nowMs: Int64) async throws -> ConsoleVisitor? {
        guard let token = ConsoleCookie.value(ConsoleCookie.session, in: request).flatMap({ SessionToken($0) }),
            let found = try await sessions.find(token, nowMs: nowMs, renews: !route.path.hasSuffix("/stream"))
        else { return nil }
        return ConsoleVisitor(member: found.member, session: found.session, token: token)
    }

    /// Where to go on after signing in or confirming: this page, or the page with the form.
    private static func next(of request: Request, page: String?) -> String? {
        if let page { return page == "/console" ? nil : Place(next: page)?.text }
        guard !request.uri.path.hasPrefix("/console/live/stream") else { return "/console/live" }
        return request.uri.string == "/console" ? nil : Place(next: request.uri.string)?.text
    }

    /// True if a page of this origin sent the form. Browsers tell it themselves, and no page can change what they tell.
    static func isOwn(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" }
        guard let origin = request.headers[.origin], let host = request.head.authority,
            let range = origin.firstRange(of: "://")
        else { return false }
        return ["http", "https"].contains(origin[..<range.lowerBound]) && origin[range.upperBound...] == host
    }

    /// True if the password cannot be read on its way: https, or the browser is on this machine, with no proxy in between.
    /// Browsers send `Sec-Fetch-Site` to secure origins only.
    private func isSafe(_ request: Request, _ context: AppContext) -> Bool {
        if request.headers[.secFetchSite] != nil { return true }
        let peer = ClientAddress(context.channel.remoteAddress)
        let isNear = peer.map { $0.isLoopback || addresses.proxies.contains($0) } ?? true
        if isNear, request.headers[.xForwardedProto] == "https" { return true }
        guard peer.map(\.isLoopback) ?? true, !ThisMachine.signsOfProxies.contains(where: { request.headers.contains($0) }),
            let host = request.head.authority
        else { return false }
        return ThisMachine.isNamed(authority: host)
    }

    /// The page at an unknown address, because a person mistyped it.
    @Sendable package static func unknownAddress(_ request: Request) -> Response {
        ConsoleAnswer.page(MessagePage.notFound(Words(language(of: request))).html, .notFound)
    }

    /// The language that was chosen, else the browser's.
    static func language(of request: Request) -> Language {
        ConsoleCookie.value(ConsoleCookie.language, in: request).flatMap { Language(tag: $0) }
            ?? Language(accepting: request.headers[.acceptLanguage])
    }
}
