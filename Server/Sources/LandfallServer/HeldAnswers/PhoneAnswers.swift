// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallWire

/// The answers to a phone about its own install.
package struct PhoneAnswers: Sendable {
    package let time: ServerTime
    let tokens: PurchaseTokens

    package init(time: ServerTime, _ mark: StoreMark) {
        self.time = time
        tokens = PurchaseTokens(key: mark.purchaseKey)
    }

    func answer(about install: Install, nowMs: Int64) -> ProfileAnswer {
        let resolution = resolution(of: install, nowMs: nowMs)
        return ProfileAnswer(profile: profile(of: install, nowMs: nowMs), attribution: resolution.attribution)
    }

    func profile(of install: Install, nowMs: Int64) -> WireProfile {
        var profile = install.wireProfile(tokens, nowMs: nowMs)
        profile.asOfMilliseconds = nowMs
        return profile
    }

    func resolution(of install: Install, nowMs: Int64) -> AttributionResolution {
        AttributionResolution(install: install, nowMs: nowMs, holdEndsAtMs: .max)
    }

    /// Runs one change of the calling install. Everything that is held for it hears of it, see ``ChangeObserver``.
    func changing(
        _ context: AppContext, _ change: (Caller, Credential, _ nowMs: Int64) async throws -> Install
    ) async throws -> Answer<ProfileAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let nowMs = time.nowMs()
        let install = try await change(caller, credential, nowMs)
        return Answer(answer(about: install, nowMs: nowMs))
    }
}
