// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
package import LandfallWire

/// `POST /v1/links/open` and `POST /v1/links/deferred`: links on their way into the app.
package struct LinkOpenRoutes: Sendable {
    static let bodyLimit = 64 * 1024
    package let reports: LinkReports
    /// The limit of links that come with the SDK key alone.
    package let unproven: AddressLimit
    package let codes: CodeBounds
    package let addresses: CallerAddresses
    package let installs: any InstallStore
    package let answers: PhoneAnswers
    package let time: ServerTime

    package init(
        reports: LinkReports, unproven: AddressLimit, codes: CodeBounds, addresses: CallerAddresses, installs: any InstallStore,
        answers: PhoneAnswers, time: ServerTime
    ) {
        self.reports = reports
        self.unproven = unproven
        self.codes = codes
        self.addresses = addresses
        self.installs = installs
        self.answers = answers
        self.time = time
    }

    /// Works with the SDK key alone: then the click is stored as unproven and attributes nothing. With the install's credential
    /// the answer contains the install's new attribution, so that the phone need not ask.
    @Sendable package func open(_ request: Request, context: AppContext) async throws -> Answer<LinkOpenAnswer> {
        let caller = try context.requireCaller()
        let asked = try await request.decoded(as: LinkOpenRequest.self, upTo: Self.bodyLimit)
        try asked.key.check()
        let nowMs = time.nowMs()
        let address = addresses.bounded(of: request, context)
        // Before anything is looked up, and before a resolver of old links is asked.
        if asked.recordsClick, caller.credential == nil { try unproven.check(address, nowMs: nowMs) }
        let opened = try await reports.links.open(
            asked.url, in: context.snapshot, from: address, country: addresses.country(of: request, context), nowMs: nowMs)
        let report = ClickReport(
            opened, key: asked.key, ageMilliseconds: asked.ageMilliseconds, windows: context.snapshot.attributionWindows
        )
        var answer = opened.answer
        if asked.recordsClick, var report {
            if caller.credential == nil { try unproven.take(address, nowMs: nowMs) }
            report.isStored = reports.clicks.stores(isInvented: report.click.decision == .tracked, from: address, nowMs: nowMs)
            if let credential = caller.credential {
                let install = try await installs.record(caller.app, credential, report, nowMs: nowMs)
                answer.person = answers.answer(about: install, nowMs: nowMs)
            } else if report.isStored {
                try await installs.recordUnproven(caller.app, report, nowMs: nowMs)
            }
        }
        return Answer(answer)
    }

    @Sendable package func claim(_ request: Request, context: AppContext) async throws -> Answer<DeferredLinkAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let asked = try await request.decoded(as: DeferredLinkRequest.self, upTo: Self.bodyLimit).checked()
        let nowMs = time.nowMs()
        let address = addresses.bounded(of: request, context)
        try codes.check(asked, from: address, of: caller.app, credential.installID, nowMs: nowMs)
        let place = addresses.place(of: request, context)
        let claim = DeferredClaim(asked, windows: context.snapshot.attributionWindows, place: place)
        let answer = try await installs.claim(caller.app, credential, claim, nowMs: nowMs)
        codes.remember(claim, answer, of: caller.app, credential, at: address, nowMs: nowMs)
        return Answer(answer)
    }
}

extension DeferredLinkRequest {
    /// - Throws: `invalid_value`.
    func checked() throws -> DeferredLinkRequest {
        guard let token else { return self }
        if let token = Self.token(from: token) { return DeferredLinkRequest(token: token) }
        // Dashes alone are not a token, but no reason to refuse the rest of a first open.
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
