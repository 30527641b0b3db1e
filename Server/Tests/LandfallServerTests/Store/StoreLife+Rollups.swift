// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// Days are counted, counted again in another zone after the first of them are frozen, and read.
    static func rollups(_ store: TestStore) async throws {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = [Metric(name: "trial", measure: .event(Event.Kind("trial_started")))]
        configuration.retention.installDays = 2
        let live = LiveConfiguration(Snapshot(configuration, revision: 1))
        func work(atMs: Int64) -> RollupWork {
            RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { atMs }, sleep: { _ in }))
        }
        let (now, later) = (TestStore.noon, TestStore.noon + 96 * TestStore.hour)
        while try await work(atMs: now).step() {}
        configuration.reportZone = ReportZone("Asia/Tokyo") ?? .utc
        _ = live.serve(Snapshot(configuration, revision: 2))
        while try await work(atMs: later).step() {}
        // The same day in the new zone, and one whose counts differ.
        let lost = "UPDATE report_day SET cells = ''"
        try await store.database.write { _ = try $0.run(lost) }
        for back in 1...(96 / 24 + 1) as ClosedRange<Int64> { _ = try await work(atMs: later).recountNightly(back) }
        // One install waits while somebody asks for a report. A day without clicks has no row. Clicks of a day that is not over are counted.
        try await store.open(.phone("0199b0a0-0000-7000-8000-700000000000", secret: 7), nowMs: later)
        let days = ClickDays(app: TestStore.app, zone: .utc)
        let counted = DirtyMark(report: DirtyMark.installs, bucket: "nobody", sinceMs: later, stamp: 1)
        try await store.database.write { connection in
            // A day that was marked again while it was counted.
            _ = try connection.run(counted.advance(to: later, in: TestStore.app))
            _ = try connection.run(days.replacement(of: 1, .whole, with: ""))
            _ = try connection.run(days.advance(countedTo: later, from: 1))
        }
        let open = CountedClicks(of: TestStore.noon / Retention.dayMs, in: .utc, ClickDimensions.allLists)
        _ = try await store.database.read { try open.areAll(of: TestStore.app, $0) }
        let state = try await work(atMs: later).settled()
        guard let state, let zone = state.serving?.rules.zone else { return }
        let range = try ReportDays(from: nil, to: nil, in: zone, nowMs: later)
        for by in [[], [.country], [.campaign, .platform]] as [[LinkReport.Dimension]] {
            _ = try await LinkReportStore(database: store.database).counts(LinkReport(days: range, by: by), of: TestStore.app)
        }
        for by in [[], [.country]] as [[CampaignReport.Dimension]] {
            let report = CampaignReport(days: range, by: by, metrics: live.snapshot.metrics)
            _ = try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later)
        }
        for state in [state, nil] {
            let paywalls = PaywallReport(days: range, by: [.day, .paywall], metrics: live.snapshot.metrics)
            _ = try await paywalls.sheet(store.database, live.snapshot, state, nowMs: later)
            _ = try await FunnelReport(days: range, by: [.day, .source]).sheet(ReportStore(store.database), live.snapshot, state, nowMs: later)
            _ = try await RetentionReport(days: range, by: [.week]).sheet(store.database, live.snapshot, state, nowMs: later)
        }
    }
}
