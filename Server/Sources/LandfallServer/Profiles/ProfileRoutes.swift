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
        let caller = try context.requireCaller()
        let answer = try await services.held(caller, waitMs: waiting.waitMs) { [services] install, nowMs in
            let answer = services.answer(about: install, of: caller, nowMs: nowMs)
            return (answer, waiting.after.map { answer.profile.version > $0 } ?? true)
        }
        return Answer(answer)
    }

    /// `POST /v1/profiles/me/ad-token`: the token that a first open announced.
    @Sendable func reportToken(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let token = services.snapshot.accepted(try await request.decoded(as: AdToken.self, upTo: Self.bodyLimit))
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
        try services.snapshot.check(changes.attributes)
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
    /// What a phone is told of itself. A token that one of its streams waits for counts as pending here too.
    func answer(about install: Install, of caller: Caller, nowMs: Int64) -> ProfileAnswer {
        let outlook = AttributionOutlook(
            install: install, isTokenAnnounced: holds.isTokenComing(app: caller.app, install: install.id), nowMs: nowMs,
            holdEndsAtMs: .max
        )
        return ProfileAnswer(profile: install.wireProfile, attribution: outlook.attribution)
    }
}
