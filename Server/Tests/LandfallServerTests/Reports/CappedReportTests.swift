// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("A report with too many rows", .timeLimit(.minutes(1)))
struct CappedReportTests {
    @Test("keeps the largest rows; the others are one row, or one for each day")
    func capped() {
        func key(_ texts: String...) -> ReportSheet.Key { texts.map { Array($0.utf8) } }
        let many = (1...(ReportSheet.mostRows + 500)).map { (key($0 % 2 == 0 ? "2026-11-01" : "2026-11-02", "/\($0)"), [Int64($0), nil] as [Int64?]) }
        let rows = Dictionary(uniqueKeysWithValues: many)

        let byDay = ReportSheet.capped(rows, by: ["day", "path"])
        let all = ReportSheet.capped(rows, by: ["host", "path"])

        #expect(byDay.count <= ReportSheet.mostRows && all.count == ReportSheet.mostRows)
        #expect(byDay[key("2026-11-01", "other")] != nil && byDay[key("2026-11-02", "other")] != nil && all[key("other", "other")] != nil)
        let sums = [rows, byDay, all].map { $0.values.reduce(0) { $0 + ($1[0] ?? 0) } }
        #expect(Set(sums).count == 1)
        #expect(all[key("2026-11-01", "/10500")] == [10_500, nil] && all.values.allSatisfy { $0[1] == nil })
    }
}
