// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Logging
import Metrics

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// A purchase, its repetition, its refund, and a notification that is given up.
    static func purchases(_ store: TestStore) async throws {
        let now = TestStore.noon, signed = try SignedStore(nowMs: now), trust = try signed.trust()
        let snapshot = Snapshot(.sample(), revision: 1), app = snapshot.app.id
        let notifications = NotificationStore(store.database)
        let work = NotificationWork(
            store: notifications, trust: trust, configuration: LiveConfiguration(snapshot),
            telemetry: PurchasesTelemetry(factory: PrometheusRegistry()),
            time: ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() }),
            logger: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() })
        // Apple signs the transaction again: with another price and its refund.
        let later = ["price": 8_990, "revocationDate": now - 1_000, "signedDate": now - 500]
        let texts = [
            try signed.subscribed(), try signed.subscribed(),
            try signed.notification(
                "00000000-0000-4000-8000-000000000002", "REFUND", nil, data: ["signedTransactionInfo": signed.transaction(adding: later)]),
        ]
        func add(_ text: String) async throws -> [Job] {
            let notification = try await trust.verifier(of: snapshot.app).notification(text, nowMs: now)
            _ = try await notifications.add(notification, to: app, nowMs: now)
            return try await store.jobs.lease(.notification, 9, nowMs: now, leaseMs: 30_000)
        }
        for text in texts {
            for job in try await add(text) { _ = try await work.attempt(job) }
        }
        let test = try signed.notification("00000000-0000-4000-8000-000000000003", "TEST", nil, data: [:])
        for job in try await add(test) {
            guard let name = NotificationName(key: job.name.key) else { continue }
            try await notifications.keep(name, because: .failed, job, nowMs: now)
        }
    }
}
