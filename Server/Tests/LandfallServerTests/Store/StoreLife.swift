// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Everything that a store is ever asked, in one plausible life: three phones, two people, every outcome of an exchange.
enum StoreLife {
    static func run(in store: TestStore) async throws {
        try await installs(store)
        try await room(store)
        try await people(store)
        try await tokens(store)
        try await events(store)
        try await configuration(store)
        try await experiments(store)
        try await links(store)
        try await clicks(store)
        try await addresses(store)
        try await buttonTaps(store)
        try await purchases(store)
        try await appleAds(store)
        try await webhooks(store)
        try await alerts(store)
        try await jobs(store)
        try await rollups(store)
        try await profiles(store)
        try await exports(store)
        try await dailyExports(store)
        try await erasure(store)
        try await console(store)
        try await openID(store)
        try await consoleLinks(store)
        try await retention(store)
        try await ResultsLife.run(in: store)
    }

    private static let app = TestStore.app
    private static let now = TestStore.noon

    private static func installs(_ store: TestStore) async throws {
        var device = DeviceFacts()
        device.appVersion = "1.2.0"
        device.locale = "fr-FR"
        device.deviceId = "device-1"
        device.installedAgeMilliseconds = 86_400_000
        try await store.open(
            .mayasPhone, token: .value("t1"), device: device, attributes: ["plan": .string("it's \"gold\" – ü\\n\n2")])
        try await store.open(.mayasTablet, token: .none(.unsupported), device: device)
        try await store.open(.mayasPhone, device: device, nowMs: now + 2 * TestStore.hour)
        _ = try? await store.open(.mayasPhone.impostor)
        _ = try await store.install(.mayasTablet)
        _ = try await store.installs.install(app, Credential.omarsPhone.installID)
        _ = try await store.installs.change(
            app, .mayasPhone, AttributeChanges(key: "a1", attributes: ["plan": nil, "age": .number(31.5), "vip": .bool(true)]),
            nowMs: now
        )
        _ = try await store.installs.change(
            app, .mayasPhone, AttributeChanges(key: "a1", attributes: ["plan": nil, "age": .number(31.5), "vip": .bool(true)]),
            nowMs: now
        )
        var claim = AttributionClaim(key: "c1", source: "tenjin", status: .nonOrganic, ageMilliseconds: 5)
        claim.campaign = "autumn"
        _ = try await store.installs.record(app, .mayasTablet, claim, nowMs: now)
        _ = try? await store.installs.record(
            app, .mayasTablet, AttributionClaim(key: "c1", source: "adjust", status: .organic), nowMs: now)
    }

    private static func room(_ store: TestStore) async throws {
        try await StoreMark.tryRoom(in: store.database)
    }

    private static func people(_ store: TestStore) async throws {
        for (key, phone, customer, isVerified) in [
            ("i1", Credential.mayasPhone, "maya", true), ("i2", .mayasTablet, "maya", true), ("i3", .omarsPhone, "maya", false),
            ("i4", .omarsPhone, "omar", false), ("i5", .omarsPhone, "omar", true), ("i6", .mayasTablet, "guest", true),
        ] {
            let person = Identification(key: IdempotencyKey(key), customerID: CustomerID(customer), isVerified: isVerified)
            _ = try await store.installs.identify(app, phone, person, nowMs: now)
        }
        _ = try await store.installs.logOut(app, .mayasPhone, key: "o1", nowMs: now)
    }

    private static func tokens(_ store: TestStore) async throws {
        for number in 2...6 {
            _ = try await store.installs.report(app, .omarsPhone, .value("t\(number)"), nowMs: now + Int64(number))
        }
        _ = try await store.installs.report(app, .mayasTablet, .value("t2"), nowMs: now)
        _ = try await store.jobs.nextDueMs(of: [.appleAds])
        let first = try await store.lease(2, nowMs: now + 100)
        try await store.jobs.endLeases()
        let leased = try await store.lease(16, nowMs: now + 100)
        var answer = AppleAdsAnswer(attribution: true)
        answer.campaignId = 542_370_539
        let outcomes: [ExchangeOutcome] = [
            .attributed(answer), .organic, .invalidToken, .notFound, .silence(.status), .silence(.timeLimit),
        ]
        for (exchange, outcome) in zip(leased.sorted { $0.token < $1.token }, outcomes) {
            let step = ExchangeStep(after: outcome, of: exchange, nowMs: now + 200)
            try await store.answers.record(outcome, step, of: exchange, nowMs: now + 200)
        }
        try await store.answers.record(.organic, .finish(.organic), of: first[0], nowMs: now + 300)
        _ = try await store.lease(16, nowMs: now + 60_000)
        _ = try await store.jobs.nextDueMs(of: [.appleAds])
        for phone in [Credential.mayasPhone, .mayasTablet, .omarsPhone] { _ = try await store.install(phone) }
    }

    private static func events(_ store: TestStore) async throws {
        var shown = Event(id: "0199b0a1-0000-7000-8000-000000000001", type: .paywallShown, ageMilliseconds: 7)
        shown.placement = "onboarding"
        (shown.revision, shown.elapsedMilliseconds) = (3, 561)
        for phone in [Credential.mayasPhone, .mayasPhone, .omarsPhone] {
            _ = try await store.events.record(EventBatch(events: [shown]), app, phone, nowMs: now)
        }
        var trial = Event(id: "0199b0a1-0000-7000-8000-000000000002", type: Event.Kind("trial_started"), ageMilliseconds: 7)
        trial.value = EventValue(9.99)
        trial.currency = "EUR"
        trial.properties = ["plan": "it's \"yearly\""]
        let declared = [trial.type: EventDeclaration(hasValue: true, properties: ["plan": .string])]
        _ = try await store.events.record(EventBatch(events: [trial, shown]), app, .mayasPhone, declared: declared, nowMs: now)
        let explanations = ExplanationStore(database: store.database)
        _ = try await explanations.lastSeenInstall(of: try await store.install(.mayasPhone).profileID, in: app)
        _ = try await explanations.exposure(shown.id, of: Credential.mayasPhone.installID, in: app)
        _ = try await store.database.read { connection in
            var sampling = InstallSampler(app: app, numbers: SystemRandomNumberGenerator())
            return try sampling.draw(2, from: connection)
        }
        let many = (0..<101).map { _ in Event(id: UUIDv7.make(nowMs: now), type: .paywallShown, ageMilliseconds: 0) }
        _ = try await store.events.record(EventBatch(events: many + many), app, .omarsPhone, nowMs: now)
    }

    /// A phone with a former profile, a customer on two phones, a phone with events, and an unknown subject.
    private static func erasure(_ store: TestStore) async throws {
        let time = ServerTime(nowMs: { now }, sleep: { _ in throw CancellationError() })
        let erasing = Eraser(database: store.database, app: app, time: time, counts: RollupErasure())
        let phone = Credential.phone("0199b0a0-0000-7000-8000-000000000009", secret: 9)
        var device = DeviceFacts()
        device.deviceId = "device-9"
        try await store.open(phone, device: device)
        try await store.open(.phone("0199b0a0-0000-7000-8000-00000000000c", secret: 12), device: device)
        _ = try await store.events.record(
            EventBatch(events: [Event(id: UUIDv7.make(nowMs: now), type: .paywallShown, ageMilliseconds: 0)]), app, phone, nowMs: now)
        _ = try await store.installs.logOut(app, phone, key: "o", nowMs: now)
        for subject in [
            ErasureSubject.profile(.first(of: phone.installID)), .install(phone.installID), .install(phone.installID),
            .customer("guest"), .customer("nobody"),
        ] {
            let id = UUIDv7.make(nowMs: now)
            _ = try await erasing.erase(subject) { installs in
                AuditLine(action: .personForgotten, member: "operator", subject: AuditLine.subject(ofInstalls: installs), network: nil)
                    .insertion(into: app, id: id, nowMs: now)
            }
        }
        _ = try await erasing.erase(.omarsPhone)
        _ = try? await store.open(.omarsPhone)
        // A verified customer's profile outlives the install that left it.
        let left = Credential.phone("0199b0a0-0000-7000-8000-00000000000b", secret: 11)
        let person = Identification(key: "i", customerID: "it's kept", isVerified: true)
        _ = try await store.installs.identify(app, left, person, nowMs: now)
        _ = try await store.installs.logOut(app, left, key: "o", nowMs: now)
        _ = try await erasing.erase(.install(left.installID))
    }

    /// Taken by one, put back, taken again when that lease has ended, and done.
    private static func jobs(_ store: TestStore) async throws {
        let node = NodeName("node's"), queue = JobQueue(database: store.database, node: node)
        let kind = JobKind(rawValue: "replay")
        let names = ["a", "b's"].map { JobName(app: app, kind: kind, key: $0) }
        for _ in 0..<2 { try await queue.add(names, payload: "{}", dueAtMs: now) }
        _ = try await queue.lease(kind, 2, nowMs: now - 1, leaseMs: 1_000)
        let late = try await queue.lease(kind, 2, nowMs: now, leaseMs: 1_000)
        let jobs = try await queue.lease(kind, 2, nowMs: now + 1_000, leaseMs: 1_000)
        for job in late { try await queue.move(job, .done) }
        _ = try await queue.nextDueMs(of: [kind, .retention])
        _ = try await queue.failures(of: [kind, .retention])
        for (job, step) in zip(jobs, [JobStep.again(atMs: now + 9), .retry(atMs: now + 9)]) { try await queue.move(job, step) }
        _ = try await queue.lease(kind, 1, nowMs: now + 9, leaseMs: 1_000)
        let other = JobQueue(database: store.database, node: NodeName("other"))
        for name in names {
            guard let holder = try await other.otherHolder(of: name) else { continue }
            _ = try await other.take(name, from: holder, by: JobLease(untilMs: now + 1_009, node: NodeName("other")))
        }
        try await other.endLeases(of: NodeName("other"))
        _ = try await queue.lease(kind, 1, nowMs: now + 9, leaseMs: 1_000)
        try await queue.endLeases(of: node)
        _ = try await queue.lease(kind, 1, nowMs: now + 9, leaseMs: 1_000)
        try await queue.endLeases()
        for job in try await queue.lease(kind, 9, nowMs: now + 9, leaseMs: 2_000) { try await queue.move(job, .done) }
    }

    private static func configuration(_ store: TestStore) async throws {
        let versions = ConfigurationStore(store.database)
        _ = try await versions.newest()
        for text in ["apps: []", "apps: []", "apps: [] # it's newer"] { _ = try await versions.publish(text, nowMs: now) }
        _ = try await versions.newest()
        _ = try await versions.newestNumber()
        let draft = ConfigurationStore.Draft(text: "apps: [] # Ömer's", author: "Ömer", message: "it's \"new\"")
        for number in [0, 2] as [Int64] { _ = try await versions.publish(draft, after: number, nowMs: now) }
        for isOwner in [false, true] { _ = try await versions.publishFile("apps: [] # a file", isOwner: isOwner, nowMs: now) }
        for number in [1, 9] as [Int64] { _ = try await versions.version(number) }
        _ = try await versions.summaries(before: 3, limit: 1)
        _ = try await versions.summaries(publishedMs: now..<now + 1, limit: 1)
        let schedule = ScheduledVersions(store.database, app: app)
        var ids: [String] = []
        for _ in 0..<3 { ids.append(try await schedule.add(draft, base: 3, atMs: now + 1, nowMs: now).id) }
        _ = try await schedule.find(ids[0])
        _ = try await versions.publish(draft, after: 4, nowMs: now, ending: schedule.ending(ids[0]))
        try await schedule.fail(ids[1], because: "it's stale")
        for _ in 0..<2 { _ = try await schedule.cancel(ids[2]) }
        _ = try await schedule.list()
        for number in [0, 1, 2, .max] as [Int64] { _ = try await versions.version(upTo: number) }
        _ = try await versions.publishFile("apps: [] # another file", isOwner: true, nowMs: now)
        _ = try await versions.publishFile("apps: [] # a file", mayGoBack: false, nowMs: now)
        _ = try await store.database.write(.bulk, locking: [RowLock("store", ["name": .text("self")])]) { connection in
            let applied = Schema.migrations.map { AppliedMigration(id: $0.id, olderReleases: $0.olderReleases) }
            return try StoreRestore.prepare(connection, applied: applied, replacing: try StoreRestore.epoch(of: connection), nowMs: now)
        }
    }

    private static func links(_ store: TestStore) async throws {
        var link = StoredLink(
            host: "go.example.com", path: try LinkPath("/Été/a'b"), destination: "https://example.com/été?x=1",
            labels: LinkLabels(campaign: "summer"), expiresAtMs: now + TestStore.hour
        )
        let plain = StoredLink(host: "go.example.com", path: try LinkPath("/plain"), destination: "example://plain")
        link.ways.ios = [.app, .store]
        link.preview.title = "A \"title\""
        link.handover.pasteboard = true
        for links in [[link, plain], [plain]] { _ = try await store.links.add(links, to: app, nowMs: now) }
        for path in [link.path, plain.path, try LinkPath("/nothing")] {
            _ = try await store.links.link(app, host: "go.example.com", path: path)
        }
        let first = try await store.links.links(app, after: nil, limit: 1).map { LinkPlace(host: $0.host, path: $0.path) }.first
        _ = try await store.links.links(app, after: first, limit: 10)
        for path in [plain.path, plain.path] { _ = try await store.links.remove(app, host: "go.example.com", path: path) }
        for nowMs in [now, now + 24 * TestStore.hour] {
            try await VisitorNumbers(store.database).prepare(nowMs: nowMs)
            for (id, visitor) in [(1, -7), (2, -7), (3, 9), (4, nil)] as [(Int, Int64?)] {
                let click = Click(
                    id: UUIDv7.earliest(atMs: nowMs) + "\(id)", atMs: nowMs, kind: .person, platform: .ios,
                    host: link.host, path: link.path, outcome: .page, visitor: visitor, country: nil, labels: link.labels,
                    parameters: ["a": "b's"]
                )
                let token = id == 1 ? [DeferredToken.code()] : []
                let deferred = token.map { DeferredClick(token: $0, original: "o", resolved: "r") }
                try await store.clicks.record(click, handing: deferred, waiting: nil, of: app)
            }
        }
        let tapped = "0199b0a0-0000-7000-8000-0000000000aa"
        let click = Click(
            id: tapped, atMs: now, kind: .person, platform: .ios, host: link.host, path: link.path, outcome: .page, labels: link.labels,
            context: ClickContext(referrer: "example.org", browser: "Instagram", language: "de", productPage: "p"))
        try await store.clicks.record(ClickEntry(click: click), of: app)
        let tap = try #require(ButtonTap(target: "/a?lf_tap=store.\(tapped)"))
        for _ in 0..<2 { try await ButtonTapStore(store.database).record(tap, host: link.host, path: link.path, of: app, nowMs: now) }
        let days = try ReportDays(from: nil, to: nil, nowMs: now + 48 * TestStore.hour)
        for by in [[.host, .path], [], [.day, .campaign, .platform]] as [[LinkReport.Dimension]] {
            _ = try await LinkReportStore(database: store.database).counts(LinkReport(days: days, by: by), of: app)
        }
        try await reports(store, days)
        try await VisitorNumbers(store.database).forget(before: now)
    }

    private static func reports(_ store: TestStore, _ days: ReportDays) async throws {
        var configuration = Configuration.sample()
        configuration.app = App(id: app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = [Metric(name: "trial", measure: .event(Event.Kind("trial_started")))]
        let snapshot = Snapshot(configuration, revision: 1)
        let campaigns = CampaignReport(days: days, by: [.day, .source, .campaign, .country], metrics: snapshot.metrics)
        let paywalls = PaywallReport(days: days, by: [.placement, .paywall], metrics: snapshot.metrics)
        _ = try await campaigns.sheet(ReportStore(store.database), snapshot, nowMs: now + 48 * TestStore.hour)
        _ = try await paywalls.sheet(store.database, snapshot, nil, nowMs: now + 48 * TestStore.hour)
    }

    /// Away for days, back by more links than an install keeps; a link from before the install, taken once.
    private static func clicks(_ store: TestStore) async throws {
        var url = "https://go.example.com/plain?lf_campaign=it's&lf_x=y"
        for number in 0...AttributionFact.mostPerInstall {
            let later = now + Int64(number + 2) * Absence.shortestMs
            let report = try report(url, key: IdempotencyKey("l\(number)"))
            _ = try await store.installs.record(app, .mayasPhone, report, nowMs: later)
            url += "&lf_n=\(number)"
        }
        let unproven = try report(url, key: "l1")
        for _ in 0..<2 { try await store.installs.recordUnproven(app, unproven, nowMs: now) }

        try await store.handOver("token", in: app, nowMs: now)
        let claim = DeferredClaim(
            tokenHash: Array(SHA256.hash(data: Data("token".utf8))), windows: AttributionWindows())
        for phone in [Credential.mayasTablet, .mayasTablet, .omarsPhone] {
            _ = try await store.installs.claim(app, phone, claim, nowMs: now)
        }
        _ = try await store.install(.mayasPhone)
    }

    /// Two taps of one visitor, ten minutes apart, found by address; taps of two visitors at another address, not found; a
    /// token.
    private static func addresses(_ store: TestStore) async throws {
        var device = DeviceFacts()
        device.platform = "ios"
        let matching = AddressMatching()
        let later = now + AddressKey.lifeMs, keys = AddressKeys(store.database)
        for (number, address, nowMs, visitor) in [
            (1, "192.0.2.7", now, 7), (2, "192.0.2.7", later, 7), (3, "192.0.2.8", now, 7), (4, "192.0.2.8", now, 8),
        ] as [(Int, String, Int64, Int64)] {
            let click = Click(
                id: UUIDv7.earliest(atMs: nowMs) + "a\(number)", atMs: nowMs, kind: .person, platform: .ios,
                host: "go.example.com", path: try LinkPath("/plain"), outcome: .store, visitor: visitor, country: nil,
                labels: LinkLabels(campaign: "it's", creative: "ü")
            )
            let place = AddressPlace(ClientAddress(address), matching)
            let key = try await keys.prepared(nowMs: nowMs)
            let waiting = place.map { AddressedClick(place: $0, key: key, original: "https://go.example.com/plain", resolved: "r") }
            try await store.clicks.record(click, handing: [], waiting: waiting, of: app)
        }
        for (number, address) in [(4, "192.0.2.8"), (5, "192.0.2.7"), (5, "192.0.2.7"), (6, "192.0.2.7")] {
            let phone = Credential.phone("0199b0a0-0000-7000-8000-00000000000\(number)", secret: 1)
            try await store.open(phone, device: device, nowMs: later)
            let place = AddressPlace(ClientAddress(address), matching)
            let claim = DeferredClaim(tokenHash: nil, windows: AttributionWindows(), place: place)
            _ = try await store.installs.claim(app, phone, claim, nowMs: later)
        }
        for matching in [matching, nil] {
            let forgetting = AddressKeyExpiry(keys: keys, app: app, matching: matching)
            _ = try await forgetting.forgetSome(nowMs: later)
        }
    }

    /// Nothing's time is over, then everything's.
    private static func retention(_ store: TestStore) async throws {
        for nowMs in [now - 24 * TestStore.hour, now + 10_000 * 24 * TestStore.hour] {
            let forgetting = ClickExpiry(database: store.database, app: app, retention: Retention())
            _ = try await forgetting.forgetSome(nowMs: nowMs)
            for text in [
                RetentionTexts.events, RetentionTexts.eventKeys, RetentionTexts.requestKeys, RetentionTexts.exchanges,
                RetentionTexts.absences, RetentionTexts.notifications, RetentionTexts.erasedInstalls, RetentionRule.sessionsText, RetentionRule.invitationsText,
                RetentionRule.failuresText, RetentionTexts.auditEntries, RetentionTexts.keptInstalls,
            ] {
                let limit: SQLValue = [RetentionTexts.events, RetentionTexts.auditEntries].contains(text) ? .text(UUIDv7.earliest(atMs: nowMs)) : .integer(nowMs)
                try await store.database.write { connection in
                    _ = try connection.run(text, [.text(app.rawValue), limit, .integer(10_000)])
                }
            }
            let time = ServerTime(nowMs: { nowMs }, sleep: { _ in throw CancellationError() })
            let installs = InstallRetention(database: store.database, app: app, time: time, counts: RollupErasure())
            _ = try await installs.forgetLeftProfiles(before: nowMs)
            _ = try await installs.forgetInstalls(before: nowMs)
            let clock = RetentionClock(database: store.database, app: app)
            _ = try await clock.jump(nowMs: nowMs)
            _ = try await clock.confirm(nowMs: nowMs)
            try await JobQueue(database: store.database).pullForward([.retention], waitingPastMs: nowMs, nowMs: nowMs)
            _ = try await StoreWatch.numbers(in: store.database)
        }
    }

    private static func report(_ url: String, key: IdempotencyKey) throws -> ClickReport {
        let address = try LinkAddress(url)
        let opened = OpenedLink(
            answer: LinkOpenAnswer(status: .passedThrough, original: url),
            click: InAppClick(address, try LinkParameters(address))
        )
        return ClickReport(opened, key: key, ageMilliseconds: 5, windows: AttributionWindows())!
    }
}
