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

    @Test("A bar leads to its day alone, in the picture and in the table; of weeks, to the seven days or what is left of them")
    func places() {
        func days(_ dates: String...) -> [DayChart.Day] { dates.map { DayChart.Day(date: $0, value: 4, before: nil, isWhole: true) } }
        func place(_ from: String, _ to: String) -> Place { Place(query: [("from", from), ("to", to)]) }
        let two = days("2026-11-01", "2026-11-02"), weeks = days("2026-11-01", "2026-11-08")

        let markup = DayChart(name: "Opens", days: two, places: two.places(to: "2026-11-02", place)).html(Words(.english)).markup

        #expect(markup.contains("<a class=\"day\" href=\"?from=2026-11-01&amp;to=2026-11-01\" aria-label=\"2026-11-01: 4\">"))
        #expect(markup.withoutCells.contains("<th scope=\"row\"><a href=\"?from=2026-11-02&amp;to=2026-11-02\">2026-11-02</a></th>"))
        // A link inside an image has no role.
        #expect(markup.contains("role=\"group\"") && !markup.contains("role=\"img\"") && markup.contains("A click on a day shows it alone"))
        #expect(weeks.places(to: "2026-11-10", place).map(\.text) == ["?from=2026-11-01&to=2026-11-07", "?from=2026-11-08&to=2026-11-10"])
        #expect(days("2026-11-01").places(to: "2026-11-01", place).isEmpty)
    }

    @Test("A published version is a mark on its bar, with number and message, and a column of the table; without one there is neither")
    func versions() {
        let days = (1...3).map { DayChart.Day(date: "2026-11-0\($0)", value: 1, before: nil, isWhole: true) }
        let versions: [DayChart.Version] = [
            .init(number: 12, date: "2026-11-02", message: "<b>"), .init(number: 11, date: "2026-11-02", message: ""),
        ]

        let markup = DayChart(name: "Opens", days: days, versions: versions).html(Words(.english)).markup.withoutCells
        let plain = DayChart(name: "Opens", days: days).html(Words(.english)).markup.withoutCells
        let name = "2 Nov: Version 12: &lt;b&gt;, 2 Nov: Version 11"

        #expect(markup.contains("<a class=\"version\" href=\"/console/versions/12\" aria-label=\"\(name)\"><title>\(name)</title>"))
        #expect(markup.contains("Version published: 2</desc>") && markup.contains("role=\"group\""))
        #expect(markup.contains("<td><a class=\"line\" href=\"/console/versions/12\">Version 12: &lt;b&gt;</a><a class=\"line\" href=\"/console/versions/11\">Version 11</a></td>"))
        #expect(markup.ranges(of: "<td></td>").count == 2)
        #expect(!plain.contains("Version") && !plain.contains("<td></td>") && plain.contains("role=\"img\""))
    }

    @Test("A version of a week is on the bar of that week")
    func versionOfWeek() {
        let weeks = ["2026-11-01", "2026-11-08"].map { DayChart.Day(date: $0, value: 1, before: nil, isWhole: true) }

        let chart = DayChart(name: "Opens", days: weeks, isByWeek: true, versions: [.init(number: 3, date: "2026-11-12", message: "")])

        #expect(chart.published.keys.sorted() == [1])
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
