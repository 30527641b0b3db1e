// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The chart of a demo", .timeLimit(.minutes(1)))
struct TimelineChartTests {
    @Test("is a table within 100 columns")
    func table() {
        let chart = TimelineChart()
        let quick = launch(
            [(.token, 130), (.answer(status: 200), 400)], paywall: "apple-ads", targeted: true, at: 412,
            phone: "Apple Ads, quick"
        )
        let offline = launch([], paywall: "default", at: 3, phone: "no network", origin: "bundled", requests: 0)

        let text = [chart.heading("First launch"), chart.line(quick), chart.line(offline)]

        #expect(
            text == [
                " First launch        0 s     1       2       3       4       5 s     paywall   from    after  req.",
                " Apple Ads, quick    ─○─◆●                                   ┊       apple-ads server 0.41 s    1",
                " no network          ●                                       ┊       default   bundle 0.00 s    0",
            ]
        )
        #expect((text + [chart.legend()]).allSatisfy { $0.count <= 100 })
    }

    @Test("sums launches up")
    func summary() {
        let launches = [
            launch([], paywall: "apple-ads", targeted: true, at: 300),
            launch([], paywall: "default", at: 5_000, requests: 2),
            launch([], paywall: "default", at: 100, requests: 0),
        ]

        let rows = TimelineChart().summary([("First launch", LaunchTotals(launches, deadline: .seconds(5)))])

        #expect(
            rows == [
                "                   opens  targeted  late   median  longest  requests per open",
                " First launch          3         1     0   0.30 s   5.00 s               1.00",
            ]
        )
    }

    @Test("colours a terminal only, and the text stays the same")
    func colours() {
        let launch = launch([(.token, 130)], paywall: "apple-ads", targeted: true, at: 412)

        let coloured = TimelineChart(hasColours: true).line(launch)

        #expect(coloured.contains("\u{1B}[1;32m●\u{1B}[0m"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == TimelineChart().line(launch))
    }

    @Test("counts launches as late from 50 ms after the deadline, and an empty group as zero")
    func totals() {
        let onTime = LaunchTotals([launch([], paywall: "a", at: 5_050)], deadline: .seconds(5))
        let late = LaunchTotals([launch([], paywall: nil, at: 5_051)], deadline: .seconds(5))
        let none = LaunchTotals([], deadline: .seconds(5))

        #expect(onTime.late == 0)
        #expect((late.late, late.withoutPaywall) == (1, 1))
        #expect((none.opens, none.median, none.requestsPerOpen) == (0, .zero, 0))
    }

    @Test("counts requests of phones with a network, and not of a phone that cannot send any")
    func requests() {
        let online = [1, 2].map { launch([], paywall: "a", at: 100, requests: $0) }
        let offline = launch([], paywall: "a", at: 10, requests: 0, isOnline: false)

        let totals = LaunchTotals(online + [offline], deadline: .seconds(5))

        #expect((totals.opens, totals.requestsPerOpen) == (3, 1.5))
        #expect(LaunchTotals([offline], deadline: .seconds(5)).requestsPerOpen == 0)
    }
}
