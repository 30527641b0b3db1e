// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallStore

@Suite("Clicks of days that are not over", .timeLimit(.minutes(1)))
struct OpenClickDayTests {
    @Test("are counted again only when there are others, for each app, zone and day apart; few days are kept")
    func again() async throws {
        let open = OpenClickDays(), reads = Mutex(0)
        func texts(_ day: Int64, _ last: String?, count: Int64 = 1, zone: String = "UTC", app: String = "a") async throws -> [String] {
            let days = ClickDays(app: AppID(app), zone: try #require(ReportZone(zone)))
            return try await open.texts(of: day, days, .init(count: count, lastID: last)) {
                reads.withLock { $0 += 1; return ["\($0)"] }
            }
        }

        #expect(try await [texts(1, "x"), texts(1, "x"), texts(1, "x")] == [["1"], ["1"], ["1"]])
        #expect(try await [texts(1, "y"), texts(1, "y", count: 2), texts(1, "y", count: 2)] == [["2"], ["3"], ["3"]])
        #expect(try await [texts(1, "y", count: 2, zone: "Asia/Tokyo"), texts(1, "y", count: 2, app: "b"), texts(1, "y", count: 2)] == [["4"], ["5"], ["3"]])
        for day in 2...20 as ClosedRange<Int64> { _ = try await texts(day, "z") }
        #expect(try await [texts(20, "z"), texts(1, "y", count: 2)] == [["24"], ["25"]])
    }
}

@Suite("What is counted of days that are not over", .timeLimit(.minutes(1)))
struct CountedOpenDayTests {
    private static func key(_ day: Int64, _ app: String = "a") -> ClickDays.Day { .init(app: AppID(app), zone: "UTC", day: day) }
    private static let counted = CountedClicks(of: 20_000, in: .utc, ClickDimensions.allLists)

    @Test("is handed over, so that nobody adds the same clicks twice")
    func handedOver() {
        let days = CountedOpenDays()
        days.keep(Self.counted, of: Self.key(20_000))

        #expect(days.contains(Self.key(20_000)) && !days.contains(Self.key(20_000, "b")))
        #expect(days.take(Self.key(20_000)) != nil && days.take(Self.key(20_000)) == nil)
    }

    @Test("is never kept beyond a bound of bytes, and what is forgotten makes room")
    func bounded() throws {
        let few = CountedOpenDays(mostBytes: Self.counted.byteCount)
        few.keep(Self.counted, of: Self.key(20_000))
        few.keep(Self.counted, of: Self.key(20_001))
        #expect(few.contains(Self.key(20_000)) && !few.contains(Self.key(20_001)))
        few.forget { $0.day < 20_001 }
        few.keep(Self.counted, of: Self.key(20_001))
        few.keep(Self.counted, of: Self.key(20_001))
        #expect(few.contains(Self.key(20_001)) && !few.contains(Self.key(20_000)))
    }
}

@Suite("A tally of clicks", .timeLimit(.minutes(1)))
struct ClickTallyTests {
    private static let columns = Columns([
        "click_id", "kind", "outcome", "visitor", "link_host", "link_path", "campaign", "ad_group", "creative", "channel", "platform", "country",
    ])

    private static func click(_ number: Int, kind: String = "person", outcome: String = "store", visitor: Int64? = nil, campaign: String) -> Row {
        let none = SQLValue.null, texts = [kind, outcome].map { SQLValue.text($0) }
        return Row(
            columns,
            [.text("\(number)")] + texts + [visitor.map { .integer($0) } ?? none, .text("go.example.com"), .text("/a"), .text(campaign)]
                + [none, none, none, .text("ios"), none])
    }

    private static func key(_ text: String) -> ReportSheet.Key { [Array(text.utf8)] }

    @Test("tells a bounded number of combinations apart, and its sums have all clicks")
    func bounded() throws {
        var tally = ClickTally([[.campaign], []], mostCells: 3)
        for number in 0..<10 { try tally.add(Self.click(number, campaign: "c\(number % 5)")) }

        let sums = tally.tables[0].rows.mapValues { $0[0] }

        #expect(sums == [Self.key("c0"): 2, Self.key("c1"): 2, Self.key("c2"): 2, Self.key("other"): 4])
        #expect(tally.tables[1].rows == [[]: [10, 0, 10, 0, 0, 0, 0, 0]])
    }

    @Test("counts the first click of a visitor as the unique one; an expired click and a machine's click are not unique clicks")
    func figures() throws {
        var tally = ClickTally([[.campaign]])
        let clicks: [(kind: String, outcome: String, visitor: Int64?)] = [
            ("person", "expired", 1), ("bot", "web", 1), ("person", "store", 1), ("person", "page", 1), ("person", "web", nil),
            ("head", "web", nil), ("preview", "web", nil), ("app", "page", nil), ("unproven", "page", nil), ("person", "web", 2), ("tap", "store", nil),
        ]
        for (number, one) in clicks.enumerated() {
            try tally.add(Self.click(number, kind: one.kind, outcome: one.outcome, visitor: one.visitor, campaign: number == 3 ? "later" : "first"))
        }

        // Clicks, unique ones, to a store, expired, machines, openings in the app, unproven ones, buttons.
        #expect(tally.tables[0].rows == [Self.key("first"): [3, 2, 1, 1, 3, 1, 1, 1], Self.key("later"): [1, 0, 0, 0, 0, 0, 0, 0]])
    }
}
