// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Four first opens. A campaign brought Maya; she saw a paywall and started a trial. Omar's source was known only after his
/// paywall. Noor has no source and saw both paywalls. Ada saw none.
struct ReportedApp {
    static let (maya, omar, noor, ada) = (Phone(1, secret: 1), Phone(2, secret: 2), Phone(3, secret: 3), Phone(4, secret: 4))
    let server: TestServer

    static func run(
        change: (inout Configuration) -> Void = { _ in }, trust: AppStoreTrust = AppStoreTrust(), _ body: @Sendable (ReportedApp) async throws -> Void
    ) async throws {
        var configuration = Configuration.sample()
        configuration.events = [Event.Kind("trial_started"): EventDeclaration()]
        configuration.metrics = [
            Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: 7),
            Metric(name: "paid", measure: .purchase(.any)),
            Metric(name: "revenue", measure: .revenue(.purchases)),
        ]
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: [.reports])!]
        change(&configuration)
        try await TestServer.run(configuration: configuration, trust: trust) { server in
            let app = ReportedApp(server: server)
            for phone in [maya, omar, noor, ada] {
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(phone.id)"}}"#, phone: phone)
            }
            try await app.claim("autumn", maya)
            try await app.record("paywall_shown", "default", maya)
            try await app.record("trial_started", nil, maya)
            try await app.record("paywall_shown", "default", omar)
            server.clock.advance(by: .seconds(60))
            try await app.claim("autumn", omar)
            for paywall in ["default", "default", "summer"] { try await app.record("paywall_shown", paywall, noor) }
            try await body(app)
        }
    }

    func claim(_ campaign: String, _ phone: Phone) async throws {
        let body = #"{"key":"\#(campaign)","source":"tenjin","status":"non_organic","campaign":"\#(campaign)"}"#
        #expect(try await server.send(.post, WirePath.attribution, body, phone: phone).status == .ok)
    }

    func record(_ type: String, _ paywall: String?, _ phone: Phone, elapsed: Int64? = nil) async throws {
        var event = Event(id: UUIDv7.make(nowMs: server.services.time.nowMs()), type: Event.Kind(type), ageMilliseconds: 0)
        event.placement = paywall == nil ? nil : "onboarding"
        event.paywall = paywall.map { PaywallID($0) }
        event.elapsedMilliseconds = elapsed
        let body = String(decoding: try WireCoding.encode(EventBatch(events: [event])), as: UTF8.self)
        #expect(try await server.send(.post, WirePath.events, body, phone: phone).status == .ok)
    }

    func report(_ target: String) async throws -> ReportDocument {
        let answer = try await server.send(.get, "/v1/reports/" + target, phone: nil, key: LinkRouteServer.serverKey)
        #expect(answer.status == .ok)
        return try answer.decoded(ReportDocument.self)
    }
}

extension ReportDocument {
    /// The values of these columns, row by row; nil is unknown.
    func values(_ names: String...) -> [[Double?]] { (rows.map(\.values) + [totals]).map { row in names.map { row[$0] ?? nil } } }
}

@Suite("The report of campaigns", .timeLimit(.minutes(1)))
struct CampaignReportTests {
    @Test("counts first opens by source and campaign, and what the installs did later")
    func counts() async throws {
        try await ReportedApp.run { app in
            let report = try await app.report("campaigns")

            #expect(report.by == ["source", "campaign"])
            #expect(report.rows.map(\.key) == [["source": "tenjin", "campaign": "autumn"], ["source": nil, "campaign": nil]])
            #expect(
                report.values("firstOpens", "attributed", "late", "shown", "converted.trial", "rate.trial")
                    == [[2, 2, 1, 2, 1, 0.5], [2, 0, 0, 1, 0, 0], [4, 2, 1, 3, 1, 0.25]])
            #expect(report.completeToMilliseconds == app.server.services.time.nowMs())
            #expect(report.columns.first { $0.name == "converted.trial" }?.windowDays == 7 && report.columns[0].windowDays == nil)
        }
    }

    @Test("has null for unknown values: purchases, and clicks of sources that do not report their clicks")
    func unknown() async throws {
        try await ReportedApp.run { app in
            let report = try await app.report("campaigns")
            let byKeyword = try await app.report("campaigns?by=keyword")

            #expect(report.values("converted.paid", "revenue.revenue", "clicks") == [[nil, nil, nil], [nil, nil, nil], [nil, nil, 0]])
            #expect(byKeyword.values("firstOpens", "clicks") == [[4, nil], [4, nil]])
            #expect(report.columns.map(\.unit) == [.count, .count, .count, .count, .count, .count, .count, .count, .count, .ratio, .count, .milliunits, .count, .count])
        }
    }

    @Test("has the clicks of links in the rows of their first opens, also for links that brought no first open")
    func clicks() async throws {
        try await ReportedApp.run { app in
            for browser in [Browser.onPhone, .onPhone, Browser(address: "198.51.100.1")] {
                _ = try await browser.open("https://brandname.go.link/beach", in: app.server)
            }

            let report = try await app.report("campaigns")
            let byChannel = try await app.report("campaigns?by=")

            #expect(report.rows.map(\.key).contains(["source": "link", "campaign": "summer"]))
            #expect(report.values("firstOpens", "clicks", "uniqueClicks").contains([0, 3, 2]))
            #expect(byChannel.values("firstOpens", "clicks", "uniqueClicks") == [[4, 3, 2], [4, 3, 2]])
        }
    }

    @Test("counts by the day of the first open, not by the day of later events")
    func days() async throws {
        try await ReportedApp.run { app in
            let day = ReportDays.text(app.server.services.time.nowMs() / Retention.dayMs)
            app.server.clock.advance(by: .seconds(6 * 86_400))
            try await app.record("trial_started", nil, ReportedApp.noor)
            app.server.clock.advance(by: .seconds(2 * 86_400))
            try await app.record("trial_started", nil, ReportedApp.ada)

            let report = try await app.report("campaigns?by=day&from=\(day)&to=\(day)")
            let later = try await app.report("campaigns?by=day")

            #expect(report.rows.map(\.key) == [["day": day]])
            // Ada's trial is later than the metric's window.
            #expect(report.values("firstOpens", "converted.trial") == [[4, 2], [4, 2]])
            #expect(later.rows.map(\.key) == [["day": day]])
        }
    }

    @Test("has null for days whose rows may be deleted already")
    func retention() async throws {
        try await ReportedApp.run(change: { $0.retention.eventDays = 30 }) { app in
            let first = ReportDays.text(app.server.services.time.nowMs() / Retention.dayMs - 40)

            let report = try await app.report("campaigns?by=&from=\(first)")

            #expect(report.values("firstOpens", "attributed", "shown", "converted.trial", "rate.trial") == Array(repeating: [4, 2, nil, nil, nil], count: 2))
        }
    }

    @Test("refuses unknown fields, and reports of other names do not exist")
    func refused() async throws {
        try await ReportedApp.run { app in
            for (target, code) in [("campaigns?by=path", ErrorCode.invalidValue), ("paywalls?by=campaign", .invalidValue), ("campaign", .notFound)] {
                let answer = try await app.server.send(.get, "/v1/reports/" + target, phone: nil, key: LinkRouteServer.serverKey)
                #expect(answer.problem?.code == code)
            }
        }
    }
}

@Suite("The report of paywalls", .timeLimit(.minutes(1)))
struct PaywallReportTests {
    @Test("counts installs, exposures and conversions by paywall, and counts an install of two rows once in the totals")
    func counts() async throws {
        try await ReportedApp.run { app in
            try await app.record("trial_started", nil, ReportedApp.noor)

            let report = try await app.report("paywalls")

            #expect(report.by == ["placement", "paywall"])
            #expect(report.rows.map { $0.key["paywall"] } == ["default", "summer"])
            #expect(
                report.values("shown", "exposures", "attributed", "late", "converted.trial")
                    == [[3, 4, 2, 1, 2], [1, 1, 0, 0, 1], [3, 5, 2, 1, 2]])
            #expect(report.values("rate.trial")[0][0].map { abs($0 - 2.0 / 3) < 1e-9 } == true)
        }
    }

    @Test("has one row for all if it has no fields, and no row if no paywall was shown")
    func all() async throws {
        try await ReportedApp.run { app in
            let report = try await app.report("paywalls?by=")
            let before = try await app.report("paywalls?from=2026-01-01&to=2026-01-02")

            #expect(report.values("shown", "exposures") == [[3, 5], [3, 5]])
            // No app told how long it took.
            #expect(report.values("elapsed.p50", "elapsed.p95") == [[nil, nil], [nil, nil]])
            #expect(before.rows.isEmpty && before.totals["shown"] == 0)
        }
    }

    @Test("tells how long it took to the paywall, as far as apps told it; other numbers are not kept")
    func elapsed() async throws {
        try await ReportedApp.run { app in
            for elapsed in [500, 520, 540, 9_000, -1, 86_400_001] as [Int64] {
                try await app.record("paywall_shown", "slow", ReportedApp.ada, elapsed: elapsed)
            }
            let report = try await app.report("paywalls?by=paywall")
            let row = try #require(report.rows.first { $0.key["paywall"] == "slow" })

            #expect(row.values["exposures"] == 6 && report.columns.first { $0.name == "elapsed.p50" }?.unit == .milliseconds)
            let p50 = try #require(row.values["elapsed.p50"] ?? nil), p95 = try #require(row.values["elapsed.p95"] ?? nil)
            #expect((400...650).contains(p50) && (7_200...11_250).contains(p95))
        }
    }

    @Test("does not count events before the paywall as conversions")
    func order() async throws {
        try await ReportedApp.run { app in
            try await app.record("trial_started", nil, ReportedApp.ada)
            app.server.clock.advance(by: .seconds(1))
            try await app.record("paywall_shown", "summer", ReportedApp.ada)

            let report = try await app.report("paywalls?by=paywall")

            #expect(report.values("shown", "converted.trial") == [[3, 1], [2, 0], [4, 1]])
        }
    }
}

@Suite("What reports read", .timeLimit(.minutes(1)))
struct ReportReadingTests {
    @Test("is read in several parts, each row once")
    func pages() async throws {
        try await ReportedApp.run { app in
            let (database, id) = (app.server.services.database, app.server.services.snapshot.app.id)
            for page in [1, 2, 3, 100] {
                var installs = 0, events = 0
                try await InstallReader(database: database, app: id, page: page).forEach(openedMs: .min..<(.max)) { _ in installs += 1 }
                try await EventReader(database: database, app: id, page: page).forEach(
                    of: [.paywallShown, Event.Kind("trial_started")], receivedMs: 0..<(1 << 45)
                ) { _ in events += 1 }
                #expect((installs, events) == (4, 6))
            }
        }
    }

    @Test("is found by the keys: no other day's events, no other app's installs", .sqlitePlans)
    func plans() async throws {
        try await TestServer.run { server in
            let types = Array(repeating: SQLValue.text("paywall_shown"), count: EventReader.mostTypes)
            let plans = [
                (EventReader.text, [.text("a"), .text("0"), .text("1"), .integer(1)] + types, "SEARCH event USING"),
                (InstallReader.text, [.text("a"), .text(""), .integer(0), .integer(1), .integer(1)], "SEARCH install USING"),
            ]
            for (text, values, expected) in plans {
                let plan = try await server.rows("EXPLAIN QUERY PLAN " + text, values).map { try $0.text("detail") }.joined(separator: "\n")
                #expect(plan.contains(expected) && !plan.contains("TEMP B-TREE"), "\(plan)")
            }
        }
    }
}

@Suite("Installs that a report counts", .timeLimit(.minutes(1)))
struct ReportCohortTests {
    private static let install = InstallKey(InstallID(Phone(1).id))!
    private static let day: Int64 = 86_400_000
    private static let metric = Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: 7)

    @Test("convert from their start to the end of the window, both included", arguments: [(-1, 0), (0, 1), (7 * day, 1), (7 * day + 1, 0)] as [(Int64, Int64)])
    func window(afterMs: Int64, converted: Int64) throws {
        var cohort = ReportCohort(metrics: [Self.metric])
        try cohort.add(Self.install, to: [], openedAtMs: 1_000, attributedAtMs: nil)

        cohort.count(Event.Kind("trial_started"), of: Self.install, atMs: 1_000 + afterMs)
        cohort.count(Event.Kind("trial_started"), of: Self.install, atMs: 1_000 - 5 * Self.day)

        #expect(cohort.counts[[]]?[cohort.layout[.converted(0)]] == converted)
    }

    @Test("count once, whatever comes twice")
    func once() throws {
        var cohort = ReportCohort(metrics: [Self.metric])
        for key in ["a", "a", "b"] { try cohort.add(Self.install, to: [Array(key.utf8)], openedAtMs: 100, attributedAtMs: 300) }
        for atMs in [500, 200, 200] as [Int64] {
            cohort.count(.paywallShown, of: Self.install, atMs: atMs)
            cohort.count(Event.Kind("trial_started"), of: Self.install, atMs: atMs)
        }

        #expect(cohort.counts == [[Array("a".utf8)]: [1, 1, 1, 1, 0, 0, 0, 0, 1]])
    }
}
