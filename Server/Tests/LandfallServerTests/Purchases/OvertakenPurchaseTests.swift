// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallReports
import LandfallWire
import Logging
import Metrics
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// What two phones, or a phone and Apple, do at one time on an engine with several writers.
@Suite(
    "A purchase that another unit overtakes", .embedded("the other unit's statements are put into this one's transaction"),
    .timeLimit(.minutes(1)))
struct OvertakenPurchaseTests {
    private static let now = TestStore.noon
    private static let time = ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() })

    @Test("brings no profile back that was erased after its token was found")
    func erased() async throws {
        let store = try await TestStore(), signed = try SignedStore(nowMs: Self.now), trust = try signed.trust()
        let snapshot = Snapshot(.sample(), revision: 1), app = snapshot.app.id, phone = Credential.mayasPhone
        let person = Identification(key: "i", customerID: "maya", isVerified: true)
        let profile = try await store.installs.identify(app, phone, person, nowMs: Self.now).profileID
        let token = try #require(PurchaseTokens(key: store.mark.purchaseKey).token(of: profile))
        let database = OvertakenDatabase(base: store.engine, at: .lock(.profile(profile, in: app))) { connection in
            var unit = ErasureUnit(app: app, nowMs: Self.now, reportStamp: 1, counts: RollupErasure(), connection: connection)
            _ = try unit.step(.profile(profile))
        }
        let notifications = NotificationStore(database)
        let work = NotificationWork(
            store: notifications, store.mark, trust: trust, configuration: LiveConfiguration(snapshot),
            telemetry: PurchasesTelemetry(factory: PrometheusRegistry()), time: Self.time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let text = try signed.notification(
            "00000000-0000-4000-8000-000000000001",
            data: ["status": 1, "signedTransactionInfo": signed.transaction(adding: ["appAccountToken": token])])
        let verified = try await trust.verifier(of: snapshot.app).notification(text, nowMs: Self.now)
        _ = try await notifications.add(verified, to: app, nowMs: Self.now)

        for job in try await store.jobs.lease(.notification, 1, nowMs: Self.now, leaseMs: 30_000) { _ = try await work.attempt(job) }

        #expect(database.isOvertaken)
        #expect(try await store.count(of: "purchase_fact WHERE kind = 'transaction'") == 1)
        for table in ["profile", "profile_chain", "purchase_chain WHERE owner_profile IS NOT NULL"] {
            #expect(try await store.count(of: table) == 0, "\(table)")
        }
    }

    @Test("is stored under the locks of its chains, which every unit takes before those of people")
    func order() async throws {
        let store = try await TestStore(), log = LockLog(store.database), signed = try SignedStore(nowMs: Self.now)
        let snapshot = Snapshot(.sample(), revision: 1), app = snapshot.app.id, verifier = try signed.trust().verifier(of: snapshot.app)
        var items: [PurchaseStore.Item] = []
        for id in ["3", "1", "2"] {
            items.append(.signed(try await verifier.transaction(signed.transaction(id, of: id), nowMs: Self.now), exposure: nil))
        }
        let report = PurchaseReport(key: "k", reason: .sync, transactions: [])

        _ = try await PurchaseStore(log, store.mark).take(report, items, app, .mayasPhone, by: snapshot, nowMs: Self.now)

        let units = log.units(changing: "purchase_fact")
        #expect(units.map(\.locks) == [["1", "2", "3"].map { .chain("Production:\($0)", in: app) }])
    }
}
