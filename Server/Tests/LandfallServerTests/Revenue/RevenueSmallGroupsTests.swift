// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports

@Suite("Money of few payers", .timeLimit(.minutes(1)))
struct RevenueSmallGroupsTests {
    /// - Parameters:
    ///   - payers: other ones than those of any other amount; nil: nobody has counted them.
    ///   - money: net, and gross without refunds.
    private static func values(
        payers: Int? = nil, purchases: Int64, money: Int64, trials: Int64 = 0, refunds: Int64 = 0, _ view: RevenueView = .purchase
    ) -> RevenueValues {
        var numbers: [RevenueColumn: Int64] = Dictionary(uniqueKeysWithValues: RevenueColumn.list(view).map { ($0, 0) })
        (numbers[.purchases], numbers[.netMilliunits], numbers[.grossMilliunits]) = (purchases, money, money)
        (numbers[.trialsStarted], numbers[.refunds]) = (trials, refunds)
        var values = RevenueValues(RevenueColumn.list(view), numbers: numbers)
        values.payers = payers.map { Set((0..<$0).map { Int(money) * 100 + $0 }) }
        return values
    }

    private static func document(
        _ by: [String], _ rows: [([String], RevenueValues)], totals: RevenueValues? = nil, _ view: RevenueView = .purchase,
        unconverted: [RevenueDocument.Unconverted] = [], erased: RevenueValues? = nil
    ) -> RevenueDocument {
        var sums = RevenueValues(RevenueColumn.list(view), numbers: [:])
        for (_, values) in rows {
            for (column, number) in values.numbers { sums.numbers[column, default: 0] &+= number }
            if let payers = values.payers { sums.payers = (sums.payers ?? []).union(payers) }
        }
        return RevenueDocument(
            currency: "USD", by: by, view: view, from: "2026-11-01", to: "2026-11-04",
            rows: rows.map { .init(key: Dictionary(uniqueKeysWithValues: zip(by, $0.0)), values: $0.1) }, totals: totals ?? sums,
            unconverted: unconverted, erased: erased ?? RevenueValues(RevenueColumn.list(view)), verified: nil)
    }

    private static func numbers(_ document: RevenueDocument, _ column: RevenueColumn) -> [String: Int64?] {
        Dictionary(uniqueKeysWithValues: document.rows.map { row in
            (document.by.map { row.key[$0] ?? "?" }.joined(separator: " "), row.values.numbers[column])
        })
    }

    @Test("is together with the next fewest, whatever one of them paid, and the totals stay the same")
    func together() throws {
        let document = Self.document(["source"], [
            (["ads"], Self.values(payers: 40, purchases: 50, money: 400_000)), (["organic"], Self.values(payers: 20, purchases: 20, money: 200_000)),
            (["email"], Self.values(payers: 1, purchases: 12, money: 120_000)), (["link"], Self.values(payers: 6, purchases: 7, money: 60_000)),
        ])

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .netMilliunits) == ["ads": 400_000, "organic": 200_000, "other": 180_000])
        #expect(Self.numbers(told, .purchases) == ["ads": 50, "organic": 20, "other": 19])
        #expect(told.totals == document.totals && told.rows.last?.key == ["source": "other"])
    }

    @Test("is shown alone from five payers on, and where nobody paid")
    func enough() {
        let document = Self.document(["source"], [
            (["ads"], Self.values(payers: 5, purchases: 5, money: 50_000)), (["link"], Self.values(payers: 0, purchases: 0, money: 0)),
        ])

        #expect(document.forEverybody() == nil)
    }

    @Test("counts somebody once who is in several groups")
    func sameInSeveral() throws {
        var rows = (1...6).map { (["coins\($0)"], Self.values(payers: 0, purchases: 1, money: Int64($0) * 1_000)) }
        for place in rows.indices { rows[place].1.payers = [7] }
        let document = Self.document(["product"], rows + [(["yearly"], Self.values(payers: 30, purchases: 30, money: 300_000))])

        let told = try #require(document.forEverybody())

        // Six groups of one are one person, so they need the thirty.
        #expect(Self.numbers(told, .netMilliunits) == ["other": 321_000])
    }

    @Test("is recognised by its purchases or refunds where nobody counts payers", arguments: [RevenueView.purchase, .booking])
    func purchases(view: RevenueView) throws {
        let document = Self.document(["source"], [
            (["ads"], Self.values(purchases: 30, money: 300_000, view)), (["email"], Self.values(purchases: 3, money: 30_000, view)),
            (["link"], Self.values(purchases: 0, money: -10_000, refunds: 1, view)), (["organic"], Self.values(purchases: 6, money: 60_000, view)),
        ], view)

        let told = try #require(document.forEverybody())

        // Three and one are too few together.
        #expect(Self.numbers(told, .netMilliunits) == ["ads": 300_000, "other": 80_000])
    }

    @Test("has no numbers on its day, nor has the day with the next fewest")
    func days() throws {
        let document = Self.document(["day"], [
            (["2026-11-01"], Self.values(payers: 8, purchases: 8, money: 80_000)), (["2026-11-02"], Self.values(payers: 1, purchases: 1, money: 10_000)),
            (["2026-11-03"], Self.values(payers: 5, purchases: 6, money: 60_000, trials: 7)), (["2026-11-04"], Self.values(payers: 0, purchases: 0, money: 0)),
        ])

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .netMilliunits) == ["2026-11-01": 80_000, "2026-11-02": nil, "2026-11-03": nil, "2026-11-04": 0])
        #expect(Self.numbers(told, .purchases)["2026-11-03"] == .some(nil) && Self.numbers(told, .trialsStarted)["2026-11-03"] == 7)
        #expect(told.totals == document.totals)
    }

    @Test("is together on each day apart, and not shown there if it is still few")
    func groupsOfDays() throws {
        let document = Self.document(["day", "source"], [
            (["2026-11-01", "ads"], Self.values(payers: 9, purchases: 9, money: 90_000)), (["2026-11-01", "link"], Self.values(payers: 8, purchases: 8, money: 80_000)),
            (["2026-11-02", "ads"], Self.values(payers: 1, purchases: 1, money: 10_000)), (["2026-11-02", "link"], Self.values(payers: 2, purchases: 2, money: 20_000)),
        ])

        let told = try #require(document.forEverybody())

        // Three payers of the second day need the eight of the first.
        #expect(Self.numbers(told, .netMilliunits) == ["2026-11-01 ads": 90_000, "2026-11-01 link": nil, "2026-11-02 other": nil])
    }

    @Test("has no sum where it is too large for a number")
    func tooLarge() throws {
        let document = Self.document(
            ["source"], [(["ads"], Self.values(purchases: 3, money: .max)), (["link"], Self.values(purchases: 4, money: 1))],
            totals: Self.values(purchases: 7, money: 0))

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .netMilliunits) == ["other": nil] && Self.numbers(told, .purchases) == ["other": 7])
    }

    @Test("stands behind the other rows of its own day")
    func placesOfDays() throws {
        let document = Self.document(["day", "source"], [
            (["2026-11-01", "ads"], Self.values(payers: 9, purchases: 9, money: 90_000)), (["2026-11-01", "link"], Self.values(payers: 3, purchases: 3, money: 30_000)),
            (["2026-11-01", "email"], Self.values(payers: 4, purchases: 4, money: 20_000)), (["2026-11-02", "ads"], Self.values(payers: 9, purchases: 9, money: 90_000)),
            (["2026-11-02", "link"], Self.values(payers: 8, purchases: 8, money: 80_000)),
        ])

        let told = try #require(document.forEverybody())

        #expect(told.rows.map { $0.key["day"] } == ["2026-11-01", "2026-11-01", "2026-11-02", "2026-11-02"])
        #expect(told.rows.map { $0.key["source"] } == ["ads", "other", "ads", "link"])
    }

    @Test("of a row and of all rows says only how many purchases there are", arguments: [[], ["source"]] as [[String]])
    func totals(by: [String]) throws {
        let document = Self.document(by, [(by.map { _ in "ads" }, Self.values(payers: 3, purchases: 6, money: 60_000, trials: 2))])

        let told = try #require(document.forEverybody())

        #expect(told.totals.numbers[.netMilliunits] == nil && told.totals.numbers[.purchases] == 6 && told.totals.numbers[.trialsStarted] == 2)
        #expect(told.rows.map(\.values.numbers[.netMilliunits]) == [nil])
        #expect(told.rows.map(\.values.numbers[.purchases]) == [by.isEmpty ? 6 : nil])
    }

    @Test("Few trials are few people too")
    func trials() throws {
        let document = Self.document(["source"], [
            (["ads"], Self.values(payers: 30, purchases: 30, money: 300_000, trials: 9)), (["email"], Self.values(payers: 0, purchases: 0, money: 0, trials: 2)),
            (["link"], Self.values(payers: 12, purchases: 12, money: 120_000, trials: 0)),
        ])

        let told = try #require(document.forEverybody())

        // Two trials join the twelve payers, and are still few: so no row tells of trials.
        #expect(Self.numbers(told, .netMilliunits) == ["ads": 300_000, "other": 120_000])
        #expect(Self.numbers(told, .trialsStarted) == ["ads": nil, "other": nil] && told.totals.numbers[.trialsStarted] == 11)
    }

    @Test("Erased people count as one at least, and what few of them paid is not told; nor are amounts in currencies that no rate converts")
    func erased() throws {
        let document = Self.document(
            ["source"],
            [(["ads"], Self.values(payers: 0, purchases: 7, money: 70_000)), (["link"], Self.values(payers: 20, purchases: 20, money: 200_000))],
            unconverted: [.init(currency: "EUR", grossMilliunits: 9_990, refundsMilliunits: 0)],
            erased: Self.values(purchases: 4, money: 40_000))

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .netMilliunits) == ["other": 270_000])
        #expect(told.erased.numbers[.netMilliunits] == nil && told.erased.numbers[.purchases] == nil)
        #expect(told.unconverted == [.init(currency: "EUR", grossMilliunits: nil, refundsMilliunits: nil)])
        let text = String(decoding: try WireCoding.encode(told), as: UTF8.self)
        #expect(text.contains("EUR") && !text.contains("9990"))
    }

    @Test("What few subscriptions are worth is not told on their day, nor on one with which they are enough together; nor are few that ended")
    func subscriptions() throws {
        func day(_ active: Int64, ended: Int64 = 0) -> RevenueValues {
            RevenueValues(
                RevenueColumn.list(.subscriptions), numbers: [.active: active, .mrrMilliunits: active * 10_000, .trials: 0, .ended: ended],
                ratios: [.churn: 0.5])
        }
        let document = Self.document(
            ["day"], [(["2026-11-01"], day(4)), (["2026-11-02"], day(5)), (["2026-11-03"], day(9)), (["2026-11-04"], day(0, ended: 3))], totals: day(0, ended: 3),
            .subscriptions)

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .mrrMilliunits) == ["2026-11-01": nil, "2026-11-02": nil, "2026-11-03": 90_000, "2026-11-04": nil])
        #expect(told.rows.map(\.values.ratios[.churn]) == [nil, nil, 0.5, nil] && told.totals.ratios[.churn] == nil)
        #expect(told.totals.numbers[.active] == 0 && told.totals.numbers[.ended] == nil)
    }

    @Test("A cohort of few payers tells no money, one of few installs nothing; what it cost is told")
    func cohorts() throws {
        func cohort(_ installs: Int64, _ payers: Int64) -> RevenueValues {
            RevenueValues(
                RevenueColumn.list(.cohorts),
                numbers: [.installs: installs, .payers: payers, .day7Milliunits: payers * 10_000, .spendMilliunits: 5_000], ratios: [.roas: 1.5, .coverage: 0.5])
        }
        let document = Self.document(
            ["day"], [(["2026-11-01"], cohort(60, 20)), (["2026-11-02"], cohort(50, 3)), (["2026-11-03"], cohort(40, 6)), (["2026-11-04"], cohort(30, 0))],
            totals: cohort(180, 29), .cohorts)

        let told = try #require(document.forEverybody())

        #expect(Self.numbers(told, .day7Milliunits) == ["2026-11-01": 200_000, "2026-11-02": nil, "2026-11-03": nil, "2026-11-04": 0])
        #expect(Self.numbers(told, .payers)["2026-11-02"] == .some(nil) && Self.numbers(told, .installs)["2026-11-02"] == 50)
        #expect(told.rows.allSatisfy { $0.values.numbers[.spendMilliunits] == 5_000 })
        #expect(told.rows.map(\.values.ratios[.roas]) == [1.5, nil, nil, 1.5])
        // It says how many installs there are, and nothing about what they paid.
        #expect(told.rows.map(\.values.ratios[.coverage]) == [0.5, 0.5, 0.5, 0.5])
    }

    @Test("No row tells money of one to four, and what is left out is of five or more, if there are as many")
    func holds() {
        var number: UInt64 = 11
        func next(_ most: UInt64) -> Int64 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(number >> 33 % most)
        }
        func count(_ row: RevenueDocument.Row) -> Int { row.values.payers?.count ?? 0 }
        for by in [["day"], ["source"], ["day", "source"]] {
            for _ in 0..<300 {
                let rows = (0..<Int(next(9))).map { place -> ([String], RevenueValues) in
                    let payers = next(9), purchases = payers + (payers > 0 ? next(9) : 0)
                    let values = Self.values(
                        payers: Int(payers), purchases: purchases, money: purchases * 1_000 + Int64(place), trials: next(7))
                    return (by.map { $0 == "day" ? "2026-11-0\(place % 3 + 1)\(by.count == 1 ? "-\(place)" : "")" : "s\(place)" }, values)
                }
                let document = Self.document(by, rows), told = document.forEverybody() ?? document

                let shown = told.rows.filter { $0.values.numbers[.netMilliunits] != nil }
                #expect(shown.allSatisfy { !(1..<5).contains(count($0)) })
                let all = document.totals.payers?.count ?? 0, seen = shown.reduce(0) { $0 + count($1) }
                #expect(seen == all || all - seen >= 5 || seen == 0)
                #expect(told.totals.numbers[.netMilliunits] == ((1..<5).contains(all) ? nil : document.totals.numbers[.netMilliunits]))
            }
        }
    }
}
