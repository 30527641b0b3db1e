// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
package import LandfallRules
package import LandfallStore
package import Logging
package import Metrics

extension JobKind {
    /// The questions to the App Store about what this server has not heard.
    package static let appStoreReconcile = JobKind(rawValue: "app_store_reconcile")
}

/// Asks the App Store for what it could not tell: notifications that failed, subscriptions whose time is over without a word, and after
/// an outage everything that changed. Without a key in the configuration nothing of it runs.
package struct AppStoreReconcile: Sendable {
    /// Between two looks. Most find nothing that is due.
    static let pauseMs: Int64 = 300_000
    /// Between two questions for failed notifications.
    static let hourMs: Int64 = 3_600_000
    /// A notification may fail some time after it was made.
    static let overlapMs: Int64 = 2 * hourMs
    /// How long after the end of a subscription a word is waited for.
    static let silenceMs: Int64 = 2 * hourMs
    /// Without a success for so long, much may have been missed.
    static let outageMs: Int64 = Retention.dayMs
    /// How far back Apple can be asked, less an hour for the difference of clocks.
    static func longestMs(_ environment: AppStoreEnvironment) -> Int64 { (environment == .production ? 180 : 30) * Retention.dayMs - hourMs }
    /// Questions of one try, and its time. What is left is done in the next one.
    static let mostCalls = 200
    static let longestTryMs: Int64 = 60_000
    /// Chains that are read at a time.
    static let lot = 20

    let api: AppStoreAPI
    let database: any Database
    let notifications: NotificationStore
    let trust: AppStoreTrust
    let tokens: PurchaseTokens
    let configuration: LiveConfiguration
    let telemetry: AppStoreAPITelemetry
    let time: ServerTime

    package init(
        _ api: AppStoreAPI, _ database: any Database, _ mark: StoreMark, notifications: NotificationStore, trust: AppStoreTrust,
        configuration: LiveConfiguration, time: ServerTime, logger: Logger, metrics: any MetricsFactory
    ) {
        (self.api, self.database, self.notifications, self.trust) = (api, database, notifications, trust)
        (self.configuration, self.time) = (configuration, time)
        tokens = PurchaseTokens(key: mark.purchaseKey)
        telemetry = AppStoreAPITelemetry(logger: logger, factory: metrics)
    }

    package func work(of app: AppID) -> JobWork {
        JobWork(
            kind: .appStoreReconcile, leaseMs: 3 * Self.longestTryMs,
            standing: [JobName(app: app, kind: .appStoreReconcile, key: "notifications")], attempt: attempt)
    }

    @Sendable func attempt(_ job: Job) async throws -> JobStep {
        let snapshot = configuration.snapshot
        guard snapshot.configuration.purchases.api != nil else { return later }
        let progress = AppStoreProgress(database, of: job.name.app)
        var state = try await progress.state(.reconcile) ?? ReconcileState()
        var fingerprint: String?
        do {
            guard let access = try AppStoreAccess(snapshot) else { return later }
            fingerprint = access.fingerprint
            guard !state.isRefused(access.fingerprint, nowMs: time.nowMs()) else { return later }
            var run = ReconcileRun(self, snapshot, access, progress, state)
            defer { state = run.state }
            return try await run.isDone() ? later : .again(atMs: time.nowMs())
        } catch AppStoreAPIError.limited(let untilMs) {
            return .again(atMs: untilMs)
        } catch let error as UnusablePrivateKey {
            try await note("\(error)", in: &state, progress)
            return later
        } catch AppStoreAPIError.unauthorized {
            state.refuse(fingerprint, atMs: time.nowMs())
            try await note("\(AppStoreAPIError.unauthorized)", in: &state, progress)
            return later
        } catch let error as AppStoreAPIError {
            try await note("\(error)", in: &state, progress)
            return .retry(atMs: time.nowMs() + job.pauseMs)
        }
    }

    private var later: JobStep { .again(atMs: time.nowMs() + Self.pauseMs) }

    /// Once in the log; as long as it lasts in what doctor says.
    private func note(_ problem: String, in state: inout ReconcileState, _ progress: AppStoreProgress) async throws {
        if state.problem != problem { telemetry.failed(problem) }
        state.problem = problem
        try await progress.write(state, .reconcile)
    }
}
