// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// What the store says about the questions to the App Store.
package struct AppStoreHealth: Hashable, Sendable {
    /// Why the last questions did not succeed; nil if they did.
    package let problem: String?
    /// When everything had been asked, in Unix milliseconds.
    package let succeededAtMs: Int64?
    /// A server asks every hour; this is longer than a day.
    package let isLate: Bool
    /// Production refuses the key that the sandbox takes, as Apple does before an app's first release.
    package let isUnreleased: Bool
    package let test: TestNotification?
    /// When the last notification was found that Apple could not post, in Unix milliseconds.
    package let missedAtMs: Int64?
    /// When the first one was found of those between which none has come by itself.
    package let silentSinceMs: Int64?

    package init(
        problem: String?, succeededAtMs: Int64?, isLate: Bool, isUnreleased: Bool = false, test: TestNotification?, missedAtMs: Int64? = nil
    ) {
        (self.problem, self.succeededAtMs, self.isLate) = (problem, succeededAtMs, isLate)
        (self.isUnreleased, self.test, self.missedAtMs, silentSinceMs) = (isUnreleased, test, missedAtMs, missedAtMs)
    }

    package init(_ database: any Database, of app: AppID, nowMs: Int64) async throws {
        let progress = AppStoreProgress(database, of: app)
        let state: ReconcileState? = try await progress.state(.reconcile)
        problem = state?.problem
        succeededAtMs = state?.succeededAtMs
        isLate = state?.succeededAtMs.map { $0 < nowMs - AppStoreReconcile.outageMs } ?? false
        missedAtMs = state?.missedAtMs
        silentSinceMs = state?.silentSinceMs
        isUnreleased = state?.production.refusedAtMs != nil
        test = try await progress.state(.test)
    }
}
