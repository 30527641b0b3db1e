// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Computed days", .timeLimit(.minutes(4)))
struct RollupTests {
    static let questions = ["", "day", "source", "source,campaign", "day,source,campaign,keyword", "country,platform", "day,country", "link", "source,link", "appVersion", "source,appVersion", "day,appVersion"]

    private static func configuration(zone: String, windowDays: Int64 = 3, testDevice: InstallID? = nil) -> Configuration {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = [Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: windowDays)]
        configuration.reportZone = ReportZone(zone)!
        configuration.testDevices = testDevice.map { [TestDevice(name: "phone", install: $0)] } ?? []
        return configuration
    }

    private static func work(_ database: any Database, _ live: LiveConfiguration, _ story: RollupStory) async -> RollupWork {
        let nowMs = await story.nowMs
        return RollupWork(
            database: database, configuration: live, time: ServerTime(nowMs: { nowMs }, sleep: { _ in }))
    }

    /// Every report by days that were computed, beside the same counted from the rows.
    private static func expectEqual(_ store: TestStore, _ snapshot: Snapshot, nowMs: Int64) async throws {
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let serving = try #require(state.serving)
        let days = try ReportDays(from: nil, to: nil, in: serving.rules.zone, nowMs: nowMs)
        for question in questions {
            let report = CampaignReport(days: days, by: try .named(question), metrics: snapshot.metrics)
            let raw = try await report.sheet(ReportStore(store.database), snapshot, nowMs: nowMs)
            let computed = try #require(try await report.sheet(ReportStore(store.database), snapshot, state, nowMs: nowMs))
            #expect(computed.rows == raw.rows && computed.totals == raw.totals, "by '\(question)'")
            #expect(computed.completeToMs == nowMs)
            #expect((raw.total(.firstOpens) ?? 0) > 0)
        }
    }

    /// The first opens of every report are the same, and who came back is who the story saw.
    private static func expectRetention(_ store: TestStore, _ snapshot: Snapshot, _ story: RollupStory) async throws {
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let (nowMs, zone) = (await story.nowMs, try #require(state.serving).rules.zone)
        let days = try ReportDays(from: nil, to: nil, in: zone, nowMs: nowMs)
        let campaigns = try #require(
            try await CampaignReport(days: days, by: [.day], metrics: []).sheet(ReportStore(store.database), snapshot, state, nowMs: nowMs))
        let funnel = try await FunnelReport(days: days, by: [.day]).sheet(ReportStore(store.database), snapshot, state, nowMs: nowMs)
        let retention = try await RetentionReport(days: days, by: [.day]).sheet(store.database, snapshot, state, nowMs: nowMs)

        for row in campaigns.rows.values + [campaigns.totals] {
            let sources = ([.attributed, .organic, .unknown] as [ReportMetric]).compactMap { row[campaigns.layout[$0]] }
            #expect(sources.count == 3 && sources.reduce(0, +) == row[campaigns.layout[.firstOpens]])
        }
        let reinstalls = await story.installs.count(where: \.isReinstall)
        #expect(reinstalls > 0 && campaigns.total(.reinstalls) == Int64(reinstalls))
        // A row may be about reinstalls only.
        let firstOpens = campaigns.rows.mapValues { $0[campaigns.layout[.firstOpens]] }.filter { $0.value != 0 }
        #expect(funnel.rows.mapValues { $0[funnel.layout[.firstOpens]] } == firstOpens)
        #expect(retention.rows.mapValues { $0[0] } == firstOpens)
        let fromMs = try #require(state.activityFromMs)
        let cohorts = Dictionary(grouping: await story.installs.filter { !$0.isReinstall }) { zone.day(ofMs: $0.firstOpenMs) }
        for (key, row) in retention.rows {
            let text = key[0].map { String(decoding: $0, as: UTF8.self) }
            let (day, cohort) = try #require(cohorts.first { ReportDays.text($0.key) == text })
            let watched = cohort.filter { $0.createdMs - $0.firstOpenMs < Retention.dayMs }
            var expected: [Int64?] = [Int64(cohort.count)]
            for asked in [1, 3, 7, 14, 30, 60, 90] as [Int64] {
                let isOld = zone.startMs(ofDay: day + 1) + (asked + 1) * Retention.dayMs <= nowMs
                let isRecorded = zone.startMs(ofDay: day) + asked * Retention.dayMs >= fromMs
                let seen = watched.filter { install in
                    install.seenMs.contains { $0 - install.createdMs >= asked * Retention.dayMs && $0 - install.createdMs < (asked + 1) * Retention.dayMs }
                }
                expected += isOld && isRecorded ? [Int64(watched.count), Int64(seen.count)] : [nil, nil]
            }
            #expect(row == expected, "day \(day)")
        }
    }

    @Test(
        "equal the count of all rows, whatever the order of facts, and wherever the node dies",
        arguments: zip(1...9 as ClosedRange<UInt64>, ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Europe/Berlin"]))
    func equal(seed: UInt64, zone: String) async throws {
        let startMs = seed == 9 ? RollupStory.springMs : RollupStory.autumnMs
        let store = try await TestStore(createdAtMs: startMs - 1)
        let story = RollupStory(store, seed: seed, startMs: startMs)
        let database = DisturbedDatabase(base: store.database, story: story)
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))

        while await !story.isOver {
            try await story.next()
            // The zone, a metric and the test devices change while days by the old ones are there, or are being computed.
            if await story.chance(3) {
                let window = await story.number(1...9)
                let device = await story.chance(50) ? story.anInstall() : nil
                let chosen = await story.chance(50) ? zone : "Asia/Tokyo"
                _ = live.serve(Snapshot(Self.configuration(zone: chosen, windowDays: Int64(window), testDevice: device), revision: live.snapshot.revision + 1))
            }
            let steps = await story.chance(20) ? story.number(1...20) : 0
            for _ in 0..<steps {
                do { _ = try await Self.work(database, live, story).step() } catch is DisturbedDatabase.Crash {}
            }
        }
        _ = live.serve(Snapshot(Self.configuration(zone: zone), revision: live.snapshot.revision + 1))
        let work = await Self.work(store.database, live, story)
        while try await work.step() {}

        try await Self.expectEqual(store, live.snapshot, nowMs: await story.nowMs)
        try await Self.expectRetention(store, live.snapshot, story)
        let settling = work.settling(live.snapshot, try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) }))
        let left = try await settling.settleInstalls(nowMs: await story.nowMs)
        #expect(left == 0)
    }

    @Test("say up to when they are complete: up to the first fact that is not computed yet")
    func complete() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        let later = TestStore.noon + 5_000
        let work = RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { later }, sleep: { _ in }))
        while try await work.step() {}
        let days = try ReportDays(from: nil, to: nil, nowMs: later)
        let report = CampaignReport(days: days, by: [], metrics: live.snapshot.metrics)
        func computed() async throws -> ReportSheet {
            let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
            return try #require(try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later))
        }

        try await store.open(.mayasPhone, nowMs: TestStore.noon)
        try await store.open(.omarsPhone, nowMs: TestStore.noon + 9)
        let before = try await computed()
        while try await work.step() {}
        let after = try await computed()

        #expect(before.completeToMs == TestStore.noon)
        #expect(before.total(.firstOpens) == 0)
        #expect(after.completeToMs == later)
        #expect(after.total(.firstOpens) == 2)
    }

    @Test("are counted also while installs are marked without pause: a marked day goes first from time to time")
    func steady() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        let later = TestStore.noon + 5_000
        let work = RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { later }, sleep: { _ in }))
        while try await work.step() {}
        let report = CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: later), by: [], metrics: [])
        func look() async throws -> (installs: Int64?, marks: Int) {
            let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
            let computed = try #require(try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later))
            let marks = try await store.database.read { try DirtyMark.oldest(DirtyMark.installs, of: TestStore.app, 10, $0).count }
            return (computed.total(.firstOpens), marks)
        }

        try await store.open(.mayasPhone, nowMs: TestStore.noon)
        _ = try await work.step()
        try await store.open(.omarsPhone, nowMs: TestStore.noon + 9)
        let waiting = try await look()
        _ = try await work.step(.day)
        let counted = try await look()

        #expect(waiting == (0, 1))
        #expect(counted == (1, 1))
    }

    @Test("keep the count of an erased install, and nothing that names it")
    func erased() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in })
        let work = RollupWork(database: store.database, configuration: live, time: time)
        for phone in [Credential.mayasPhone, .omarsPhone] { try await store.open(phone) }
        while try await work.step() {}

        let erasing = Eraser(database: store.database, app: TestStore.app, time: time, counts: RollupErasure())
        _ = try await erasing.erase(.install(Credential.mayasPhone.installID))
        // Another fact of the same day computes it again.
        try await store.open(.mayasTablet)
        while try await work.step() {}

        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let report = CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: TestStore.noon), by: [], metrics: [])
        let computed = try #require(try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: TestStore.noon))
        #expect(computed.total(.firstOpens) == 3)
        let cells = try await StoredCells(store.database)
        #expect(cells.places(of: [Credential.mayasPhone.installID.rawValue]) == [])
    }

    @Test("keep what they counted of a metric when metrics change after their rows are deleted")
    func moved() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        func work(atMs: Int64) -> RollupWork {
            RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        }
        try await store.open(.mayasPhone)
        for type in [Event.Kind.paywallShown, Event.Kind("trial_started")] {
            var event = Event(id: UUIDv7.make(nowMs: 1), type: type, ageMilliseconds: 0)
            event.elapsedMilliseconds = 561
            let declared = [Event.Kind("trial_started"): EventDeclaration()]
            _ = try await store.events.record(EventBatch(events: [event]), TestStore.app, .mayasPhone, declared: declared, nowMs: TestStore.noon + 1)
        }
        while try await work(atMs: TestStore.noon + 2).step() {}

        let later = TestStore.noon + 401 * Retention.dayMs
        var configuration = Self.configuration(zone: "UTC")
        configuration.metrics.insert(Metric(name: "new", measure: .event(Event.Kind("new"))), at: 0)
        _ = live.serve(Snapshot(configuration, revision: 2))
        while try await work(atMs: later).step() {}

        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let date = ReportDays.text(TestStore.noon / Retention.dayMs)
        let days = try ReportDays(from: date, to: date, nowMs: later)
        let campaigns = CampaignReport(days: days, by: [], metrics: live.snapshot.metrics)
        let installs = try await campaigns.installs(store.database, live.snapshot, state, nowMs: later, RowReader())
        let paywalls = try await PaywallReport(days: days, by: [], metrics: live.snapshot.metrics).sheet(store.database, live.snapshot, state, nowMs: later)
        #expect(state.serving?.number == 2)
        #expect(installs.rows[[]] == [1, 0, 0, 1, 0, 1, 0, 0, 0, 1])
        #expect(paywalls.totals == [1, 1, 0, 0, 0, 1] + (0..<ElapsedBuckets.count).map { $0 == ElapsedBuckets.bucket(of: 561) ? 1 : 0 })
    }

    @Test("are read as days without times where an earlier release computed them, also once their rows are deleted")
    func earlierForm() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        func work(atMs: Int64) -> RollupWork {
            RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        }
        func report(atMs: Int64) async throws -> (generation: Int64?, document: ReportDocument) {
            let state = try await store.database.read { try RollupState.load(TestStore.app, $0) }
            let date = ReportDays.text(TestStore.noon / Retention.dayMs)
            let report = try PaywallReport(days: ReportDays(from: date, to: date, nowMs: atMs), by: [], metrics: live.snapshot.metrics)
            let found = try await report.sheet(store.database, live.snapshot, state, nowMs: atMs)
            return (state?.serving?.number, found.document())
        }
        try await store.open(.mayasPhone)
        for type in [Event.Kind.paywallShown, Event.Kind("trial_started")] {
            var event = Event(id: UUIDv7.make(nowMs: 1), type: type, ageMilliseconds: 0)
            event.elapsedMilliseconds = 561
            let declared = [Event.Kind("trial_started"): EventDeclaration()]
            _ = try await store.events.record(EventBatch(events: [event]), TestStore.app, .mayasPhone, declared: declared, nowMs: TestStore.noon + 1)
        }
        while try await work(atMs: TestStore.noon + 2).step() {}
        let fresh = try await report(atMs: TestStore.noon + 2).document
        // As that release wrote them: a count for each metric, and nothing behind.
        let texts = try await store.database.read { try $0.rows("SELECT report, cells FROM report_day WHERE report LIKE 'paywalls %'") }
        let counts = PaywallReport.layout(RollupRules(live.snapshot).metrics.count)[.elapsed(bucket: 0)]
        try await store.database.write { connection in
            for row in texts {
                let (before, fields) = (try row.text(1).prefix { $0 != " " && $0 != "\n" }, try row.text(1).drop { $0 != " " && $0 != "\n" })
                let cells = before.split(separator: ",").prefix(counts).joined(separator: ",") + fields
                _ = try connection.run("UPDATE report_day SET cells = $1 WHERE report = $2", [.text(cells), .text(try row.text(0))])
            }
            _ = try connection.run("UPDATE report_state SET rules = REPLACE(rules, $1, $2)", [.text(#""form":\#(RollupRules.form)"#), .text(#""form":3"#)])
        }

        let later = TestStore.noon + 401 * Retention.dayMs
        let earlier = try await report(atMs: TestStore.noon + 2)
        while try await work(atMs: later).step() {}
        let moved = try await report(atMs: later)

        #expect(fresh.totals["elapsed.p50"].map { ($0 ?? 0) > 400 && ($0 ?? 0) < 710 } == true)
        #expect((earlier.generation, moved.generation) == (1, 2))
        for document in [earlier.document, moved.document] {
            #expect(document.totals["shown"] == 1 && document.totals["converted.trial"] == 1)
            #expect(document.totals["elapsed.p50"] == .some(nil) && document.rows.count == 1)
        }
    }

    @Test("have no link and no version where an earlier release counted them and their rows are deleted: their first opens are the rest, and sums agree")
    func withoutLinks() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        func work(atMs: Int64) -> RollupWork {
            RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        }
        try await store.open(.mayasPhone)
        while try await work(atMs: TestStore.noon + 2).step() {}
        try await store.database.write { connection in
            _ = try connection.run("DELETE FROM report_day WHERE report IN ('link', 'version')")
            _ = try connection.run("UPDATE report_state SET rules = REPLACE(rules, $1, $2)", [.text(#""form":\#(RollupRules.form)"#), .text(#""form":4"#)])
        }

        let later = TestStore.noon + live.snapshot.retention.installMs + Retention.dayMs
        while try await work(atMs: later).step() {}
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let date = ReportDays.text(TestStore.noon / Retention.dayMs)
        let days = try ReportDays(from: date, to: date, in: .utc, nowMs: later)
        func rows(_ by: [CampaignReport.Dimension]) async throws -> [ReportSheet.Key: Int64?] {
            let report = CampaignReport(days: days, by: by, metrics: [])
            let found = try await report.installs(store.database, live.snapshot, state, nowMs: later, RowReader())
            return found.rows.mapValues { $0[found.layout[.firstOpens]] }
        }

        #expect(state.serving?.number == 2)
        for dimension in [.link, .appVersion] as [CampaignReport.Dimension] { #expect(try await rows([dimension]) == [[Array("other".utf8)]: 1]) }
        #expect(try await rows([]) == [[]: 1])
    }

    @Test("take from the rows what an earlier release did not compute, as long as the source is the same")
    func completed() {
        func facts(_ campaign: String, link: String?) -> InstallProgress.Facts {
            InstallProgress.Facts(
                acquisition: ["link", nil, campaign, nil, nil, nil, nil], market: [nil, nil, nil], origin: .attributed, isTest: false, isLate: true,
                shownDays: 3, firsts: [:], seenDays: [], isReinstall: link == nil ? nil : true, link: link, isUnverified: link == nil ? nil : true)
        }
        let stored = facts("a", link: nil)

        let same = stored.completed(by: facts("a", link: "go.example.com/beach")), other = stored.completed(by: facts("b", link: "go.example.com/beach"))

        #expect(same == facts("a", link: "go.example.com/beach"))
        #expect(other.link == nil && other.isUnverified == nil && other.isReinstall == true)
    }

    @Test("stay as they are once rows of their time are deleted")
    func frozen() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        func work(atMs: Int64) -> RollupWork {
            RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        }
        try await store.open(.mayasPhone)
        let shown = Event(id: UUIDv7.make(nowMs: 1), type: .paywallShown, ageMilliseconds: 0)
        _ = try await store.events.record(EventBatch(events: [shown]), TestStore.app, .mayasPhone, nowMs: TestStore.noon + 1)
        while try await work(atMs: TestStore.noon + 2).step() {}

        let later = TestStore.noon + 401 * Retention.dayMs
        _ = try await store.database.write { _ = try $0.run("DELETE FROM event") }
        let other = Event(id: UUIDv7.make(nowMs: 2), type: .paywallShown, ageMilliseconds: 0)
        _ = try await store.events.record(EventBatch(events: [other]), TestStore.app, .mayasPhone, nowMs: later)
        while try await work(atMs: later).step() {}

        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let day = ReportDays.text(TestStore.noon / Retention.dayMs)
        let report = CampaignReport(days: try ReportDays(from: day, to: day, nowMs: later), by: [], metrics: [])
        let computed = try #require(try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later))
        #expect(computed.total(.shown) == 1)
    }

    @Test("have a bounded number of cells: the smallest become one")
    func other() throws {
        var cells = RollupCells(.acquisition, RollupRules(Snapshot(Self.configuration(zone: "UTC"), revision: 1)))
        for number in 0...DayCells.most {
            let campaign: [String?] = ["link", nil, "c\(number)", nil, nil, nil, nil]
            let facts = InstallProgress.Facts(
                acquisition: campaign, market: [nil, nil, nil], origin: .attributed, isTest: false, isLate: false, shownDays: nil, firsts: [:],
                seenDays: [])
            cells.add(facts, installs: number < 3 ? 1 : 2)
        }

        let found = cells.cells.rows, firstOpens = RollupDimensions.acquisition.layout(cells.rules)[.firstOpens]

        #expect(found.count == DayCells.most)
        let rest = ReportSheet.Key(repeating: Array(DayCells.other.utf8), count: 7)
        #expect(found[rest]?[firstOpens] == 2)
        #expect(found.values.map { $0[firstOpens] }.reduce(0, +) == Int64(2 * DayCells.most - 1))
    }

    @Test("are found by their keys: no other app's, no other day's", .sqlitePlans)
    func plans() async throws {
        let store = try await TestStore()
        let texts = [
            (DirtyMark.oldestText, "report_dirty_by_time"), (InstallProgressRows.factsText, "install_progress_by_day"),
            (InstallProgressRows.keptText, "sqlite_autoindex_install_kept"), (RollupReader.text, "sqlite_autoindex_report_day"),
            (RollupReader.waitingText, "report_dirty_by_time"), (InstallProgressReader.eventsText, "event_by_install"),
            (InstallProgressReader.newText, "event_by_install"), (InstallProgressReader.laterText, "event_by_install"),
            (RollupUpdate.openedText, "install_progress_by_day"), (RollupUpdate.shownText, "event_shown_by_time"),
            (PaywallDay.seenText, "event_shown_by_time"), (PaywallDay.eventsText, "event_by_install"),
            (PaywallDay.installsText, "sqlite_autoindex_install"), (InstallReader.oneText, "sqlite_autoindex_install"),
            (RollupBuild.firstText, "install_progress_by_day"), (RollupBuild.firstShownText, "event_shown_by_time"), (InstallActivity.text, "sqlite_autoindex_install_activity"),
            (ClickDays.daysText, "sqlite_autoindex_click_day"), (ClickDays.firstText, "sqlite_autoindex_click"), (ClickTally.text, "sqlite_autoindex_click"),
            (CountedClicks.countText, "sqlite_autoindex_click"),
            (ClickDays.firstClickText, "sqlite_autoindex_click"), (RollupRecount.installsText, "install_progress_by_day"),
            (RollupRecount.missingText, "install_by_creation"), (RollupRecount.missingText, "sqlite_autoindex_install_progress"),
            (RollupRecount.markedText, "sqlite_autoindex_report_dirty"),
        ]
        for (text, index) in texts {
            let plan = try await store.sqlitePlan(of: text)
            #expect(plan.contains(index) && !plan.contains("SCAN install") && !plan.contains("SCAN report") && !plan.contains("SCAN event"), "\(text): \(plan)")
        }
    }
}

extension CampaignReport {
    /// From computed days alone; nil if there are none.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> ReportSheet? {
        try await Self.sheets([self], store, snapshot, state, nowMs: nowMs)[0]
    }
}
