// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Counted days of clicks", .timeLimit(.minutes(1)))
struct ClickDayTests {
    private static let questions = [
        "", "day", "host", "host,path", "day,campaign", "path,channel", "platform", "day,country", "platform,country", "campaign,platform",
        "referrer", "day,browser,language", "productPage", "path,browser",
    ]
    private static let startMs = RollupStory.autumnMs

    private static func live(_ zone: String) -> LiveConfiguration {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.reportZone = ReportZone(zone)!
        return LiveConfiguration(Snapshot(configuration, revision: 1))
    }

    private static func work(_ store: TestStore, _ zone: String, atMs: Int64, _ openDays: CountedOpenDays = CountedOpenDays()) async throws {
        let work = RollupWork(
            database: store.database, configuration: live(zone), time: ServerTime(nowMs: { atMs }, sleep: { _ in }), openDays: openDays)
        while try await work.step() {}
    }

    /// A request of one of few visitors for one of few links, from anywhere and with any labels.
    private static func click(atMs: Int64, _ random: inout SeededRandom) throws -> Click {
        let link = Int.random(in: 0..<6, using: &random), visitor = Int.random(in: 0..<4, using: &random)
        let kind: ClickKind = [.person, .person, .person, .person, .bot, .preview].randomElement(using: &random) ?? .person
        let outcome: Click.Outcome = [.store, .page, .web, .expired].randomElement(using: &random) ?? .page
        var labels = LinkLabels(campaign: ["summer", "autumn", nil].randomElement(using: &random)!)
        labels.channel = link == 0 ? "it's \"ü\"" : nil
        return Click(
            id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: kind, platform: Bool.random(using: &random) ? .ios : .android,
            host: link < 4 ? "go.example.com" : "two.example.com", path: LinkPath(stored: "/\(link)"), outcome: outcome,
            visitor: visitor == 3 ? nil : Int64(link * 10 + visitor), country: [nil, "DE", "JP"].randomElement(using: &random)!, labels: labels,
            context: ClickContext(
                referrer: [nil, "example.org", "mail.example"].randomElement(using: &random)!,
                browser: ["Safari", "Instagram"].randomElement(using: &random), language: [nil, "de", "ja"].randomElement(using: &random)!,
                productPage: link == 1 ? "45812c9b-c296-43d3-c6a0-c5a02f74bf6e" : nil))
    }

    /// - Parameter known: changes nothing, however often it is asked.
    private static func counts(
        _ store: TestStore, _ zone: String, atMs: Int64, _ known: ClosedClickDays = ClosedClickDays()
    ) async throws -> [String: [ReportSheet.Key: [Int64]]] {
        var counts: [String: [ReportSheet.Key: [Int64]]] = [:]
        let days = try ReportDays(from: nil, to: nil, in: ReportZone(zone)!, nowMs: atMs)
        for by in questions {
            let report = LinkReport(days: days, by: try .named(by))
            let found = try await LinkReportStore(database: store.database).counts(report, of: TestStore.app).rows
            for _ in 0..<2 {
                let again = LinkReportStore(database: store.database, closedDays: known)
                #expect(try await again.counts(report, of: TestStore.app).rows == found, "by '\(by)'")
            }
            counts[by] = found
        }
        return counts
    }

    @Test(
        "equal the count of all clicks, in days of any length, also after a change of the zone, and stay when clicks are deleted",
        arguments: zip([1, 2, 3] as [UInt64], ["UTC", "Europe/Berlin", "Asia/Kathmandu"]))
    func equal(seed: UInt64, zone: String) async throws {
        let store = try await TestStore(createdAtMs: Self.startMs - 1)
        var random = SeededRandom(seed: seed)
        // The last day is not over.
        let halfMs = Self.startMs + 3 * Retention.dayMs, endMs = Self.startMs + 6 * Retention.dayMs + 12 * TestStore.hour
        for (fromMs, toMs) in [(Self.startMs, halfMs), (halfMs, endMs)] {
            for _ in 0..<60 {
                let click = try Self.click(atMs: Int64.random(in: fromMs..<toMs, using: &random), &random)
                try await store.clicks.record(ClickEntry(click: click), of: TestStore.app)
            }
            if toMs == halfMs { try await Self.work(store, zone, atMs: halfMs) }
        }
        // Nothing is computed in the other zone, so this reads every click.
        let other = "Asia/Tokyo", known = ClosedClickDays()
        let rows = try await Self.counts(store, other, atMs: endMs, known)
        let open = try await Self.counts(store, zone, atMs: endMs, known)

        try await Self.work(store, zone, atMs: endMs)
        let closed = try await Self.counts(store, zone, atMs: endMs, known)
        try await Self.work(store, other, atMs: endMs)
        let moved = try await Self.counts(store, other, atMs: endMs, known)
        let today = ReportZone(other)!.startMs(ofDay: ReportZone(other)!.day(ofMs: endMs))
        _ = try await store.database.write { _ = try $0.run("DELETE FROM click WHERE click_id < $1", [.text(UUIDv7.earliest(atMs: today))]) }
        let left = try await Self.counts(store, other, atMs: endMs, known)

        for by in Self.questions {
            #expect(closed[by] == open[by] && moved[by] == rows[by], "by '\(by)'")
            // No table of days has these together.
            if !["campaign,platform", "path,browser"].contains(by) { #expect(left[by] == rows[by], "by '\(by)'") }
            #expect(rows[by]?.isEmpty == false)
            // A visitor is unique once, whichever fields tell the clicks apart.
            let sums = [rows[by], rows[""]].map { $0?.values.reduce(Array(repeating: 0, count: LinkReport.layout.count)) { zip($0, $1).map { $0 + $1 } } }
            #expect(sums[0] == sums[1], "by '\(by)'")
        }
        let zones = try await store.database.read { try $0.rows(ClickDays.zonesText, [.text(TestStore.app.rawValue)]).map { try $0.text(0) } }
        #expect(zones == [other])
        let former = try await store.database.read { try $0.rows("SELECT day FROM click_day WHERE zone <> $1", [.text(other)]).count }
        #expect(former == 0)
    }

    /// Stores clicks of one moment.
    private static func add(_ count: Int64, atMs: Int64, to store: TestStore, _ random: inout SeededRandom) async throws {
        let rows = try (0..<count).map { _ in
            let click = try Self.click(atMs: atMs, &random)
            return try ClickRow(
                id: click.id, atMs: atMs, kind: click.kind.rawValue, platform: "ios", host: click.host, path: click.path.text,
                outcome: click.outcome.rawValue, visitor: click.visitor, labels: click.labels, parameters: [:]
            ).insertion(into: TestStore.app)
        }
        try await store.database.write { _ = try $0.batch(rows) }
    }

    private static func byHost(_ store: TestStore, atMs: Int64) async throws -> LinkCounts {
        let days = try ReportDays(from: nil, to: nil, nowMs: atMs)
        return try await LinkReportStore(database: store.database).counts(LinkReport(days: days, by: [.day, .host]), of: TestStore.app)
    }

    @Test(
        "of many clicks are counted up to a time before they are over; then they are counted once",
        arguments: [true, false])
    func large(remembers: Bool) async throws {
        // In the same node, or in another one each time.
        let kept = CountedOpenDays()
        func work(_ store: TestStore, atMs: Int64) async throws {
            try await Self.work(store, "UTC", atMs: atMs, remembers ? kept : CountedOpenDays())
        }
        let store = try await TestStore(createdAtMs: Self.startMs - 1)
        let noon = Self.startMs + 12 * TestStore.hour
        var random = SeededRandom(seed: 5)
        func click(_ count: Int64, atMs: Int64) async throws { try await Self.add(count, atMs: atMs, to: store, &random) }
        func counts(atMs: Int64) async throws -> LinkCounts { try await Self.byHost(store, atMs: atMs) }
        func total(_ counts: LinkCounts) -> Int64 { counts.rows.values.reduce(0) { $0 + $1.reduce(0, +) } }

        try await click(ClickDays.mostRead, atMs: noon)
        try await work(store, atMs: noon)
        let few = try await counts(atMs: noon)
        try await click(1, atMs: noon + 1)
        // Nothing is counted yet: the first clicks are read.
        let many = try await counts(atMs: noon + 1)
        try await work(store, atMs: noon + 60_000)
        let counted = try await counts(atMs: noon + 60_000)
        try await click(9, atMs: noon + 70_000)
        try await work(store, atMs: noon + 75_000)
        let soon = try await counts(atMs: noon + 75_000)
        let before = store.database.recorded.count
        try await work(store, atMs: noon + 120_000)
        let firstReads = store.database.recorded.dropFirst(before).map(\.statement).filter { $0.text == ClickTally.text }.map { $0.values[1] }
        let later = try await counts(atMs: noon + 120_000)
        // Of a node whose clock is behind.
        try await click(1, atMs: noon + 1_000)
        try await work(store, atMs: noon + 180_000)
        let all = try await counts(atMs: noon + 180_000)
        let over = noon + 24 * TestStore.hour
        try await work(store, atMs: over)
        let closed = try await counts(atMs: over)

        #expect(few.countedToMs == nil && many.countedToMs == noon + 1 && many.rows == few.rows)
        #expect(counted.countedToMs == noon + 50_000 && total(counted) > total(many))
        #expect(soon.countedToMs == noon + 50_000 && soon.rows == counted.rows)
        #expect(later.countedToMs == noon + 110_000 && total(later) > total(counted))
        #expect(all.countedToMs == noon + 170_000 && total(all) > total(later))
        #expect(closed.countedToMs == nil && closed.rows == all.rows)
        // The rest of a page is in the reads: one that begins with the day reads every click again.
        #expect(firstReads.contains(.text(UUIDv7.earliest(atMs: Self.startMs))) != remembers && !firstReads.isEmpty)

        // Until it is over, two days are counted.
        let midnight = Self.startMs + 48 * TestStore.hour, yesterday = Array(ReportDays.text(midnight / Retention.dayMs - 1).utf8)
        for atMs in [midnight - 20_000, midnight + 5_000] { try await click(ClickDays.mostRead + 1, atMs: atMs) }
        var ofYesterday: [[ReportSheet.Key: [Int64]]] = []
        for atMs in [midnight + 60_000, midnight + 700_000] {
            try await work(store, atMs: atMs)
            ofYesterday.append(try await counts(atMs: atMs).rows.filter { $0.key[0] == yesterday })
        }
        #expect(ofYesterday[0] == ofYesterday[1] && !ofYesterday[0].isEmpty)
    }

    @Test("of few clicks at midnight have the first ones when there are many, though the day before was counted past midnight")
    func growing() async throws {
        let store = try await TestStore(createdAtMs: Self.startMs - 1)
        let midnight = Self.startMs + 24 * TestStore.hour, noon = midnight + 12 * TestStore.hour
        var random = SeededRandom(seed: 6)
        try await Self.add(ClickDays.mostRead + 1, atMs: midnight - 20_000, to: store, &random)
        try await Self.add(5, atMs: midnight + 5_000, to: store, &random)
        try await Self.work(store, "UTC", atMs: midnight + 60_000)
        try await Self.add(ClickDays.mostRead + 1, atMs: noon, to: store, &random)

        let counts = try await Self.byHost(store, atMs: noon + 1)

        let today = Array(ReportDays.text(midnight / Retention.dayMs).utf8)
        // People, expired links and machines: every click is one of them.
        let clicks: Int64 = counts.rows.filter { $0.key[0] == today }.values.reduce(0) { $0 + $1[0] + $1[3] + $1[4] }
        #expect(clicks == ClickDays.mostRead)
        #expect((counts.countedToMs ?? .max) <= noon)
    }

    @Test("are counted once their last click is on disk, and are whole from the first day of which no click was deleted")
    func grace() async throws {
        let store = try await TestStore(createdAtMs: Self.startMs - 1)
        let days = ClickDays(app: TestStore.app, zone: .utc), day = Self.startMs / Retention.dayMs
        var random = SeededRandom(seed: 4)
        try await store.clicks.record(ClickEntry(click: try Self.click(atMs: Self.startMs, &random)), of: TestStore.app)

        var next: [Int64?] = []
        for atMs in [(day + 1) * Retention.dayMs + ClickDayCounter.graceMs - 1, (day + 1) * Retention.dayMs + ClickDayCounter.graceMs] {
            try await Self.work(store, "UTC", atMs: atMs)
            next.append(try await store.database.read { try days.closed($0)?.nextDay })
        }
        let counts = LinkCounts(firstDay: day - 400)
        func isWhole(from: Int64) throws -> Bool {
            let range = try ReportDays(from: ReportDays.text(from), to: ReportDays.text(from + 1), nowMs: Self.startMs)
            return counts.isWhole(range, Retention(), nowMs: Self.startMs + 100 * Retention.dayMs)
        }

        #expect(next == [day, day + 1])
        #expect(try isWhole(from: day - 400) && !isWhole(from: day - 401))
    }
}
