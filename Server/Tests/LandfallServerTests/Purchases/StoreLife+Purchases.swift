// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Logging
import Metrics

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// A purchase that is renewed and refunded, a repetition, a notification without a purchase, and one that is given up.
    static func purchases(_ store: TestStore) async throws {
        let now = TestStore.noon, signed = try SignedStore(nowMs: now), trust = try signed.trust()
        let snapshot = Snapshot(.sample(), revision: 1), app = snapshot.app.id
        let notifications = NotificationStore(store.database)
        let work = NotificationWork(
            store: notifications, trust: trust, configuration: LiveConfiguration(snapshot),
            telemetry: PurchasesTelemetry(factory: PrometheusRegistry()),
            time: ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() }),
            logger: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() })
        let refund = ["revocationDate": now - 1_000, "signedDate": now - 500]
        let texts = [
            try signed.subscribed(),
            try signed.notification("00000000-0000-4000-8000-000000000002", "REFUND", nil, data: ["signedTransactionInfo": signed.transaction(adding: refund)]),
            try signed.notification("00000000-0000-4000-8000-000000000003", "TEST", nil, data: [:]),
        ]
        for text in texts + texts.prefix(1) {
            let notification = try await trust.verifier(of: snapshot.app).notification(text, nowMs: now)
            _ = try await notifications.add(notification, to: app, nowMs: now)
        }
        for job in try await store.jobs.lease(.notification, 2, nowMs: now, leaseMs: 30_000) { _ = try await work.attempt(job) }
        for job in try await store.jobs.lease(.notification, 9, nowMs: now, leaseMs: 30_000) {
            guard let name = NotificationName(key: job.name.key) else { continue }
            try await notifications.keep(name, because: .failed, job, nowMs: now)
        }
    }
}
