// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Counting days again", .timeLimit(.minutes(1)))
struct RollupRecountTests {
    private static let noon = TestStore.noon
    private static let day = TestStore.noon / Retention.dayMs

    /// Two first opens, an exposure and a click on one day, all counted.
    private static func counted() async throws -> TestStore {
        let store = try await TestStore(createdAtMs: noon - 1)
        for phone in [Credential.mayasPhone, .omarsPhone] { try await store.open(phone, nowMs: noon) }
        let shown = Event(id: UUIDv7.make(nowMs: noon), type: .paywallShown, ageMilliseconds: 0)
        _ = try await store.events.record(EventBatch(events: [shown]), TestStore.app, .mayasPhone, nowMs: noon + 1)
        let click = Click(
            id: UUIDv7.make(nowMs: noon), atMs: noon, kind: .person, platform: .ios, host: "go.example.com",
            path: LinkPath(stored: "/a"), outcome: .store, labels: LinkLabels())
        try await store.clicks.record(ClickEntry(click: click), of: TestStore.app)
        return store
    }

    private static func work(_ store: TestStore, atMs: Int64, onDifferences: @escaping @Sendable (RollupRecount.Differences) -> Void = { _ in }) -> RollupWork {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        return RollupWork(
            database: store.database, configuration: LiveConfiguration(Snapshot(configuration, revision: 1)),
            time: ServerTime(nowMs: { atMs }, sleep: { _ in }), onDifferences: onDifferences)
    }

    private static func damage(_ store: TestStore, _ texts: String...) async throws {
        try await store.engine.write { connection in for text in texts { _ = try connection.run(text) } }
    }

    private static func firstOpens(_ store: TestStore, _ work: RollupWork, atMs: Int64) async throws -> [Int64?] {
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let days = try ReportDays(from: ReportDays.text(day), to: ReportDays.text(day), nowMs: atMs)
        let funnel = try await FunnelReport(days: days, by: []).sheet(ReportStore(store.database), work.configuration.snapshot, state, nowMs: atMs)
        return funnel.totals
    }

    @Test("builds the first days where there are none, finds nothing where every fact was counted, and puts right what differs")
    func differences() async throws {
        let store = try await Self.counted(), later = Self.noon + 2 * Retention.dayMs
        let work = Self.work(store, atMs: later)
        let range = try ReportDays(from: ReportDays.text(Self.day - 1), to: ReportDays.text(Self.day + 1), nowMs: later)
        let right = try await work.rebuild(range, mostDays: 7)
        let totals = try await Self.firstOpens(store, work, atMs: later)

        try await Self.damage(
            store, "UPDATE report_day SET cells = ''", "UPDATE click_day SET cells = ''",
            "UPDATE install SET platform = 'android' WHERE install_id = (SELECT MIN(install_id) FROM install)")
        let wrong = try await Self.firstOpens(store, work, atMs: later)
        let first = try await work.rebuild(range, mostDays: 2)
        let second = try await work.rebuild(range, mostDays: 7)

        #expect(totals == [1, 1, 2, 1, 0] && wrong != totals)
        #expect((right.days, right.installs, right.changedDays, right.changedClickDays) == (3, 0, 0, 0))
        // The changed install has marked its day; nothing has marked the day of exposures.
        #expect((first.days, first.installs, first.changedDays, first.changedClickDays) == (2, 1, 1, 1))
        #expect(first.from == range.from && first.to == ReportDays.text(Self.day) && first.next == range.to)
        #expect((second.installs, second.changedDays, second.changedClickDays, second.next) == (0, 0, 0, nil))
        #expect(try await Self.firstOpens(store, work, atMs: later) == totals)
    }

    @Test("happens each night for the last three days, and tells what differed")
    func nightly() async throws {
        let store = try await Self.counted(), later = Self.noon + 2 * Retention.dayMs
        let found = FoundDifferences()
        let work = Self.work(store, atMs: later) { found.add($0) }
        while try await work.step() {}
        try await Self.damage(
            store, "UPDATE report_day SET cells = ''", "DELETE FROM install_progress")

        var due: [Int64] = []
        for back in 1...RollupWork.nights { due.append(try await work.recountNightly(back)) }

        let midnight = (later / Retention.dayMs + 1) * Retention.dayMs
        // The day of the missing installs is marked already when it is compared.
        #expect(found.all.map(\.installs) == [0, 2, 0] && found.all.allSatisfy { $0.days == 0 && $0.clickDays == 0 })
        #expect(due.allSatisfy { (midnight...(midnight + 4 * TestStore.hour)).contains($0) } && Set(due).count == 1)
        #expect(try await Self.firstOpens(store, work, atMs: later)[FunnelReport.layout[.firstOpens]] == 2)
    }

    @Test("is one job for all nights, apart from the days, and nobody else takes it before its lease ends")
    func job() async throws {
        let store = try await Self.counted(), later = Self.noon + 2 * Retention.dayMs
        let work = Self.work(store, atMs: later), recounts = work.recounts
        while try await work.step() {}
        let queue = JobQueue(database: store.database)
        try await queue.add(recounts.standing, dueAtMs: later)
        let former = Job(
            name: JobName(app: TestStore.app, kind: .rollups, key: "recount 1"), install: nil, payload: "", attempts: 1, createdAtMs: later,
            leaseUntilMs: later)

        let taken = try await queue.lease(recounts.kind, 3, nowMs: later, leaseMs: recounts.leaseMs)
        let meanwhile = try await queue.lease(recounts.kind, 3, nowMs: later + 2 * TestStore.hour, leaseMs: recounts.leaseMs)
        let step = try await recounts.attempt(try #require(taken.first))
        let formerStep = try await work.work.attempt(former)

        #expect(recounts.kind != work.work.kind && taken.count == 1 && meanwhile.isEmpty)
        guard case .again(let dueMs) = step else { Issue.record("\(step)"); return }
        let midnight = (later / Retention.dayMs + 1) * Retention.dayMs
        #expect((midnight...(midnight + 4 * TestStore.hour)).contains(dueMs))
        #expect(formerStep == .done)
    }

    @Test("Every later exposure of an install is found, a few at a time")
    func paging() async throws {
        let store = try await Self.counted()
        let events = (1...5).map { Event(id: UUIDv7.make(nowMs: Self.noon), type: .paywallShown, ageMilliseconds: $0 * TestStore.hour) }
        _ = try await store.events.record(EventBatch(events: events), TestStore.app, .mayasPhone, nowMs: Self.noon + 2)
        let devices = Self.work(store, atMs: Self.noon).configuration.snapshot.testDevices
        let install = Credential.mayasPhone.installID.rawValue

        let found = try await store.database.read { connection in
            try ([2, 3, 6, 7, 2_000] as [Int64]).map { page in
                let reading = InstallProgressReader(app: TestStore.app, types: [], testDevices: devices, page: page)
                let news = try reading.news(of: install, sinceMs: Self.noon - TestStore.hour, connection)
                #expect(news.ownMs == nil)
                return Set(try reading.exposures(of: install, fromMs: news.shownMs ?? .max, connection))
            }
        }

        #expect(found[4].count == 6 && found.allSatisfy { $0 == found[4] })
    }

    @Test("finds no difference where exposures come while they are counted", arguments: 24..<32)
    func meanwhile(read: Int) async throws {
        let store = try await Self.counted(), later = Self.noon + TestStore.hour
        let first = Self.work(store, atMs: later)
        while try await first.step() {}
        let database = InterruptedDatabase(base: store.database, beforeRead: read) {
            let shown = Event(id: UUIDv7.make(nowMs: later), type: .paywallShown, ageMilliseconds: 0)
            _ = try await store.events.record(EventBatch(events: [shown]), TestStore.app, .omarsPhone, nowMs: later)
        }
        let work = RollupWork(
            database: database, configuration: first.configuration, time: ServerTime(nowMs: { later }, sleep: { _ in }))
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let recount = RollupRecount(settling: work.settling(work.configuration.snapshot, state), generation: try #require(state.serving))

        let found = try await recount.recount(Self.day, nowMs: later)

        #expect(found == RollupRecount.Differences())
    }

    @Test("tells of no day that stays as it is because its rows may be deleted")
    func frozen() async throws {
        let store = try await Self.counted(), work = Self.work(store, atMs: Self.noon + TestStore.hour)
        while try await work.step() {}
        try await Self.damage(store, "UPDATE report_day SET cells = ''")
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let settling = work.settling(work.configuration.snapshot, state)

        let later = Self.noon + settling.retention.installMs + 2 * Retention.dayMs
        let found = try await RollupRecount(settling: settling, generation: try #require(state.serving)).recount(Self.day, nowMs: later)

        #expect(found.days == 0)
    }

    @Test("is counted by a metric where something differed")
    func metric() async throws {
        try await TestServer.run { server in
            let rollups = server.services.rollups
            while try await rollups.step() {}
            let days = try ReportDays(from: nil, to: nil, nowMs: server.services.time.nowMs())
            let rebuilt = try await rollups.rebuild(days, mostDays: 400)
            rollups.onDifferences(RollupRecount.Differences(installs: 2, days: 0, clickDays: 1))

            #expect(rebuilt.days == 30 && rebuilt.next == nil && rebuilt.installs == 0)
            let text = server.services.metrics.text()
            #expect(text.contains(#"landfall_report_differences_total{what="install"} 2"#))
            #expect(text.contains(#"landfall_report_differences_total{what="click_day"} 1"#))
        }
    }
}

private final class FoundDifferences: Sendable {
    private let found = Mutex<[RollupRecount.Differences]>([])
    var all: [RollupRecount.Differences] { found.withLock(\.self) }
    func add(_ differences: RollupRecount.Differences) { found.withLock { $0.append(differences) } }
}
