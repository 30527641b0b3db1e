// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// `POST /v1/links/open` and `POST /v1/links/deferred`: links on their way into the app.
struct LinkOpenRoutes: Sendable {
    static let bodyLimit = 64 * 1024
    let services: Services

    /// Works with the SDK key alone: then the click is kept as unproven and attributes nothing. With the install's credential
    /// the answer tells what the click has made of it, so that the phone need not ask.
    @Sendable func open(_ request: Request, context: AppContext) async throws -> Answer<LinkOpenAnswer> {
        let caller = try context.requireCaller()
        let asked = try await request.decoded(as: LinkOpenRequest.self, upTo: Self.bodyLimit)
        try asked.key.check()
        let nowMs = services.time.nowMs()
        let opened = try await services.links.open(asked.url, in: context.snapshot, nowMs: nowMs)
        let report = ClickReport(
            opened, key: asked.key, ageMilliseconds: asked.ageMilliseconds, windows: context.snapshot.attributionWindows
        )
        var answer = opened.answer
        if asked.recordsClick, var report {
            let address = services.boundedAddress(of: request, context)
            if caller.credential == nil { try services.unprovenClicks.take(address, nowMs: nowMs) }
            report.isStored = services.stores(clickOn: report.click.decision, from: address, nowMs: nowMs)
            if let credential = caller.credential {
                let install = try await services.installs.record(caller.app, credential, report, nowMs: nowMs)
                services.holds.changed(app: caller.app, install: credential.installID)
                answer.person = services.answer(about: install, of: caller, nowMs: nowMs)
            } else if report.isStored {
                try await services.installs.recordUnproven(caller.app, report, nowMs: nowMs)
            }
        }
        return Answer(answer)
    }

    @Sendable func claim(_ request: Request, context: AppContext) async throws -> Answer<DeferredLinkAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let asked = try await request.decoded(as: DeferredLinkRequest.self, upTo: Self.bodyLimit).checked()
        let nowMs = services.time.nowMs()
        let address = services.boundedAddress(of: request, context)
        try services.checkCode(of: asked, from: address, of: caller.app, credential.installID, nowMs: nowMs)
        let place = services.place(of: request, context)
        let claim = DeferredClaim(asked, windows: context.snapshot.attributionWindows, place: place)
        let answer = try await services.installs.claim(caller.app, credential, claim, nowMs: nowMs)
        services.remember(claim, answer, of: caller.app, credential, at: address, nowMs: nowMs)
        services.holds.changed(app: caller.app, install: credential.installID)
        return Answer(answer)
    }
}

extension DeferredLinkRequest {
    /// - Throws: `invalid_value`.
    func checked() throws -> DeferredLinkRequest {
        guard let token else { return self }
        if let token = Self.token(from: token) { return DeferredLinkRequest(token: token) }
        // Dashes alone are nobody's token, and no reason to refuse what came with them: a first open may have.
        guard Self.isToken(token) else {
            throw RequestError.invalid("token", "1 to \(Self.longestToken) visible ASCII characters.")
        }
        return self
    }
}

extension DeferredClaim {
    init(_ request: DeferredLinkRequest, windows: AttributionWindows, place: AddressPlace?) {
        tokenHash = request.token.flatMap { DeferredToken(presented: $0)?.hash }
        self.windows = windows
        self.place = place
    }
}

extension Services {
    /// Where the caller is, if that is to be matched.
    func place(of request: Request, _ context: AppContext) -> AddressPlace? {
        guard let matching = context.snapshot.addressMatching else { return nil }
        return AddressPlace(client(of: request, context), matching)
    }

    /// The links of a first open. What cannot be recorded is left out: an app's start does not hang on an old link.
    func reports(
        of waiting: [FirstOpenRequest.WaitingLink], in snapshot: Snapshot, from address: ClientAddress?, nowMs: Int64
    ) async throws -> [ClickReport] {
        var reports: [ClickReport] = []
        for link in waiting where (try? link.key.check()) != nil {
            let opened = try await links.open(link.url, in: snapshot, nowMs: nowMs)
            let report = ClickReport(
                opened, key: link.key, ageMilliseconds: link.ageMilliseconds, windows: snapshot.attributionWindows
            )
            guard var report else { continue }
            report.isStored = stores(clickOn: report.click.decision, from: address, nowMs: nowMs)
            reports.append(report)
        }
        return reports
    }

    /// - Throws: `rate_limited` where too many codes from this address, or of this install, have led nowhere.
    fileprivate func checkCode(
        of asked: DeferredLinkRequest, from address: ClientAddress?, of app: AppID, _ install: InstallID, nowMs: Int64
    ) throws(RequestError) {
        guard asked.token != nil else { return }
        try wrongTokensByAddress.check(address, nowMs: nowMs)
        try wrongTokens.check(app, install, nowMs: nowMs)
    }

    /// A token that leads nowhere counts against the install, and against the address that it came from.
    func remember(
        _ claim: DeferredClaim?, _ answer: DeferredLinkAnswer?, of app: AppID, _ credential: Credential,
        at address: ClientAddress?, nowMs: Int64
    ) {
        if claim?.tokenHash != nil, answer == DeferredLinkAnswer.none {
            wrongTokens.wrong(app, credential.installID, nowMs: nowMs)
            wrongTokensByAddress.count(address, nowMs: nowMs)
        }
    }

    /// What a first open asks for. An install that has shown too many wrong codes is answered without a look at its code.
    /// - Returns: nil also where others at this address have shown too many: the stream says nothing of the link, and the
    ///   phone asks for it later by a call of its own.
    func claim(
        _ asked: DeferredLinkRequest?, in snapshot: Snapshot, at place: AddressPlace?, from address: ClientAddress?,
        of app: AppID, _ credential: Credential, nowMs: Int64
    ) -> DeferredClaim? {
        guard var asked else { return nil }
        do {
            try checkCode(of: asked, from: address, of: app, credential.installID, nowMs: nowMs)
        } catch {
            if let bound = error.bound { bounds.hit(bound) }
            if error.bound == .codesByAddress { return nil }
            asked.token = nil
        }
        return DeferredClaim(asked, windows: snapshot.attributionWindows, place: place)
    }
}
