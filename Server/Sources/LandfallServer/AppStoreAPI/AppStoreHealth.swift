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
    package let test: TestNotification?

    package init(problem: String?, succeededAtMs: Int64?, isLate: Bool, test: TestNotification?) {
        (self.problem, self.succeededAtMs, self.isLate, self.test) = (problem, succeededAtMs, isLate, test)
    }

    package init(_ database: any Database, of app: AppID, nowMs: Int64) async throws {
        let progress = AppStoreProgress(database, of: app)
        let state: ReconcileState? = try await progress.state(.reconcile)
        problem = state?.problem
        succeededAtMs = state?.succeededAtMs
        isLate = state?.succeededAtMs.map { $0 < nowMs - AppStoreReconcile.outageMs } ?? false
        test = try await progress.state(.test)
    }
}
