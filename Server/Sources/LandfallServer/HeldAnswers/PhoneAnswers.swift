// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallWire

/// The answers to a phone about its own install.
package struct PhoneAnswers: Sendable {
    package let time: ServerTime

    package init(time: ServerTime) { self.time = time }

    func answer(about install: Install, nowMs: Int64) -> ProfileAnswer {
        let resolution = resolution(of: install, nowMs: nowMs)
        return ProfileAnswer(profile: install.wireProfile, attribution: resolution.attribution)
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
