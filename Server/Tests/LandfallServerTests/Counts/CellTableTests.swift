// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("A table of cells", .timeLimit(.minutes(1)))
struct CellTableTests {
    private static func key(_ texts: String?...) -> ReportSheet.Key { texts.map { $0.map { Array($0.utf8) } } }

    /// Few values, so that cells meet; among them none, an empty one, and those that look like the form of a line.
    private static func drawn(_ count: Int, _ random: inout SeededRandom) -> [(key: ReportSheet.Key, counts: [Int64])] {
        let values: [String?] = [nil, "", "-", " ", "1:a", "a", "b", "ü", "u\u{308}", "other"] + (0..<200).map { "/\($0)" }
        return (0..<count).map { _ in
            let key = Self.key(values.randomElement(using: &random)!, values.randomElement(using: &random)!)
            return (key, [Int64.random(in: 0...3, using: &random), Int64.random(in: 0...3, using: &random)])
        }
    }

    private static func table(_ cells: [(key: ReportSheet.Key, counts: [Int64])]) -> CellTable {
        cells.reduce(into: CellTable(size: 2)) { $0.add($1.key, $1.counts) }
    }

    @Test("has the sums that a dictionary has, grouped by bytes; its text is read as what was written", arguments: [1, 2, 3] as [UInt64])
    func sums(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let cells = Self.drawn(5_000, &random)
        let expected = cells.reduce(into: [ReportSheet.Key: [Int64]]()) { sums, cell in
            sums[cell.key] = sums[cell.key].map { zip($0, cell.counts).map { $0 + $1 } } ?? cell.counts
        }

        let table = Self.table(cells)

        #expect(table.rows == expected && table.count == expected.count)
        #expect(table.totals == cells.reduce([0, 0]) { zip($0, $1.counts).map { $0 + $1 } })
        #expect(table.counts(CellTable.fields(Self.key("ü", "a"))).map(Array.init) == expected[Self.key("ü", "a")])
        #expect(table.counts(CellTable.fields(Self.key("ü", "absent"))) == nil)
        var read: [ReportSheet.Key: [Int64]] = [:]
        try DayText.forEach(DayText.text(table), fields: 2) { read[[$0.value(0), $0.value(1)]] = Array($0.counts) }
        #expect(read == expected && DayText.text(expected) == DayText.text(table))
    }

    @Test("of days has only the cells with given values, grouped by bytes; an empty value stands for none", arguments: [6, 7, 8] as [UInt64])
    func only(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let cells = Self.drawn(5_000, &random), text = DayText.text(Self.table(cells))
        for value in ["a", "ü", "-", "other", "1:a", "absent", ""] {
            var sums = DaySums(
                fields: [LinkReport.Dimension.host, .path], by: [.path, .host], size: 2, only: [.host: Array(value.utf8), .browser: [1]])
            try sums.add(20_000, text)

            let wanted = cells.filter { ($0.key[0] ?? []) == Array(value.utf8) }
            #expect(sums.rows == Self.table(wanted.map { (key: $0.key.reversed(), counts: $0.counts) }).rows, "\(value)")
            #expect(sums.rows.isEmpty == (value == "absent"))
        }
    }

    @Test("of days is the same for several sums that read each text once", arguments: [9, 10] as [UInt64])
    func together(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let days = (20_000 as Int64..<20_003).map { (day: $0, text: DayText.text(Self.table(Self.drawn(2_000, &random)))) }
        func empty() -> [DaySums] {
            ([[.path, .host], [.day, .host], []] as [[LinkReport.Dimension]]).map { by in
                DaySums(fields: [LinkReport.Dimension.host, .path], by: by, size: 2, only: by == [.day, .host] ? [.host: Array("ü".utf8)] : [:])
            }
        }

        var together = empty(), apart = empty()
        try await DaySums.add(days, to: &together)
        for index in apart.indices { try await apart[index].add(days) }

        #expect(together.map(\.rows) == apart.map(\.rows) && together.allSatisfy { !$0.rows.isEmpty })
    }

    @Test("gives the first rows in the order of a report, also where the smallest are one row", arguments: [4, 5] as [UInt64])
    func first(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let table = Self.table(Self.drawn(5_000, &random)), most = table.count / 2

        let capped = table.capped(most, fields: 2), first = capped.first(20)

        func isLarger(_ one: (key: ReportSheet.Key, value: [Int64]), _ other: (key: ReportSheet.Key, value: [Int64])) -> Bool {
            one.value == other.value ? ReportSheet.precedes(one.key, other.key) : other.value.lexicographicallyPrecedes(one.value)
        }
        let ranked = table.rows.sorted(by: isLarger)
        var expected = Dictionary(uniqueKeysWithValues: ranked.prefix(most - 1).map { ($0.key, $0.value) })
        for rest in ranked.dropFirst(most - 1) {
            let other = Self.key("other", "other")
            expected[other] = zip(expected[other] ?? [0, 0], rest.value).map { $0 + $1 }
        }
        #expect(capped.rows == expected && capped.totals == table.totals && capped.count <= most)
        #expect(first.rows == Dictionary(uniqueKeysWithValues: expected.sorted(by: isLarger).prefix(20).map { ($0.key, $0.value) }))
        #expect(table.capped(table.count, fields: 2).rows == table.rows && CellTable(size: 2).first(3).count == 0)
    }

    @Test("of links: the first rows of a report are those of the whole report, and the count and the totals are those of all")
    func most() throws {
        var random = SeededRandom(seed: 6)
        let table = (0..<3_000).reduce(into: CellTable(size: LinkReport.layout.count)) { table, number in
            table.add(Self.key("go.example.com", "/\(number)"), (0..<7).map { _ in Int64.random(in: 0...9, using: &random) })
        }
        let report = LinkReport(days: try ReportDays(from: nil, to: nil, nowMs: 0), by: [.host, .path])

        let all = report.sheet(table, isWhole: true, completeToMs: 0), few = report.sheet(table, isWhole: true, most: 100, completeToMs: 0)

        #expect(all.rows.count == 3_000 && few.rows.count == 100 && few.count == 3_000 && few.totals == all.totals)
        #expect(few.document().rows == Array(all.document().rows.prefix(100)))
    }
}
