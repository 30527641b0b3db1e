// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Charts", .timeLimit(.minutes(1)))
struct DayChartTests {
    @Test(
        "The top of a chart is a round number that holds every value",
        arguments: [(0, 5), (5, 5), (6, 6), (7, 8), (11, 20), (620, 800), (1_000, 1_000), (1_001, 2_000)] as [(Int64, Int64)])
    func top(value: Int64, top: Int64) { #expect(DayChart.roundTop(of: value) == top) }

    @Test("Every day is in the picture and in the table; a day that is not over is drawn differently")
    func drawing() {
        let days = (1...3).map { DayChart.Day(date: "2026-11-0\($0)", value: Int64($0), before: 2, isWhole: $0 < 3) }

        let markup = DayChart(name: "Opens", days: days).html(Words(.english)).markup

        #expect(markup.ranges(of: "class=\"now\" x=").count == 2 && markup.ranges(of: "class=\"open\" x=").count == 1)
        #expect(markup.ranges(of: " scope=\"row\">").count == 3)
        #expect(markup.contains("role=\"img\" aria-labelledby=") && markup.contains("1 Nov – 3 Nov: 6. Highest, 3 Nov: 3."))
    }

    @Test("Weeks are called so, in the key and in the table")
    func weeks() {
        let days = (1...3).map { DayChart.Day(date: "2026-11-0\($0)", value: 1, before: nil, isWhole: $0 < 3) }

        let byWeek = DayChart(name: "Opens", days: days, isByWeek: true).html(Words(.english)).markup
        let byDay = DayChart(name: "Opens", days: days).html(Words(.english)).markup

        #expect(byWeek.contains("Week from") && byWeek.contains("Week not whole") && !byWeek.contains("Day not over"))
        #expect(byDay.contains("Day not over") && !byDay.contains("Week"))
    }

    @Test("No days and a single day are drawn too")
    func few() {
        #expect(DayChart(name: "x", days: []).html(Words(.chinese)).markup.contains("<svg"))
        let one = DayChart.Day(date: "2026-11-01", value: Int64.max / 2, before: nil, isWhole: true)
        #expect(DayChart(name: "x", days: [one]).html(Words(.chinese)).markup.contains("<rect"))
    }

    @Test("A day that is not known is a gap in both times, and no zero in the table")
    func gap() {
        let values: [Int64?] = [4, nil, 6, 8], before: [Int64?] = [1, 2, nil, 3]
        let days = zip(values, before).enumerated().map {
            DayChart.Day(date: "2026-11-0\($0 + 1)", value: $1.0, before: $1.1, isWhole: true)
        }

        let markup = DayChart(name: "Opens", days: days).html(Words(.english)).markup

        #expect(markup.ranges(of: "class=\"now\" x=").count == 3 && markup.contains("<title id=\"chart-title\">Opens</title>"))
        #expect(markup.contains("\(Words(.english).day("2026-11-04")): 18. Highest, \(Words(.english).day("2026-11-04")): 8. The time before: 6</desc>"))
        #expect(markup.ranges(of: " class=\"number\">–</td>").count == 2)
        // The line ends before the gap; a single day behind it draws nothing.
        #expect(markup.contains("d=\"M115 175L345 150\""))
    }

    @Test("A sum that is too large to be written is not known, be it of days, of the time before or of a week")
    func large() {
        let most: [Int64] = [.max, 1]
        let days = most.enumerated().map { DayChart.Day(date: "2026-11-0\($0 + 1)", value: $1, before: $1, isWhole: true) }

        let markup = DayChart(name: "Net", days: days, currency: "EUR").html(Words(.english)).markup

        #expect(markup.contains("2 Nov: –. Highest, 1 Nov: €9,223,372,036,854,775.81. The time before: –</desc>"))
        #expect(DayChart.sum([.max, 1, -1]) == .max && DayChart.sum([.min, -1]) == nil && DayChart.sum([1, nil]) == nil && DayChart.sum([]) == 0)
    }

    @Test("A chart without any known day has no sum")
    func unknown() {
        let days = [DayChart.Day(date: "2026-11-01", value: nil, before: nil, isWhole: true)]

        let markup = DayChart(name: "Opens", days: days).html(Words(.english)).markup

        #expect(markup.contains(": –</desc>"))
    }
}
