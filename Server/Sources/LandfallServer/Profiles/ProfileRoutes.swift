// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallWire

/// Reads and changes the profile of the calling install.
package struct ProfileRoutes: Sendable {
    static let bodyLimit = 64 * 1024
    package let installs: any InstallStore
    package let held: HeldCalls
    package let answers: PhoneAnswers
    package let time: ServerTime

    package init(installs: any InstallStore, held: HeldCalls, answers: PhoneAnswers, time: ServerTime) {
        (self.installs, self.held, self.answers, self.time) = (installs, held, answers, time)
    }

    /// `GET /v1/profiles/me?after=&wait=`
    @Sendable package func me(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let waiting = try Waiting(of: request)
        let endsAtMs = time.nowMs() + waiting.waitMs
        return try await held.answer(request, context, until: endsAtMs) { [answers] install, nowMs, _ in
            let resolution = answers.resolution(of: install, nowMs: nowMs)
            let answer = ProfileAnswer(
                profile: answers.profile(of: install, nowMs: nowMs), attribution: resolution.attribution)
            return CurrentAnswer(
                value: answer, question: .init(asked: .profile, resolution: resolution),
                isDone: waiting.after.map { answer.profile.version > $0 } ?? true
            )
        }
    }

    /// `POST /v1/profiles/me/ad-token`: the token that a first open announced.
    @Sendable package func reportToken(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let token = context.snapshot.accepted(try await request.decoded(as: AdToken.self, upTo: Self.bodyLimit))
        if case .value(let text) = token, !AppleAdsToken.isPlausible(text) {
            throw RequestError.invalid("value", "a token of 1 to 4096 visible ASCII characters.")
        }
        let nowMs = time.nowMs()
        let install = try await installs.report(caller.app, credential, token, nowMs: nowMs)
        return Answer(answers.answer(about: install, nowMs: nowMs))
    }

    /// `POST /v1/profiles/me/attributes`
    @Sendable package func changeAttributes(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let changes = try await request.decoded(as: AttributeChanges.self, upTo: Self.bodyLimit)
        try context.snapshot.check(changes.attributes)
        return try await answers.changing(context) { caller, credential, nowMs in
            try await installs.change(caller.app, credential, changes, nowMs: nowMs)
        }
    }
}
