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

extension StoreLife {
    /// A purchase, its repetition, its refund, and a notification that is given up, and due again.
    static func purchases(_ store: TestStore) async throws {
        let now = TestStore.noon, signed = try SignedStore(nowMs: now), trust = try signed.trust()
        let snapshot = Snapshot(.sample(), revision: 1), app = snapshot.app.id
        let notifications = NotificationStore(store.database)
        let work = NotificationWork(
            store: notifications, store.mark, trust: trust, configuration: LiveConfiguration(snapshot),
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
        func settle(_ text: String) async throws {
            for job in try await add(text) { _ = try await work.attempt(job) }
        }
        for text in texts { try await settle(text) }
        let test = try signed.notification("00000000-0000-4000-8000-000000000003", "TEST", nil, data: [:])
        for job in try await add(test) {
            guard let name = NotificationName(key: job.name.key) else { continue }
            try await notifications.keep(name, because: .failed, job, nowMs: now)
        }
        _ = try await GivenUpNotifications(store.database).retry(in: app, nowMs: now)
        try await verification(store, trust, snapshot)
        try await asked(store, signed, trust, snapshot)
        try await reports(store, signed, trust, snapshot)
        // What the App Store says of an erased person's purchase, and somebody who brings it again and gets its next charge.
        let renewals = try ["21", "22", "23"].map { try signed.transaction($0, of: "20") }
        func news(_ number: Int) throws -> String {
            try signed.notification(
                "00000000-0000-4000-8000-00000000001\(number)", "DID_RENEW", nil, data: ["signedTransactionInfo": renewals[number]])
        }
        for _ in 0..<2 { try await settle(news(0)) }
        let report = PurchaseReport(key: "back", reason: .restore, historyComplete: true, transactions: [.init(jws: renewals[1])])
        let item = PurchaseStore.Item.signed(try await trust.verifier(of: snapshot.app).transaction(renewals[1], nowMs: now), exposure: nil)
        _ = try await PurchaseStore(store.database, store.mark).take(report, [item], app, .mayasTablet, by: snapshot, nowMs: now)
        try await settle(news(2))
    }

    /// What the App Store is asked for, and what goes on to a second receiver.
    private static func asked(_ store: TestStore, _ signed: SignedStore, _ trust: AppStoreTrust, _ snapshot: Snapshot) async throws {
        let now = TestStore.noon, app = snapshot.app.id, chains = WatchedChains(database: store.database, app: app)
        let progress = AppStoreProgress(store.database, of: app), forwarding = ForwardingStore(store.database)
        _ = try await chains.due(before: now, 20)
        var facts = AnsweredFacts()
        let verifier = trust.verifier(of: snapshot.app)
        await facts.add(try signed.transaction("60", of: "60"), renewal: try signed.renewal(of: "60"), by: verifier, nowMs: now)
        let purchases = snapshot.configuration.purchases, tokens = PurchaseTokens(key: store.mark.purchaseKey)
        _ = try await facts.store(in: store.database, of: app, rules: purchases, tokens: tokens, nowMs: now, with: [])
        for chain in try await chains.chains(after: ReconcileState.Walk(dueMs: 0, chain: ""), 1) {
            let ends = [chains.hasRead(chain.id, upTo: "it's here"), chains.isHeard(chain)]
            _ = try await facts.store(in: store.database, of: app, rules: purchases, tokens: tokens, nowMs: now, with: ends)
        }
        try await progress.write(ReconcileState(), .reconcile)
        _ = try await progress.state(.reconcile, as: ReconcileState.self)
        var rules = snapshot.configuration.purchases
        rules.notify = NotificationReceiver(url: "https://example.com")
        let text = try signed.notification("00000000-0000-4000-8000-000000000004", "TEST", nil, data: [:])
        _ = try await NotificationStore(store.database).add(
            verifier.notification(text, nowMs: now), to: app, forwarding: ForwardedBody(ofAppleIn: rules), nowMs: now)
        for job in try await store.jobs.lease(.appStoreForwarding, 9, nowMs: now, leaseMs: 30_000) {
            guard let name = NotificationName(key: job.name.key) else { continue }
            _ = try await forwarding.waiting(name, in: app)
            try await forwarding.end(name, .givenUp, job)
        }
        _ = try await forwarding.counts(in: app)
        let arrived: [SQLValue] = [.text(app.rawValue), .text("Production"), .text("it's there")]
        _ = try await store.database.read { try $0.row(TestNotificationRoutes.arrivedText, arrived) }
    }

    /// Two people with one purchase, a customer with a token of the app's own, and a renewal that finds whose it is by Landfall's.
    private static func reports(_ store: TestStore, _ signed: SignedStore, _ trust: AppStoreTrust, _ snapshot: Snapshot) async throws {
        let now = TestStore.noon, app = snapshot.app.id, purchases = PurchaseStore(store.database, store.mark)
        let verifier = trust.verifier(of: snapshot.app), own = "00000000-0000-4000-8000-00000000000A"
        let phone = Credential.phone("0199b0a0-0000-7000-8000-00000000000d", secret: 13)
        _ = try await store.installs.identify(
            app, phone, Identification(key: "i", customerID: "it's paid", isVerified: true), nowMs: now)
        let profile = try await store.installs.install(app, phone, nowMs: now).profileID
        let token = try #require(PurchaseTokens(key: store.mark.purchaseKey).token(of: profile))
        let bought = try signed.transaction(), mine = try signed.transaction("20", of: "20", adding: ["appAccountToken": own])
        let renewed = try signed.transaction("30", of: "30", adding: ["appAccountToken": token])
        // Who buys, and then signs in: what they bought goes with them.
        let before = Credential.phone("0199b0a0-0000-7000-8000-00000000000e", secret: 14), early = try signed.transaction("40", of: "40")
        // Who brings a purchase that moves to somebody else, and is erased.
        let first = Credential.phone("0199b0a0-0000-7000-8000-00000000000f", secret: 15), moved = try signed.transaction("50", of: "50")
        let person = Identification(key: "i", customerID: "it's paid", isVerified: true)
        for (number, (who, reason, text)) in [
            (before, PurchaseReason.sync, early), (before, .sync, early), (.mayasPhone, .sync, bought), (.mayasPhone, .sync, bought),
            (.mayasTablet, .sync, bought), (phone, .restore, bought), (phone, .purchase, mine), (.mayasPhone, .restore, renewed),
            (first, .purchase, moved), (phone, .restore, moved),
        ].enumerated() {
            let report = PurchaseReport(
                key: IdempotencyKey("p\(number)"), reason: reason, historyComplete: true, transactions: [.init(jws: text)])
            let item = PurchaseStore.Item.signed(try await verifier.transaction(text, nowMs: now), exposure: "it's shown")
            _ = try await purchases.take(report, [item], app, who, by: snapshot, nowMs: now)
            if number == 0 { _ = try await store.installs.identify(app, before, person, nowMs: now) }
        }
        _ = try await store.database.read { try UnsoldChains.lastCopies(for: ["Production:40"], of: before.installID, in: app, from: $0) }
        // Their events have not come, and at last are not waited for.
        for nowMs in [now, now + Retention.keyMs + 1] { _ = try await UnsoldChains(store.database, of: app).step(nowMs: nowMs) }
        let rules = RulesWork(
            store.database, store.mark, configuration: LiveConfiguration(snapshot),
            time: ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() }))
        while try await rules.step(in: app) != .done {}
        let access = AccessStore(store.database), grantID = UUIDv7.make(nowMs: now)
        let grant = AccessGrant(
            id: grantID, level: AccessLevel(rawValue: "premium"), startsAtMs: now, endsAtMs: nil, reason: "it's a gift", by: "operator")
        func line(_ action: AuditAction) -> Statement {
            AuditLine(action: action, member: "operator", subject: grantID, network: nil)
                .insertion(into: app, id: UUIDv7.make(nowMs: now), nowMs: now)
        }
        for person in [AccessStore.Person.customer("it's paid"), .customer("it's paid"), .profile("nobody")] {
            _ = try await access.add(grant, to: person, in: app, noting: line(.accessGiven), nowMs: now)
        }
        for id in [grantID, "none"] {
            _ = try await access.takeBack(id, in: app, because: "it's over", by: "operator", noting: line(.accessTakenBack), nowMs: now + 1)
        }
        _ = try await access.access(of: "it's paid", in: app)
        try await revenue(store, app)
        _ = try await store.database.read { try ProfileCharge.read(of: profile, app, upTo: now, most: 9, $0) }
        let erasing = Eraser(
            database: store.database, app: app, time: ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() }),
            counts: RollupErasure())
        _ = try await erasing.erase(.install(first.installID))
        _ = try await erasing.erase(.customer("it's paid"))
    }

    /// What runs and cohorts, of the stored charges and of those that follow from the originals.
    private static func verification(_ store: TestStore, _ trust: AppStoreTrust, _ snapshot: Snapshot) async throws {
        let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in throw CancellationError() })
        let reports = Reports(
            store: ReportStore(store.database), time: time,
            rollups: RollupWork(database: store.database, configuration: LiveConfiguration(snapshot), time: time), trust: trust)
        let today = ReportZone.utc.day(ofMs: TestStore.noon)
        for view in [RevenueView.subscriptions, .cohorts] {
            for isVerified in [false, true] {
                let days = try ReportDays(today - 9, today, in: .utc)
                _ = try await reports.answer(RevenueRequest(view, by: [.day, .source], days, isVerified: isVerified), snapshot)
            }
        }
    }
}
