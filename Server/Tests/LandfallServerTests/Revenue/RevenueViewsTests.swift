// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What runs, and cohorts, from the store", .timeLimit(.minutes(2)))
struct RevenueViewsTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let today = ReportZone.utc.day(ofMs: nowMs)

    private func running(
        testDevice: Phone? = nil, _ body: @Sendable (TestServer, SignedStore) async throws -> Void
    ) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        var configuration = Configuration.sample()
        if let testDevice { configuration.testDevices = [TestDevice(name: "Maya", install: InstallID(testDevice.id))] }
        try await TestServer.run(configuration: configuration, trust: store.trust()) { try await body($0, store) }
    }

    private func answer(
        _ server: TestServer, _ view: RevenueView, by: [RevenueDimension]? = nil, daysAgo: Int64
    ) async throws -> RevenueDocument {
        try await server.services.reports.answer(
            RevenueRequest(view, by: by, try ReportDays(Self.today - daysAgo, Self.today, in: .utc)), server.services.snapshot)
    }

    @Test("subscriptions of each day are those of production, in the only currency")
    func subscriptions() async throws {
        try await running { server, store in
            var sandbox = store
            sandbox.environment = "Sandbox"
            _ = try await server.report([
                store.transaction(daysAgo: 3), store.transaction("20", of: "20", daysAgo: 0, adding: ["productId": "monthly"]),
                sandbox.transaction("30", of: "30", daysAgo: 3),
            ])

            let document = try await answer(server, .subscriptions, daysAgo: 4)
            let products = try await answer(server, .subscriptions, by: [.product], daysAgo: 4)
            let sources = try await answer(server, .subscriptions, by: [.source, .day], daysAgo: 0)

            #expect(document.currency == "EUR" && document.by == ["day"] && document.unconverted.isEmpty)
            #expect(document.rows.map { $0.key["day"] } == (0...4).map { ReportDays.text(Self.today - 4 + $0) })
            #expect(document.rows.map { $0.values.numbers[.active] } == [0, 1, 1, 1, 2])
            #expect(document.rows.map { $0.values.numbers[.mrrMilliunits] } == [0, 9_990, 9_990, 9_990, 19_980])
            #expect(document.totals.numbers[.started] == 2)
            #expect(document.erased.numbers.isEmpty)
            #expect(products.by == ["day", "product"])
            #expect(products.rows.filter { $0.key["product"] == "monthly" }.map { $0.values.numbers[.active] } == [1])
            // The older one was bought before the phone's first open.
            #expect(sources.by == ["source", "day"])
            #expect(sources.rows.map { $0.key["source"] } == ["before", "unknown"])
        }
    }

    @Test("with filters each view has only what they name; cohorts know none by product")
    func filtered() async throws {
        try await running { server, store in
            _ = try await server.report([
                store.transaction(daysAgo: 3), store.transaction("20", of: "20", daysAgo: 0, adding: ["productId": "monthly"]),
            ])
            let reports = server.services.reports, snapshot = server.services.snapshot
            func answer(_ view: RevenueView, _ filters: [RevenueDimension: String]) async throws -> RevenueDocument {
                var request = RevenueRequest(view, by: [.day], try ReportDays(Self.today - 4, Self.today, in: .utc))
                request.filters = filters
                return try await reports.answer(request, snapshot)
            }

            let monthly = try await answer(.subscriptions, [.product: "monthly"]), before = try await answer(.subscriptions, [.source: "before"])
            let all = try await answer(.cohorts, [:]), unknown = try await answer(.cohorts, [.source: "unknown"])
            let linked = try await answer(.cohorts, [.source: "link"])

            #expect(monthly.rows.map { $0.values.numbers[.active] } == [0, 0, 0, 0, 1] && monthly.totals.numbers[.started] == 1)
            #expect(before.rows.map { $0.values.numbers[.active] } == [0, 1, 1, 1, 1])
            #expect(all.totals.numbers[.installs] == 1 && unknown.totals.numbers == all.totals.numbers)
            #expect(linked.totals.numbers[.installs] == 0 && linked.totals.numbers[.payers] == 0)
            await #expect(throws: ReportError.self) { _ = try await answer(.cohorts, [.product: "monthly"]) }
        }
    }

    @Test("a year that began 300 days before the first day runs on it")
    func year() async throws {
        try await running { server, store in
            let begun = Self.nowMs - 300 * 86_400_000
            _ = try await server.report([
                store.transaction(daysAgo: 300, adding: ["expiresDate": begun + 365 * 86_400_000, "price": 59_990])
            ])

            let document = try await answer(server, .subscriptions, daysAgo: 1)

            // 59,990 ÷ 12 = 4,999.17
            #expect(document.rows.map { $0.values.numbers[.mrrMilliunits] } == [4_999, 4_999])
            #expect(document.totals.ratios[.churn] == 0)
        }
    }

    @Test("cohorts are first opens and what they bought since; what is older is of none")
    func cohorts() async throws {
        try await running { server, store in
            // Bought in the moment of the first open, and the day before.
            _ = try await server.report([store.transaction("20", of: "20", daysAgo: 0)], by: Phone(1))
            _ = try await server.report([store.transaction("40", of: "40", daysAgo: 1)], by: Phone(2))

            let early = try await answer(server, .cohorts, daysAgo: 0)
            server.clock.advance(by: .seconds(8 * 86_400))
            let late = try await answer(server, .cohorts, by: [.source, .day], daysAgo: 0)

            #expect(early.rows.map(\.values.numbers) == [[.installs: 2, .payers: 1]])
            #expect(late.rows.map(\.key) == [["day": ReportDays.text(Self.today), "source": "unknown"]])
            #expect(late.rows.map(\.values.numbers) == [[.installs: 2, .payers: 1, .day7Milliunits: 9_990]])
            #expect(late.totals == late.rows.first?.values)
        }
    }

    @Test("a test device is in no cohort, and neither is what it bought")
    func testDevice() async throws {
        try await running(testDevice: Phone(1)) { server, store in
            _ = try await server.report([store.transaction("20", of: "20", daysAgo: 0)], by: Phone(1))
            _ = try await server.report([store.transaction("40", of: "40", daysAgo: 0)], by: Phone(2))

            server.clock.advance(by: .seconds(8 * 86_400))
            let document = try await answer(server, .cohorts, daysAgo: 0)

            #expect(document.totals.numbers == [.installs: 1, .payers: 1, .day7Milliunits: 9_990])
        }
    }

    @Test("an install that is deleted leaves its money in the cohort, by what its chain has kept")
    func expired() async throws {
        try await running { server, store in
            _ = try await server.report([store.transaction("20", of: "20", daysAgo: 0)], by: Phone(1))
            let kept = try ChainOrigin(nil, firstOpenedAtMs: Self.nowMs).text
            try await server.services.database.write { connection in
                try connection.lock([.chain("Production:20", in: server.app), .install(InstallID(Phone(1).id), in: server.app)])
                try connection.run("UPDATE purchase_chain SET brought_by_install = NULL, origin = $1", [.text(kept)])
                _ = try connection.run("DELETE FROM install")
            }

            server.clock.advance(by: .seconds(8 * 86_400))
            let document = try await answer(server, .cohorts, by: [.source], daysAgo: 0)

            #expect(document.rows.map(\.key) == [["source": "unknown"]])
            #expect(document.totals.numbers == [.installs: 0, .payers: 1, .day7Milliunits: 9_990])
        }
    }
}
