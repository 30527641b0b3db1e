// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("The funnel's picture", .timeLimit(.minutes(1)))
struct FunnelStepsTests {
    private static func markup(_ values: [Int64?], _ language: Language = .english) -> String {
        let names = ["clicks", "sentToStore", "firstOpens", "shown", "converted.trial", "converted.paid", "purchased"]
        let steps = zip(names, values).map { name, value in
            FunnelSteps.Step(name, ["clicks", "sentToStore"].contains(name) ? .taps : .installs, value)
        }
        return FunnelSteps(steps: steps).html(Words(language)).markup
    }

    @Test("A bar has its share of the first step and of the previous one; between taps and installs is a break, and no share crosses it")
    func shares() throws {
        let markup = Self.markup([1_000, 250, 400, 300, 30, 60])
        let parts = try #require(markup.firstRange(of: "class=\"break\""))
        let (taps, installs) = (markup[..<parts.lowerBound], markup[parts.upperBound...])

        #expect(taps.contains("25 % of the first step · 25 % of the previous") && taps.ranges(of: "of the previous").count == 1)
        #expect(installs.contains("75 % of the first step · 75 % of the previous"))
        #expect(markup.contains("‖") && markup.contains("width=\"25.0\"") && markup.contains("width=\"100.0\""))
    }

    @Test("A metric has its share of the first step only, because installs that saw no paywall count for it too; so has the purchase")
    func metrics() throws {
        let markup = Self.markup([1_000, 250, 400, 50, 60, 30, 16])
        let metrics = try #require(markup.firstRange(of: "Converted: trial").map { markup[$0.upperBound...] })

        #expect(metrics.contains("15 % of the first step") && metrics.contains("7.5 % of the first step"))
        #expect(metrics.contains("<strong>Purchased</strong>") && metrics.contains("4.0 % of the first step"))
        #expect(!metrics.contains("of the previous"))
    }

    @Test("What cannot be known, and shares of nothing, are dashes", arguments: Language.allCases)
    func unknown(language: Language) {
        let markup = Self.markup([nil, nil, 0, 0], language)

        #expect(markup.ranges(of: "–").count >= 6 && markup.ranges(of: "width=\"0\"").count == 4)
        #expect(!markup.contains("nan") && (language == .english) == markup.contains("of the first step"))
    }
}

@Suite("The grid of retention", .timeLimit(.minutes(1)))
struct RetentionGridTests {
    private static func row(_ key: String?, _ size: Double, _ seen: [Int: (Double, Double)]) -> SampleTable.Row {
        let values = RetentionGrid.days.flatMap { day -> [Double?] in
            [seen[day]?.0, seen[day]?.1, seen[day].flatMap { $0.1 > 0 ? $0.0 / $0.1 : nil }]
        }
        return SampleTable.Row(key: [key], values: [size] + values)
    }

    private static func markup(_ rows: [SampleTable.Row], _ totals: SampleTable.Row, _ ages: [Int], _ language: Language = .english) -> String {
        let names = ["size"] + RetentionGrid.days.flatMap { ["day\($0)", "eligible.day\($0)", "rate.day\($0)"] }
        let columns = names.map { SampleTable.column($0, "", $0.hasPrefix("rate") ? .ratio : .count) }
        let sample = SampleTable(by: ["day"], columns: columns, rows: rows, totals: totals)
        return RetentionGrid(table: sample.table(), ages: ages).html(Words(language), ReportQuery(.retention)).markup
    }

    @Test("A cell has its share and of how many; one that is not old enough is hatched, one that cannot be known is a dash")
    func cells() throws {
        let rows = [Self.row("2026-11-01", 50, [1: (20, 50), 3: (5, 40), 7: (0, 50)]), Self.row("2026-11-27", 8, [:])]
        let markup = Self.markup(rows, Self.row(nil, 58, [1: (20, 50)]), [14, 0, 14])
        let lines = markup.split(separator: "<tr>").map(String.init)

        #expect(lines[2].contains(">40 %<span class=\"line\">20 of 50</span>") && lines[2].contains("heat5"))
        #expect(lines[2].contains(">13 %<span class=\"line\">5 of 40</span>") && lines[2].contains(">0 %<span"))
        // Day 14 is over and nobody recorded it; 30, 60 and 90 are still to come.
        #expect(lines[2].ranges(of: ">–</td>").count == 1 && lines[2].ranges(of: "unfinished").count == 3)
        #expect(lines[3].ranges(of: "number unfinished").count == 7 && !lines[3].contains("–"))
        #expect(markup.contains("<span class=\"swatch heat5\"></span>≥ 35 %") && markup.contains("<span class=\"swatch unfinished\">"))
        #expect(lines[4].contains(">Total<") && lines[4].contains("20 of 50") && lines[4].ranges(of: "number unfinished").count == 3)
    }

    @Test("Its words are those of the language", arguments: [Language.japanese, .chinese])
    func words(language: Language) {
        let markup = Self.markup([Self.row("2026-11-01", 50, [1: (20, 50)])], Self.row(nil, 50, [:]), [1, 1], language)
        let definitions = RetentionGrid.definitions(Words(language)).markup

        #expect(!markup.contains("Day ") && !markup.contains("Installs") && !definitions.contains("first"))
        for name in ["size", "day7", "eligible.day7", "rate.day7"] { #expect(Words(language).column(name) != name && !Words(language).column(name).contains("day")) }
    }
}
