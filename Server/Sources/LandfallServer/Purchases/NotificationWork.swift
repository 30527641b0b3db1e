// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
package import Logging

/// Works on stored notifications, one job for each: what Apple signed becomes facts, and their chain is folded. It can run any number of
/// times, in any order, and on any node.
package struct NotificationWork: Sendable {
    /// More tries do not help: the next notifications must not wait for it, and somebody has to look.
    static let mostTries: Int64 = 8
    /// While the store does not take writes.
    private static let pauseMs: Int64 = 15_000

    private let store: NotificationStore
    private let trust: AppStoreTrust
    private let tokens: PurchaseTokens
    private let configuration: LiveConfiguration
    private let telemetry: PurchasesTelemetry
    private let time: ServerTime
    private let logger: Logger

    package init(
        store: NotificationStore, _ mark: StoreMark, trust: AppStoreTrust, configuration: LiveConfiguration, telemetry: PurchasesTelemetry, time: ServerTime,
        logger: Logger
    ) {
        self.store = store
        self.trust = trust
        tokens = PurchaseTokens(key: mark.purchaseKey)
        self.configuration = configuration
        self.telemetry = telemetry
        self.time = time
        self.logger = logger
    }

    /// People wait for what they have bought, so the work begins at once and goes before bulk work.
    package var work: JobWork {
        JobWork(kind: .notification, concurrency: 8, leaseMs: 30_000, urgency: .interactive, startPause: .zero, attempt: attempt)
    }

    @Sendable func attempt(_ job: Job) async throws -> JobStep {
        guard let name = NotificationName(key: job.name.key) else { return .done }
        // The tries before have ended without a word, perhaps with the whole process.
        if job.attempts > Self.mostTries { return try await keep(name, .failed, "too many tries", job) }
        do {
            guard let waiting = try await store.waiting(name, in: job.name.app) else { return .done }
            let snapshot = configuration.snapshot, nowMs = time.nowMs()
            let verifier = trust.verifier(of: snapshot.app)
            // A clock that was set back does not make it a text of the future.
            let signed = try await verifier.notification(waiting.signedPayload, nowMs: max(nowMs, waiting.receivedAtMs))
            let reason: KeptNotification? = signed.notification.isKnown ? nil : .unknown
            let settling = NotificationSettling(
                signed, name, reason: reason, rules: snapshot.configuration.purchases, tokens: tokens, receivedAtMs: waiting.receivedAtMs,
                webhooks: configuration.webhooks)
            try await settling.run(job, in: store.database, nowMs: nowMs)
            telemetry.processed(reason)
            return .moved(isDone: true)
        } catch let refusal as AppStoreRefusal {
            return try await keep(name, .refused, "\(refusal)", job)
        } catch let error as DatabaseError where error.isOfTheMoment {
            // The store's trouble is not the notification's: it counts as no try, however long it lasts.
            logger.warning("The store does not take a notification's facts; they are tried again.", metadata: ["error.text": "\(error)"])
            return .again(atMs: time.nowMs() + Self.pauseMs)
        } catch where !(error is DatabaseError) && !(error is CancellationError) && job.attempts >= Self.mostTries {
            return try await keep(name, .failed, "\(error)", job)
        }
    }

    private func keep(_ name: NotificationName, _ reason: KeptNotification, _ cause: String, _ job: Job) async throws -> JobStep {
        try await store.keep(name, because: reason, job, nowMs: time.nowMs())
        telemetry.processed(reason)
        logger.error(
            "A notification of the App Store could not be worked on; its body is kept.",
            metadata: ["notification.reason": "\(reason.rawValue)", "error.text": "\(cause)"])
        return .moved(isDone: true)
    }
}

extension DatabaseError {
    /// The same call may succeed later.
    fileprivate var isOfTheMoment: Bool {
        switch self {
        case .retry, .diskFailing, .busy, .tooManyReads, .diskLow, .cannotConnect, .closed: true
        default: false
        }
    }
}
