// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallReports
@testable import LandfallRules

@Suite("Counts that are not known", .timeLimit(.minutes(1)))
struct UnknownCountTests {
    private static let link = Array("link".utf8), summer = Array("summer".utf8)

    /// The report of two days and labels that have clicks and no install.
    private static func document(nowMs: Int64, by: [CampaignReport.Dimension], uncounted: Set<ReportMetric> = []) throws -> ReportDocument {
        let days = try ReportDays(from: "2026-11-01", to: "2026-11-02", nowMs: 0)
        let report = CampaignReport(days: days, by: by, metrics: [Metric(name: "trial", measure: .event(Event.Kind("trial_started")))])
        let key: ReportSheet.Key = by.map { $0 == .source ? link : $0 == .day ? Array("2026-11-01".utf8) : summer }
        let known = ReportKnowledge(days, Retention(), nowMs: nowMs)
        let installs = CampaignReport.Installs(rows: [:], layout: ReportCohort.layout(1), known: known, uncounted: uncounted, completeToMs: nowMs)
        return report.sheet(installs, [key: [7, 5]], completeToMs: nowMs).document()
    }

    @Test("are null where labels have clicks only, and zero where installs are known")
    func clicksOnly() throws {
        let openedMs = try ReportDays(from: "2026-11-01", to: "2026-11-02", nowMs: 0).milliseconds.lowerBound

        let known = try Self.document(nowMs: openedMs, by: [.source, .campaign])
        let uncounted = try Self.document(nowMs: openedMs, by: [.source, .campaign], uncounted: [.converted(0)])
        let forgotten = try Self.document(nowMs: openedMs + Retention().installMs + 1, by: [.source, .campaign])

        let names = ["firstOpens", "shown", "converted.trial", "clicks"]
        func values(_ document: ReportDocument) -> [Double?]? { document.rows.first.map { row in names.map { row.values[$0] ?? nil } } }
        #expect(values(known) == [0, 0, 0, 7])
        #expect(values(uncounted) == [0, 0, nil, 7])
        #expect(values(forgotten) == [nil, nil, nil, 7])
    }

    @Test("are gaps of a chart; a day without a row is zero where the sum is known")
    func chart() throws {
        let days = try ReportDays(from: "2026-11-01", to: "2026-11-02", nowMs: 0), openedMs = days.milliseconds.lowerBound
        let known = try Self.document(nowMs: openedMs, by: [.day]), forgotten = try Self.document(nowMs: openedMs + Retention().installMs + 1, by: [.day])

        let zeros = [DayChart.Day]("firstOpens", days, now: known, before: forgotten, today: 0)
        let gaps = [DayChart.Day]("firstOpens", days, now: forgotten, before: nil, today: 0)
        let clicks = [DayChart.Day]("clicks", days, now: forgotten, before: nil, today: 0)

        #expect(zeros.map(\.value) == [0, 0] && zeros.map(\.before) == [nil, nil])
        #expect(gaps.map(\.value) == [nil, nil])
        #expect(clicks.map(\.value) == [7, 0])
    }
}
