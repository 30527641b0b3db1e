// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Days of revenue that are counted", .timeLimit(.minutes(1)))
struct ChargeDayTests {
    private static let days: ClosedRange<Int64> = RevenueStore.august - 40...RevenueStore.august + 30

    private func count(_ store: RevenueStore) async throws -> Int {
        var steps = 0
        let update = ChargeDayUpdate(database: store.store.engine, app: store.app)
        while try await update.step() { steps += 1 }
        return steps
    }

    private func rest(_ work: RollupWork) async throws {
        for _ in 0..<20 { _ = try await work.work() }
    }

    /// As ``Reports`` reads it, and how many days of that are counted ones.
    private func report(
        _ store: RevenueStore, _ view: RevenueView = .purchase, by: [RevenueDimension], filters: [RevenueDimension: String] = [:]
    ) async throws -> (RevenueDocument, counted: Int) {
        let source = ChargeSource(reader: RevenueReader(database: store.store.engine, app: store.app), verification: nil)
        var request = try RevenueStore.request(view, by: by)
        request.filters = filters
        var report = RevenueReport(request, RevenueStory.rules), counted = 0
        _ = try await source.forEach(view, RevenueStore.august + 1...RevenueStore.august + 30, by: request.read) { charges in
            if case .day = charges { counted += 1 }
            try report.add(charges)
        }
        return (report.document(), counted)
    }

    @Test("give the same report as rows, in both views and by every field", arguments: [RevenueView.purchase, .booking])
    func same(view: RevenueView) async throws {
        let store = try await RevenueStory.written()
        let fields = RevenueDimension.allCases.map { [$0] } + [[], [.source, .country], RevenueDimension.allCases]
        var rows: [RevenueDocument] = []
        for by in fields { rows.append(try await store.report(view, by: by)) }

        #expect(try await count(store) == 14)

        for (by, expected) in zip(fields, rows) {
            let (document, counted) = try await report(store, view, by: by)
            #expect(document == expected, "\(by)")
            #expect(counted > 10)
        }
        #expect(try await count(store) == 0)
    }

    @Test("give the same report as rows for the filters", arguments: [[.source: "apple_search_ads"], [.product: "year", .source: "link"], [.country: "DEU"], [.paywall: "special"]] as [[RevenueDimension: String]])
    func filtered(filters: [RevenueDimension: String]) async throws {
        let store = try await RevenueStory.written()
        _ = try await count(store)

        let (document, counted) = try await report(store, by: [.product], filters: filters)

        #expect(document == (try await store.report(by: [.product], filters: filters)))
        #expect(!document.rows.isEmpty && counted > 10)
    }

    @Test("are read from their rows as soon as one of their charges changes, and counted again")
    func changed() async throws {
        let store = try await RevenueStory.written()
        _ = try await count(store)
        let before = try await report(store, by: [.source])

        try await store.charge("11", of: "1", .refund, on: 9, booked: 28, 9_990)
        let after = try await report(store, by: [.source])

        #expect(after.0 == (try await store.report(by: [.source])))
        #expect(after.0.totals.numbers[.refundsMilliunits] == 23_976 && after.counted == before.counted - 1)
        #expect(try await count(store) == 2)
        let counted = try await report(store, by: [.source])
        #expect(counted.0 == after.0 && counted.counted == before.counted)
    }

    @Test("keep the mark of a change that comes while they are counted")
    func meanwhile() async throws {
        let store = try await RevenueStory.written()
        _ = try await count(store)
        let update = ChargeDayUpdate(database: store.store.engine, app: store.app)
        try await update.mark(RevenueStore.august + 9...RevenueStore.august + 9, nowMs: RevenueStore.ms(30))
        let marks = try await store.store.engine.read { try DirtyMark.oldest(DirtyMark.charges, of: store.app, 10, $0) }
        try await store.charge("1000", of: "1", on: 9, 1_000)

        _ = try await store.store.engine.write(.interactive, locking: []) { try $0.batch(marks.map { $0.deletion(from: store.app) }) }

        #expect(try await report(store, by: []).0 == (try await store.report(by: [])))
        #expect(marks.count == 1)
        #expect(try await count(store) == 1)
    }

    @Test("that somebody has changed are found where everything is verified, and counted again by a rebuild")
    func tampered() async throws {
        let store = try await RevenueStory.written()
        _ = try await count(store)
        let day = RevenueStore.august + 7, reader = ChargeDayReader(database: store.store.engine, app: store.app, view: .purchase)
        #expect(try await reader.differences(Self.days).isEmpty)

        _ = try await store.store.engine.write(.interactive, locking: []) {
            try $0.run("UPDATE charge_day SET cells = replace(cells, '7990', '9990') WHERE app_id = $1 AND day = $2", [.text(store.app.rawValue), .integer(day)])
        }

        #expect(try await reader.differences(Self.days) == ["The counted day 2026-09-07 by purchase is not what its charges add up to."])
        let update = ChargeDayUpdate(database: store.store.engine, app: store.app)
        try await update.mark(day...day, nowMs: RevenueStore.ms(30))
        #expect(try await count(store) == 1)
        #expect(try await reader.differences(Self.days).isEmpty)
    }

    @Test("of a source that moves are marked by the install whose source it is")
    func moved() async throws {
        let store = try await RevenueStory.written()
        var configuration = Configuration.sample()
        configuration.app = App(id: store.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        let live = LiveConfiguration(Snapshot(configuration, revision: 1))
        let work = RollupWork(
            database: store.store.engine, configuration: live, time: ServerTime(nowMs: { RevenueStore.ms(30) }, sleep: { _ in }))
        try await rest(work)
        let before = try await report(store, by: [.source])
        #expect(before.0.rows.first { $0.key["source"] == "unknown" }?.values.numbers[.grossMilliunits] == 80_890 && before.counted > 10)

        try await store.fact(RevenueStory.noor, "branch", campaign: "autumn", on: 4)
        _ = try await store.store.engine.write(.interactive, locking: []) {
            try $0.run(
                DirtyMark(report: DirtyMark.installs, bucket: RevenueStory.noor.installID.rawValue, sinceMs: RevenueStore.ms(30), stamp: 7).insertion(into: store.app))
        }
        try await rest(work)

        let after = try await report(store, by: [.source])
        #expect(after.0 == (try await store.report(by: [.source])))
        #expect(after.0.rows.first { $0.key["source"] == "unknown" }?.values.numbers[.grossMilliunits] == 2_990)
    }
}
