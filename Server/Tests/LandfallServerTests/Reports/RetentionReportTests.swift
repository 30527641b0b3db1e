// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("The report of retention", .timeLimit(.minutes(1)))
struct RetentionReportTests {
    private static let day = 24 * TestStore.hour
    private static let noon = TestStore.noon

    private static func snapshot(_ retention: Retention = Retention()) -> Snapshot {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.retention = retention
        return Snapshot(configuration, revision: 1)
    }

    private static func work(_ store: TestStore, atMs: Int64, _ retention: Retention = Retention()) async throws {
        let live = LiveConfiguration(snapshot(retention))
        let work = RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        while try await work.step() {}
    }

    private static func report(_ store: TestStore, by: String?, days: Int64 = 30, atMs: Int64) async throws -> ReportDocument {
        let state = try await store.database.read { try RollupState.load(TestStore.app, $0) }
        let last = atMs / day
        let range = try ReportDays(from: ReportDays.text(last - days + 1), to: ReportDays.text(last), nowMs: atMs)
        let dimensions = try by.map { try [RetentionReport.Dimension].named($0) } ?? RetentionReport.usual(range)
        return try await RetentionReport(days: range, by: dimensions).sheet(store.database, snapshot(), state, nowMs: atMs).document()
    }

    private static func record(_ store: TestStore, _ phone: Credential, agoMs: Int64, atMs: Int64) async throws {
        let event = Event(id: UUIDv7.make(nowMs: atMs), type: Event.Kind("undeclared"), ageMilliseconds: agoMs)
        _ = try await store.events.record(EventBatch(events: [event]), TestStore.app, phone, nowMs: atMs)
    }

    @Test("counts who was seen on a day after the first open: by a visit or an event, also one that comes late")
    func counts() async throws {
        let store = try await TestStore(createdAtMs: Self.noon - 1)
        try await Self.work(store, atMs: Self.noon)
        for phone in [Credential.mayasPhone, .omarsPhone, .mayasTablet] { try await store.open(phone, nowMs: Self.noon) }
        // Used for forty days before the app contained Landfall: what happened meanwhile is unknown.
        var device = DeviceFacts()
        device.installedAgeMilliseconds = 40 * Self.day
        try await store.open(.phone("0199b0a0-0000-7000-8000-000000000008", secret: 8), device: device, nowMs: Self.noon)
        try await store.open(.mayasPhone, nowMs: Self.noon + Self.day)
        try await store.open(.mayasTablet, nowMs: Self.noon + 3 * Self.day - 1)
        let now = Self.noon + 10 * Self.day
        try await Self.record(store, .omarsPhone, agoMs: 9 * Self.day, atMs: now)
        try await Self.work(store, atMs: now)

        let report = try await Self.report(store, by: nil, atMs: now)
        let all = try await Self.report(store, by: "", days: 60, atMs: now)
        let bySource = try await Self.report(store, by: "source,campaign", atMs: now)

        #expect(report.by == ["day"] && report.rows.map(\.key) == [["day": ReportDays.text(Self.noon / Self.day)]])
        let names = ["size", "day1", "eligible.day1", "rate.day1", "day3", "eligible.day3", "day7", "day14", "eligible.day14"]
        let expected: [Double?] = [3, 2, 3, 2.0 / 3, 0, 3, 0, nil, nil]
        for row in [report.rows[0].values, report.totals, bySource.rows[0].values] { #expect(names.map { row[$0] ?? nil } == expected) }
        #expect(all.values("size", "day1", "eligible.day1") == [[4, 2, 3], [4, 2, 3]])
    }

    @Test("has null until the whole cohort is old enough, and before the days of visits were recorded")
    func unknown() async throws {
        let store = try await TestStore(createdAtMs: Self.noon - 1)
        try await store.open(.mayasPhone, nowMs: Self.noon)
        let unrecorded = try await Self.report(store, by: nil, atMs: Self.noon + 5 * Self.day)
        // Only from here on it is known that everything is recorded.
        try await Self.work(store, atMs: Self.noon + 2 * Self.day)
        try await store.open(.omarsPhone, nowMs: Self.noon + 2 * Self.day)

        let end = (Self.noon / Self.day + 3) * Self.day
        var days: [[[Double?]]] = [], weeks: [[[Double?]]] = []
        for atMs in [end + 2 * Self.day - 1, end + 2 * Self.day, end + 20 * Self.day] {
            try await Self.work(store, atMs: atMs)
            days.append(try await Self.report(store, by: "day", atMs: atMs).values("size", "day1", "day3"))
            weeks.append(try await Self.report(store, by: "week", atMs: atMs).values("size", "day14"))
        }

        #expect(unrecorded.values("size", "day1") == [[1, nil], [1, nil]])
        #expect(days[0] == [[1, nil, nil], [1, nil, nil], [2, nil, nil]])
        #expect(days[1] == [[1, nil, 0], [1, 0, nil], [2, 0, 0]])
        #expect(days[2] == [[1, nil, 0], [1, 0, 0], [2, 0, 0]])
        #expect(weeks[1] == [[2, nil], [2, nil]])
        #expect(weeks[2] == [[2, 0], [2, 0]])
    }

    @Test("counts visits of the days 30, 60 and 90 also where events are kept for thirty days")
    func shortEvents() async throws {
        var retention = Retention()
        retention.eventDays = 30
        let store = try await TestStore(createdAtMs: Self.noon - 1)
        try await Self.work(store, atMs: Self.noon, retention)
        for phone in [Credential.mayasPhone, .omarsPhone] { try await store.open(phone, nowMs: Self.noon) }
        for day in [0, 30, 60, 90, 95] as [Int64] {
            let atMs = Self.noon + day * Self.day
            if (1...90).contains(day) { try await store.open(.mayasPhone, nowMs: atMs) }
            try await Self.work(store, atMs: atMs + TestStore.hour, retention)
        }

        let report = try await Self.report(store, by: "", days: 100, atMs: Self.noon + 95 * Self.day + TestStore.hour)

        let expected: [Double?] = [2, 0, 1, 2, 1, 1]
        #expect(["size", "day14", "day30", "eligible.day30", "day60", "day90"].map { report.totals[$0] ?? nil } == expected)
    }

    @Test("has weeks for more than 31 days, and refuses days and weeks together")
    func weeks() throws {
        let month = try ReportDays(from: "2026-10-01", to: "2026-10-31", nowMs: Self.noon)
        let longer = try ReportDays(from: "2026-10-01", to: "2026-11-01", nowMs: Self.noon)

        #expect(RetentionReport.usual(month) == [.day])
        #expect(RetentionReport.usual(longer) == [.week])
        #expect(throws: ReportError.daysAndWeeks) { try RetentionReport(days: month, by: [.day, .week]) }
    }
}

@Suite("The days of an install", .timeLimit(.minutes(1)))
struct InstallActivityTests {
    @Test("are kept from the day after the first call to day 90, whatever order they come in")
    func days() {
        var activity = InstallActivity()
        for day in [90, 62, -1, 0, 63, 91, 62, 1] as [Int64] { activity.insert(day) }

        #expect((-2...95).filter { activity.contains($0) } == [1, 62, 63, 90])
        #expect(activity.asked == [1, 90])
        #expect(InstallActivity.day(ofMs: 9, sinceMs: 10) == nil && InstallActivity.day(ofMs: 10, sinceMs: 10) == 0)
    }

    @Test("are stored for a visit on another day, also within an hour of the last one, and never taken back")
    func visits() async throws {
        let store = try await TestStore()
        let hours: [Double] = [0, 23.5, 24.1, 24.2, 90 * 24 + 1, 91 * 24 + 1]
        for hour in hours { try await store.open(.mayasPhone, nowMs: TestStore.noon + Int64(hour * 3_600_000)) }

        let found = try await store.database.read {
            try InstallActivity.stored(of: Credential.mayasPhone.installID.rawValue, in: TestStore.app, $0)
        }

        #expect((0...90).filter { found.contains($0) } == [1, 90])
    }
}
