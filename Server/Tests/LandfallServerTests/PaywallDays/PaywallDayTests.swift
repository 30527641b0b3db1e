// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Days of exposures", .timeLimit(.minutes(2)))
struct PaywallDayTests {
    private static let questions = [
        "", "day", "placement", "placement,paywall", "paywall,variation", "day,origin", "audience", "placement,paywall,variation,audience,origin",
    ]

    private static func configuration(zone: String, windowDays: Int64 = 3) -> Configuration {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = [
            Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: windowDays), Metric(name: "paid", measure: .purchase(.any)),
            Metric(name: "other", measure: .event(Event.Kind("other")), windowDays: 1),
        ]
        configuration.reportZone = ReportZone(zone)!
        return configuration
    }

    private static func work(_ database: any Database, _ live: LiveConfiguration, _ nowMs: Int64) -> RollupWork {
        RollupWork(database: database, configuration: live, time: ServerTime(nowMs: { nowMs }, sleep: { _ in }))
    }

    private static func report(
        _ store: TestStore, _ snapshot: Snapshot, _ by: String, from: String? = nil, to: String? = nil, nowMs: Int64, isComputed: Bool = true
    ) async throws -> ReportSheet {
        let state = try await store.database.read { try RollupState.load(TestStore.app, $0) }
        let zone = try #require(state?.serving).rules.zone
        let report = try PaywallReport(days: ReportDays(from: from, to: to, in: zone, nowMs: nowMs), by: .named(by), metrics: snapshot.metrics)
        return try await report.sheet(store.database, snapshot, isComputed ? state : nil, nowMs: nowMs)
    }

    /// The same numbers, counted as their definitions say, from all rows at once.
    private static func counted(
        _ store: TestStore, _ snapshot: Snapshot, by: [PaywallReport.Dimension], _ days: ReportDays
    ) async throws -> [ReportSheet.Key: [Int64?]] {
        let events = try await Self.rows(store, "SELECT install_id, type, occurred_at_ms, placement, paywall, variation_id, audience, origin, elapsed_ms FROM event")
        let facts = try await Self.rows(store, "SELECT install_id, source, status, recorded_at_ms FROM attribution_fact ORDER BY recorded_at_ms")
        var attributedMs: [String: Int64] = [:]
        try await InstallReader(database: store.database, app: TestStore.app).forEach(openedMs: .min..<(.max)) { install in
            attributedMs[install.id.rawValue] = install.origin?.recordedAtMs
        }
        #expect(facts.count >= attributedMs.count)
        var sums: [ReportSheet.Key: [Int64?]] = [:]
        for (install, events) in try Dictionary(grouping: events, by: { try $0.text(0) }) {
            let shown = try events.filter { try $0.text(1) == "paywall_shown" }
            let places = Dictionary(grouping: shown) { row in
                by.filter { $0 != .day }.map { field in PaywallDimensions.all.firstIndex(of: field).flatMap { row.optionalText(3 + $0) } }
            }
            for (place, shown) in places {
                let times = try shown.map { try $0.integer(2) }, firstMs = times.min() ?? 0
                for (day, rows) in try Dictionary(grouping: shown, by: { days.zone.day(ofMs: try $0.integer(2)) }) where days.days.contains(day) {
                    var texts = place[...]
                    let key = by.map { $0 == .day ? Array(ReportDays.text(day).utf8) : texts.removeFirst().map { Array($0.utf8) } }
                    let isFirst = days.zone.day(ofMs: firstMs) == day
                    let converted = try snapshot.metrics.map { metric -> Int64? in
                        guard let type = metric.event?.rawValue else { return 0 }
                        let window = firstMs...(firstMs + metric.windowMs)
                        return try isFirst && events.contains { try $0.text(1) == type && window.contains(try $0.integer(2)) } ? 1 : 0
                    }
                    let known = attributedMs[install]
                    var elapsed: [Int64?] = Array(repeating: 0, count: ElapsedBuckets.count)
                    for bucket in rows.compactMap({ $0.optionalInteger("elapsed_ms") }).map({ ElapsedBuckets.bucket(of: $0) }) {
                        elapsed[bucket] = (elapsed[bucket] ?? 0) + 1
                    }
                    let counts: [Int64?] = [
                        isFirst ? 1 : 0, Int64(rows.count), isFirst && known != nil ? 1 : 0, isFirst && known.map { firstMs < $0 } ?? false ? 1 : 0,
                    ] + converted + elapsed
                    sums[key] = sums[key].map { ReportSheet.sum($0, counts) } ?? counts
                }
            }
        }
        return sums
    }

    @Test(
        "equal the count of all rows by any fields, whatever the order of facts, and wherever the node dies",
        arguments: zip(11...16 as ClosedRange<UInt64>, ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "UTC"]))
    func equal(seed: UInt64, zone: String) async throws {
        let store = try await TestStore(createdAtMs: RollupStory.autumnMs - 1)
        let story = RollupStory(store, seed: seed, startMs: RollupStory.autumnMs)
        let database = DisturbedDatabase(base: store.database, story: story)
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: zone, windowDays: 9), revision: 1))
        while await !story.isOver {
            try await story.next()
            if await story.chance(2) { _ = live.serve(Snapshot(Self.configuration(zone: zone), revision: live.snapshot.revision + 1)) }
            let steps = await story.chance(20) ? story.number(1...20) : 0
            for _ in 0..<steps {
                do { _ = try await Self.work(database, live, await story.nowMs).step() } catch is DisturbedDatabase.Crash {}
            }
        }
        _ = live.serve(Snapshot(Self.configuration(zone: zone), revision: live.snapshot.revision + 1))
        let nowMs = await story.nowMs
        while try await Self.work(store.database, live, nowMs).step() {}

        for question in Self.questions {
            let computed = try await Self.report(store, live.snapshot, question, nowMs: nowMs)
            let uncomputed = try await Self.report(store, live.snapshot, question, nowMs: nowMs, isComputed: false)
            let by = try [PaywallReport.Dimension].named(question)
            let counted = try await Self.counted(store, live.snapshot, by: by, computed.days)
            #expect(computed.rows == counted, "by '\(question)'")
            #expect(uncomputed.rows == counted && uncomputed.totals == computed.totals, "by '\(question)', before days are computed")
            #expect(computed.total(.exposures) == counted.values.reduce(0) { $0 + ($1[computed.layout[.exposures]] ?? 0) })
            #expect((computed.total(.shown) ?? 0) > 0)
        }
    }

    private static func rows(_ store: TestStore, _ text: String) async throws -> [Row] { try await store.database.read { try $0.rows(text) } }

    private static func show(_ store: TestStore, _ phone: Credential, _ paywall: String, ageMs: Int64 = 0, nowMs: Int64) async throws {
        var event = Event(id: UUIDv7.make(nowMs: nowMs), type: .paywallShown, ageMilliseconds: ageMs)
        (event.placement, event.paywall) = (PlacementID("onboarding"), PaywallID(paywall))
        _ = try await store.events.record(EventBatch(events: [event]), TestStore.app, phone, nowMs: nowMs)
    }

    @Test("move an install to an earlier day when a phone tells late that it saw the paywall before")
    func late() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        let day = Retention.dayMs, noon = TestStore.noon
        try await store.open(.mayasPhone, nowMs: noon)
        try await Self.show(store, .mayasPhone, "a", nowMs: noon + 3 * day)
        try await Self.show(store, .mayasPhone, "b", nowMs: noon + 3 * day)
        while try await Self.work(store.database, live, noon + 3 * day).step() {}
        func shown() async throws -> [[Int64?]] {
            let texts = (0...3).map { ReportDays.text((noon + $0 * day) / day) }
            return try await texts.asyncMap { text in
                let sheet = try await Self.report(store, live.snapshot, "paywall", from: text, to: text, nowMs: noon + 4 * day)
                return ["a", "b"].map { sheet.value(.shown, of: [Array($0.utf8)]) ?? 0 } + [sheet.total(.shown) ?? 0]
            }
        }
        let before = try await shown()

        try await Self.show(store, .mayasPhone, "a", ageMs: 3 * day, nowMs: noon + 4 * day)
        while try await Self.work(store.database, live, noon + 4 * day).step() {}

        #expect(before == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 1]])
        #expect(try await shown() == [[0, 0, 0], [1, 0, 1], [0, 0, 0], [0, 1, 0]])
    }

    @Test("are counted again where an install counts otherwise, and its first days are not when it only comes back")
    func marked() async throws {
        let store = try await TestStore(), day = Retention.dayMs, noon = TestStore.noon
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        /// The days that wait after what the install did so many days later; then nothing waits.
        func marked(_ days: Int64, _ act: (_ nowMs: Int64) async throws -> Void) async throws -> [Int64] {
            let nowMs = noon + days * day, work = Self.work(store.database, live, nowMs)
            try await act(nowMs)
            let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
            _ = try await work.settling(live.snapshot, state).settleInstalls(nowMs: nowMs)
            let report = DirtyMark.paywallDays(of: try #require(state.serving).number)
            let marks = try await store.database.read { try DirtyMark.oldest(report, of: TestStore.app, 100, $0) }
            while try await work.step() {}
            return marks.compactMap { Int64($0.bucket) }.map { $0 - noon / day }.sorted()
        }
        func convert(_ nowMs: Int64) async throws {
            let event = Event(id: UUIDv7.make(nowMs: nowMs), type: Event.Kind("trial_started"), ageMilliseconds: 0)
            let declared = [event.type: EventDeclaration()]
            _ = try await store.events.record(EventBatch(events: [event]), TestStore.app, .mayasPhone, declared: declared, nowMs: nowMs)
        }
        try await store.open(.mayasPhone, nowMs: noon)
        while try await Self.work(store.database, live, noon).step() {}

        #expect(try await marked(0) { try await Self.show(store, .mayasPhone, "a", nowMs: $0) } == [0])
        #expect(try await marked(1) { try await Self.show(store, .mayasPhone, "b", nowMs: $0) } == [1])
        #expect(try await marked(30) { try await Self.show(store, .mayasPhone, "b", nowMs: $0) } == [30])
        #expect(try await marked(31) { try await Self.show(store, .mayasPhone, "c", nowMs: $0) } == [31])
        // Within the three days of the metric only "c" was seen first.
        #expect(try await marked(32, convert) == [31])
        // Told late: "a" was first seen then, and so was anything.
        #expect(try await marked(33) { try await Self.show(store, .mayasPhone, "c", ageMs: 3 * day, nowMs: $0) } == [30, 31])
        // Its source counts wherever it saw something first.
        let claim = AttributionClaim(key: IdempotencyKey("c"), source: AttributionSource("tenjin"), status: .nonOrganic)
        let claimed = try await marked(34) { _ = try await store.installs.record(TestStore.app, .mayasPhone, claim, nowMs: $0) }
        #expect(claimed == [0, 1, 30])
    }

    @Test("have the times of their exposures behind the metrics, as far as the longest goes")
    func short() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        var events = ["a", "b", "b"].map { name in
            var event = Event(id: UUIDv7.make(nowMs: TestStore.noon), type: .paywallShown, ageMilliseconds: 0)
            event.paywall = PaywallID(name)
            return event
        }
        (events[1].elapsedMilliseconds, events[2].elapsedMilliseconds) = (3, 11)
        _ = try await store.events.record(EventBatch(events: events), TestStore.app, .mayasPhone, nowMs: TestStore.noon)
        let rules = RollupRules(Snapshot(Self.configuration(zone: "UTC"), revision: 1))

        let cells = try await PaywallDay(app: TestStore.app, rules: rules, testDevices: TestDevices([])).cells(
            of: TestStore.noon / Retention.dayMs, store.database)

        let metrics = rules.metrics.map { _ in Int64(0) }
        #expect(cells[PaywallDimensions([.paywall])] == [[Array("a".utf8)]: [1, 1, 0, 0] + metrics, [Array("b".utf8)]: [1, 2, 0, 0] + metrics + [1, 1]])
        #expect(cells[PaywallDimensions([])] == [[]: [1, 3, 0, 0] + metrics + [1, 1]])
    }

    @Test("are read in several parts, each install once; a test device is in none of them")
    func pages() async throws {
        let store = try await TestStore()
        let phones = [Credential.mayasPhone, .omarsPhone, .mayasTablet]
        for phone in phones {
            try await store.open(phone)
            try await Self.show(store, phone, "a", nowMs: TestStore.noon)
        }
        var configuration = Self.configuration(zone: "UTC")
        for isTest in [false, true] {
            if isTest { configuration.testDevices = [TestDevice(name: "Maya", install: phones[0].installID)] }
            let snapshot = Snapshot(configuration, revision: 1)
            for (page, part) in [(1, 1), (2, 1), (2, 500), (3, 2), (100, 1), (100, 500)] {
                let day = PaywallDay(
                    app: TestStore.app, rules: RollupRules(snapshot), testDevices: snapshot.testDevices, page: page, part: part)
                let cells = try await day.cells(of: TestStore.noon / Retention.dayMs, store.database)
                #expect(cells[PaywallDimensions([.paywall])]?[[Array("a".utf8)]]?.prefix(2) == (isTest ? [2, 2] : [3, 3]))
            }
        }
    }

    private struct StoredEvent: Sendable {
        var phone = Credential.mayasPhone
        var type = Event.Kind.paywallShown.rawValue
        var paywall: String?
        let atMs: Int64
    }

    /// Keeps events in this order, as if each came alone.
    private static func keep(_ events: [StoredEvent], in store: TestStore) async throws {
        try await store.engine.write { connection in
            for (number, event) in events.enumerated() {
                let digits = String(number), id = "0199b0a1-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                try connection.run(
                    """
                    INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms, paywall)
                    VALUES ($1, $2, 'p', $3, $2, $4, $5, $5, $6)
                    """,
                    [
                        .text(TestStore.app.rawValue), .text(id), .text(event.phone.installID.rawValue), .text(event.type),
                        .integer(event.atMs), .text(event.paywall),
                    ])
            }
        }
    }

    @Test("are counted from so many rows at a time, however many events an install has", arguments: [PaywallDay.eventPage, 7_000])
    func manyEvents(eventPage: Int) async throws {
        let store = try await TestStore(), day = Retention.dayMs, noon = TestStore.noon
        for phone in [Credential.mayasPhone, .omarsPhone] { try await store.open(phone) }
        var events = (0..<30_000).map { number in
            StoredEvent(paywall: number % 2 == 0 ? "a" : "b", atMs: noon + Int64(number / 1_000) * day)
        }
        events += [
            StoredEvent(phone: .omarsPhone, paywall: "a", atMs: noon + 20 * day), StoredEvent(paywall: "c", atMs: noon + 20 * day),
            StoredEvent(type: "trial_started", atMs: noon + 20 * day + 1),
        ]
        try await Self.keep(events, in: store)
        let rules = RollupRules(Snapshot(Self.configuration(zone: "UTC"), revision: 1)), before = store.database.recorded.count

        let cells = try await PaywallDay(app: TestStore.app, rules: rules, testDevices: TestDevices([]), eventPage: eventPage)
            .cells(of: (noon + 20 * day) / day, store.database)

        func counts(_ paywall: String) -> [Int64]? { cells[PaywallDimensions([.paywall])]?[[Array(paywall.utf8)]] }
        // Maya saw "a" and "b" weeks before; "c" she saw first on this day, and then she began a trial.
        #expect(counts("a") == [1, 501, 0, 0, 0, 0] && counts("b") == [0, 500, 0, 0, 0, 0] && counts("c") == [1, 1, 0, 0, 1, 0])
        let largest = store.database.recorded.dropFirst(before).compactMap { $0.rows?.count }.max()
        #expect(largest == eventPage)
    }

    @Test("are the same however few events a read has; what an install sent beyond the bound is left out")
    func eventPages() async throws {
        let store = try await TestStore(), day = Retention.dayMs, noon = TestStore.noon
        let phones = [Credential.mayasPhone, .omarsPhone, .mayasTablet]
        for phone in phones { try await store.open(phone) }
        let events = phones.enumerated().flatMap { number, phone in
            [
                StoredEvent(phone: phone, paywall: "a", atMs: noon - Int64(number) * day), StoredEvent(phone: phone, paywall: "b", atMs: noon),
                StoredEvent(phone: phone, type: "other", atMs: noon + 5), StoredEvent(phone: phone, type: "trial_started", atMs: noon + 2 * day),
            ]
        }
        try await Self.keep(events, in: store)
        var configuration = Self.configuration(zone: "UTC")
        configuration.testDevices = [TestDevice(name: "Maya", install: phones[2].installID)]
        let snapshot = Snapshot(configuration, revision: 1), rules = RollupRules(snapshot)
        func counts(_ eventPage: Int, most: Int = PaywallDay.mostEvents, part: Int = 500) async throws -> [[Int64]?] {
            let counting = PaywallDay(
                app: TestStore.app, rules: rules, testDevices: snapshot.testDevices, part: part, eventPage: eventPage, mostEvents: most)
            let cells = try await counting.cells(of: noon / day, store.database)
            return ["a", "b"].map { cells[PaywallDimensions([.paywall])]?[[Array($0.utf8)]] }
        }

        for (eventPage, part) in [(1, 1), (1, 500), (2, 2), (3, 500), (4, 500), (5, 1), (8, 500), (9, 500), (100, 500)] {
            #expect(try await counts(eventPage, part: part) == [[1, 1, 0, 0, 1, 1], [2, 2, 0, 0, 2, 2]], "\(eventPage) of \(part)")
        }
        #expect(try await counts(1, most: 3) == [[1, 1, 0, 0, 0, 1], [2, 2, 0, 0, 0, 2]])
        #expect(try await counts(1, most: 1) == [[1, 1, 0, 0, 0, 0], nil])
    }

    @Test("wait while somebody asks for a report of a busy store, which then says up to when it is complete")
    func busy() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration(zone: "UTC"), revision: 1))
        let work = Self.work(store.database, live, TestStore.noon + 5_000)
        while try await work.step() {}
        try await store.open(.mayasPhone, nowMs: TestStore.noon)
        let few = try #require(try await work.settled()?.serving)
        let marks = (0...RollupWork.mostAtOnce).map {
            DirtyMark(report: DirtyMark.installs, bucket: "other \($0)", sinceMs: TestStore.noon, stamp: 1).insertion(into: TestStore.app)
        }
        try await store.database.write { _ = try $0.batch(marks) }
        _ = try await work.settled()

        let left = try await store.database.read { try DirtyMark.oldest(DirtyMark.installs, of: TestStore.app, 100, $0) }
        let completeToMs = try await store.database.read { try RollupReader.completeToMs(TestStore.app, few, nowMs: TestStore.noon + 5_000, $0) }
        #expect(left.count == marks.count && completeToMs == TestStore.noon)
        let opened = try await Self.rows(store, "SELECT cells FROM report_day WHERE report = 'whole'")
        #expect(try opened.map { try $0.text(0) } == ["1,0,0,0,0,0,0,0,0\n"])
    }
}

@Suite("The text of a day", .timeLimit(.minutes(1)))
struct DayTextTests {
    @Test("keeps every cell, whatever bytes its fields have, and is the same in any order")
    func roundTrip() throws {
        let texts: [String?] = ["link", nil, "", "-", "3:a b\n", "e\u{301}", "é", "0 -\n5,5", "🛬"]
        var cells: [ReportSheet.Key: [Int64]] = [:]
        for (place, one) in texts.enumerated() {
            for other in texts { cells[[one.map { Array($0.utf8) }, other.map { Array($0.utf8) }]] = [Int64(place), 0, 999_999_999_999_999_999] }
        }
        #expect(cells.count == texts.count * texts.count)
        let text = DayText.text(cells)
        var read: [ReportSheet.Key: [Int64]] = [:]
        try DayText.forEach(text, fields: 2) { read[[$0.value(0), $0.value(1)]] = Array($0.counts) }

        #expect(read == cells)
        #expect(DayText.text(Dictionary(uniqueKeysWithValues: cells.shuffled())) == text)
        #expect(DayText.text([[]: [7]]) == "7\n")
    }

    @Test(
        "is refused where this server did not write it",
        arguments: ["x", "1", "1\n\n", "1 4:abc\n", "1 9999999999999999999:a\n", "-1 -\n", "1, -\n", "1 - -\n", "1  -\n", "1234567890123456789 -\n", "1 -"])
    func malformed(text: String) {
        #expect(throws: DatabaseError.unexpectedValue(column: "cells")) { try DayText.forEach(text, fields: 1) { _ in } }
    }

    @Test("has the largest cells, and one for the rest")
    func capped() {
        let cells = Dictionary(uniqueKeysWithValues: (0...DayCells.most).map { ([Array("\($0)".utf8)] as ReportSheet.Key, [Int64($0 < 2 ? 1 : 2), 1]) })

        let capped = DayCells.capped(cells)

        #expect(capped.count == DayCells.most && capped[[Array("other".utf8)]] == [2, 2])
        #expect(DayCells.capped([:]).isEmpty)
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
