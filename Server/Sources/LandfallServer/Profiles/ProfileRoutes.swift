// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// The profile of the calling install: read, and everything that changes it.
struct ProfileRoutes: Sendable {
    static let bodyLimit = 64 * 1024
    let services: Services

    /// `GET /v1/profiles/me?after=&wait=`
    @Sendable func me(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let waiting = try Waiting(of: request)
        let app = try context.requireCaller().app
        let endsAtMs = services.time.nowMs() + waiting.waitMs
        return try await services.held(request, context, until: endsAtMs) { [services] install, nowMs, _ in
            let outlook = services.outlook(of: install, in: app, nowMs: nowMs)
            let answer = ProfileAnswer(profile: install.wireProfile, attribution: outlook.attribution)
            return HeldAnswer(
                value: answer, question: .init(asked: .profile, outlook: outlook),
                isDone: waiting.after.map { answer.profile.version > $0 } ?? true
            )
        }
    }

    /// `POST /v1/profiles/me/ad-token`: the token that a first open announced.
    @Sendable func reportToken(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let token = context.snapshot.accepted(try await request.decoded(as: AdToken.self, upTo: Self.bodyLimit))
        if case .value(let text) = token, !AppleAdsToken.isPlausible(text) {
            throw RequestError.invalid("value", "a token of 1 to 4096 visible ASCII characters.")
        }
        let nowMs = services.time.nowMs()
        let install = try await services.installs.report(caller.app, credential, token, nowMs: nowMs)
        services.holds.changed(app: caller.app, install: credential.installID, isToken: token != .coming)
        return Answer(services.answer(about: install, of: caller, nowMs: nowMs))
    }

    /// `POST /v1/profiles/me/attributes`
    @Sendable func changeAttributes(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let changes = try await request.decoded(as: AttributeChanges.self, upTo: Self.bodyLimit)
        try context.snapshot.check(changes.attributes)
        return try await services.changing(context) { caller, credential, nowMs in
            try await services.installs.change(caller.app, credential, changes, nowMs: nowMs)
        }
    }
}

extension Services {
    /// Runs one change of an install and tells everything that is held for it.
    func changing(
        _ context: AppContext, _ change: (Caller, Credential, _ nowMs: Int64) async throws -> Install
    ) async throws -> Answer<ProfileAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let nowMs = time.nowMs()
        let install = try await change(caller, credential, nowMs)
        holds.changed(app: caller.app, install: credential.installID)
        return Answer(answer(about: install, of: caller, nowMs: nowMs))
    }
}

extension Services {
    /// What a phone is told of itself.
    func answer(about install: Install, of caller: Caller, nowMs: Int64) -> ProfileAnswer {
        let outlook = outlook(of: install, in: caller.app, nowMs: nowMs)
        return ProfileAnswer(profile: install.wireProfile, attribution: outlook.attribution)
    }

    /// A token that a stream of this install waits for counts as pending for every other answer too.
    func outlook(of install: Install, in app: AppID, nowMs: Int64) -> AttributionOutlook {
        AttributionOutlook(
            install: install, isTokenAnnounced: holds.isTokenComing(app: app, install: install.id), nowMs: nowMs,
            holdEndsAtMs: .max
        )
    }
}
