// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("Groups too small to be shown", .timeLimit(.minutes(1)))
struct SmallGroupsTests {
    @Test(
        "are together with the next smallest, so that no subtraction tells one of them",
        arguments: [
            ([], []), ([10], []), ([0, 10, 500], []), ([9], [0]), ([9, 500], [0, 1]), ([500, 3, 12, 20], [1, 2]), ([4, 7, 50], [0, 1]),
            ([4, 5, 50, 60], [0, 1, 2]), ([1, 1, 1, 100, 90], [0, 1, 2, 4]), ([9, 10, 10], [0, 1]), ([0, 0, 9, 30], [2, 3]), ([5, 4], [0, 1]),
        ] as [([Int64], Set<Int>)])
    func merged(sizes: [Int64], places: Set<Int>) { #expect(SmallGroups.merged(sizes) == places) }

    @Test("No group that is still shown is small, and what is together is at least ten of at least two, if there are as many")
    func holds() {
        var number: UInt64 = 7
        func next() -> Int64 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(number >> 59)
        }
        for _ in 0..<500 {
            let sizes = (0..<Int(next() % 8)).map { _ in next() }

            let merged = SmallGroups.merged(sizes)

            #expect(sizes.indices.allSatisfy { merged.contains($0) || sizes[$0] == 0 || sizes[$0] >= 10 })
            let total = merged.reduce(0) { $0 + sizes[$1] }
            #expect(merged.isEmpty || total >= 10 && merged.count >= 2 || merged.count == sizes.filter { $0 > 0 }.count)
        }
    }

    private static func sheet(_ by: [String], _ rows: [[String?]: [Int64?]]) -> ReportSheet {
        let keyed = Dictionary(rows.map { row in (row.key.map { $0.map { Array($0.utf8) } }, row.value) }) { first, _ in first }
        return ReportSheet(
            kind: .campaigns, days: try! ReportDays(from: "2026-11-01", to: "2026-11-02", nowMs: 0), completeToMs: 0, by: by,
            columns: [
                .init(.firstOpens, ""), .init(.shown, ""), .init(name: "rate", definition: "", content: .ratio(.shown, in: .firstOpens)),
            ], layout: MetricLayout([.firstOpens, .shown]), rows: keyed, totals: ReportSheet.sums(keyed.values, count: 2))
    }

    @Test("Sums and totals stay the same, and the others keep their rows")
    func sums() throws {
        let sheet = Self.sheet(["source", "campaign"], [["link", "a"]: [40, 4], ["link", "b"]: [3, 2], [nil, nil]: [11, nil], ["link", "zero"]: [0, 0]])

        let merged = try #require(sheet.withoutSmallGroups()).document()

        #expect(merged.rows.map(\.key).contains(["source": "other", "campaign": "other"]))
        #expect(merged.values("firstOpens", "shown", "rate") == [[40, 4, 0.1], [14, 2, 1.0 / 7], [0, 0, nil], [54, 6, 1.0 / 9]])
    }

    @Test("A group is small if one of its counts is, however many the other has; counts of none say nothing")
    func smallest() {
        #expect(SmallGroups.merged([10, 12, 30, 50], smallest: [1, 12, 2, 50]) == [0, 2])
        #expect(SmallGroups.merged([12, 30, 50], smallest: [12, 30, 50]).isEmpty)
        #expect(SmallGroups.merged([14, 50, 20], smallest: [5, 50, 20]) == [0, 2], "Alone it would be large enough, and one of its counts small.")
        #expect(ReportSheet.smallest([3, 0, nil, 40], [0, 1, 2, 3]) == 3 && ReportSheet.smallest([0, nil], [0, 1]) == 0)
    }

    @Test("Reinstalls belong to the size of a group of campaigns, so that a group of few of them is not shown alone")
    func reinstalls() throws {
        var sheet = Self.sheet(["source"], [["a"]: [0, 3], ["b"]: [40, 0], ["c"]: [9, 2]])
        sheet = ReportSheet(
            kind: sheet.kind, days: sheet.days, completeToMs: 0, by: sheet.by,
            columns: [.init(.firstOpens, ""), .init(.reinstalls, "")], layout: MetricLayout([.firstOpens, .reinstalls]), rows: sheet.rows, totals: sheet.totals)

        let merged = try #require(sheet.withoutSmallGroups()).document()

        #expect(merged.rows.map(\.key) == [["source": "b"], ["source": "other"]])
        #expect(merged.values("firstOpens", "reinstalls") == [[40, 0], [9, 5], [49, 5]])
    }

    @Test("A day's groups are together on that day; days themselves are not put together")
    func days() throws {
        let sheet = Self.sheet(
            ["day", "source"], [["2026-11-01", "a"]: [20, 0], ["2026-11-01", "b"]: [1, 0], ["2026-11-02", "a"]: [30, 0], ["2026-11-02", "other"]: [12, 0]])

        let merged = try #require(sheet.withoutSmallGroups())

        #expect(merged.document().rows.map(\.key) == [
            ["day": "2026-11-01", "source": "other"], ["day": "2026-11-02", "source": "a"], ["day": "2026-11-02", "source": "other"],
        ])
        #expect(Self.sheet(["day"], [["2026-11-01"]: [1, 0]]).withoutSmallGroups() == nil)
        #expect(Self.sheet(["source"], [["a"]: [10, 0]]).withoutSmallGroups() == nil)
    }

    @Test("Small groups join the row that computed days call other already")
    func other() throws {
        let sheet = Self.sheet(["source"], [["a"]: [4, 0], ["b"]: [8, 0], ["other"]: [100, 0], ["c"]: [50, 0]])

        let merged = try #require(sheet.withoutSmallGroups()).document()

        #expect(merged.values("firstOpens") == [[112], [50], [162]])
    }
}
