// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallPurchases
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("Sums of revenue", .timeLimit(.minutes(1)))
struct RevenueSumsTests {
    private static func charge(
        _ milliunits: Int64, _ currency: String = "USD", _ kind: Charge.Kind = .purchase, on day: Int64 = 9, product: String = "week",
        count: Int64 = 1
    ) -> RevenueCharge {
        RevenueCharge(
            day: RevenueStore.august + day,
            terms: Pricing.Terms(
                kind: kind, currency: currency, milliunits: milliunits, part: Charge.Fraction(numerator: 1, denominator: 1), upgradeCredit: nil,
                storefront: "USA", purchaseDay: Int(RevenueStore.august + day), isAfterYear: false),
            product: product, followsTrial: false, count: count)
    }

    private static func document(
        _ charges: [RevenueCharge], by: [RevenueDimension] = [.product], _ rules: MoneyRules = RevenueStory.rules,
        mostGroups: Int = RevenueReport.mostGroups, mostRows: Int = ReportSheet.mostRows
    ) throws -> RevenueDocument {
        var report = RevenueReport(try RevenueStore.request(by: by), rules, mostGroups: mostGroups, mostRows: mostRows)
        for charge in charges { try report.add(charge) }
        return report.document()
    }

    /// Any charges, also of people who were erased, and in a currency without a rate.
    private static func charges(_ random: inout SeededRandom) -> [RevenueCharge] {
        (0..<400).map { _ in
            let kind = Charge.Kind.allCases.randomElement(using: &random)!, day = Int64.random(in: 1...30, using: &random)
            var charge = Self.charge(
                kind == .trial ? 0 : .random(in: 1...1_000_000, using: &random),
                kind == .trial ? "" : ["USD", "EUR", "JPY", "GBP"].randomElement(using: &random)!, kind, on: day,
                product: ["week", "month", "coins"].randomElement(using: &random)!, count: .random(in: 1...3, using: &random))
            charge.terms.storefront = [nil, "USA", "DEU", "JPN"].randomElement(using: &random)!
            charge.terms.isAfterYear = .random(using: &random)
            if kind == .refund { charge.terms.part = Charge.Fraction(numerator: .random(in: 1...100_000, using: &random), denominator: 100_000) }
            if kind == .purchase, Bool.random(using: &random) {
                charge.terms.upgradeCredit = Charge.Fraction(numerator: .random(in: 1...2_592_000, using: &random), denominator: 2_592_000)
            }
            charge.followsTrial = .random(using: &random)
            charge.isErased = .random(using: &random)
            for dimension in RevenueOrigin.acquisition + RevenueOrigin.sale {
                charge.origin.set(dimension, [nil, "a", "b", "before"].randomElement(using: &random)!)
            }
            return charge
        }
    }

    @Test("are the same by days, sources, countries, products and all others, to the milliunit", arguments: 1...20 as ClosedRange<UInt64>)
    func agree(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let charges = Self.charges(&random), pricing = Pricing(RevenueStory.rules)
        var gross: Int64 = 0, refunds: Int64 = 0, proceeds: Int64 = 0, credit: Int64 = 0
        for charge in charges where charge.terms.kind != .trial {
            guard let price = pricing.price(charge.terms) else { continue }
            gross += price.gross * charge.count
            refunds += price.refunds * charge.count
            proceeds += price.proceeds * charge.count
            credit += price.upgradeCredit * charge.count
        }

        for by in RevenueDimension.allCases.map({ [$0] }) + [[], [.source, .day], RevenueDimension.allCases] {
            let document = try Self.document(charges.shuffled(using: &random), by: by), totals = document.totals
            #expect(totals.numbers[.grossMilliunits] == gross && totals.numbers[.refundsMilliunits] == refunds)
            #expect(totals.numbers[.netMilliunits] == gross - refunds && totals.numbers[.proceedsEstimatedMilliunits] == proceeds)
            #expect(totals.numbers[.upgradeCreditEstimatedMilliunits] == credit)
            for (place, total) in totals.list.enumerated() {
                #expect(document.rows.map { $0.values.list[place] ?? 0 }.reduce(0, +) == total, "\(by) \(totals.columns[place])")
            }
            #expect(document.unconverted.map(\.currency) == ["GBP"])
        }
    }

    @Test("do not change with the order of the charges: the same document")
    func shuffled() throws {
        var random = SeededRandom(seed: 7)
        let charges = Self.charges(&random), by = [RevenueDimension.source, .campaign, .day]

        let (one, other) = (try Self.document(charges, by: by), try Self.document(charges.shuffled(using: &random), by: by))

        #expect(one == other)
    }

    @Test("without a configured currency are in the only one that was paid in; of several none is converted")
    func currencies() throws {
        let trial = Self.charge(0, "", .trial), euros = [Self.charge(1_000, "EUR"), trial], both = euros + [Self.charge(2_000, "USD")]

        let (one, several, none) = (try Self.document(euros, MoneyRules()), try Self.document(both, MoneyRules()), try Self.document([], MoneyRules()))

        #expect(one.currency == "EUR" && one.totals.numbers[.grossMilliunits] == 1_000 && one.unconverted.isEmpty)
        #expect(several.currency == nil && several.totals.list == [0, 0, 0, 0, 0, 0, 1, 0, 0])
        #expect(
            several.unconverted == [
                .init(currency: "EUR", grossMilliunits: 1_000, refundsMilliunits: 0), .init(currency: "USD", grossMilliunits: 2_000, refundsMilliunits: 0),
            ])
        #expect(none.currency == nil && none.rows.isEmpty)
    }

    @Test("that are too large for a number are not known; nothing traps")
    func overflow() throws {
        let large = Self.charge(.max / 2, count: 3)

        let document = try Self.document([large, Self.charge(1_000), Self.charge(.max, "EUR", count: .max)])

        #expect(document.totals.numbers[.grossMilliunits] == nil && document.totals.numbers[.purchases] == 4)
        #expect(document.unconverted == [.init(currency: "EUR", grossMilliunits: .max, refundsMilliunits: 0)])
    }

    @Test("of more rows than a report has keep the largest; what the others count is a row of each day")
    func capped() throws {
        let charges = (1...500).map { number in
            RevenueSumsTests.charge(Int64(number) * 1_000, on: Int64(number % 2) + 1, product: "\(number)")
        }

        let days = try Self.document(charges, by: [.day, .product], mostRows: 402), one = try Self.document(charges, mostRows: 3)

        // A report may have 400 days, each with a row for the others.
        #expect(days.rows.map { $0.key["product"] } == ["other", "500", "other", "499"])
        #expect(one.rows.map { $0.key["product"] } == ["other", "500", "499"])
        #expect(days.totals == one.totals && one.totals.numbers[.grossMilliunits] == 125_250_000)
        #expect(one.rows.compactMap { $0.values.numbers[.grossMilliunits] }.reduce(0, +) == 125_250_000)
    }

    @Test("are divided by what Apple Ads cost on the same days for the same row, where that is known")
    func spend() throws {
        let august = RevenueStore.august, apple = Array("apple_search_ads".utf8)
        var ads = Self.charge(10_000, on: 1), link = Self.charge(30_000, on: 2)
        ads.origin.set(.source, "apple_search_ads")
        link.origin.set(.source, "link")
        func document(_ by: [RevenueDimension]) throws -> RevenueDocument {
            var report = RevenueReport(try RevenueStore.request(by: by), RevenueStory.rules)
            for charge in [ads, link] { try report.add(charge) }
            return report.document { days, key in
                if let source = key[.source], source != apple { return nil }
                return key[.day] == nil ? Int64(days.count) * 2_000 : nil
            }
        }
        func roas(_ proceeds: Int64?, _ days: Int) throws -> Double { Double(try #require(proceeds)) / (Double(days) * 2_000) }

        let days = try document([.day]), sources = try document([.source, .day]), all = try document([])

        #expect(days.rows.map(\.values.numbers[.spendMilliunits]) == [2_000, 2_000])
        for row in days.rows { #expect(row.values.ratios[.roas] == (try roas(row.values.numbers[.proceedsEstimatedMilliunits], 1))) }
        #expect(sources.rows.map { $0.key["source"] } == ["apple_search_ads", "link"])
        #expect(sources.rows.map(\.values.numbers[.spendMilliunits]) == [2_000, nil] && sources.rows[1].values.ratios.isEmpty)
        let asked = try RevenueStore.request(by: []).days.days
        #expect(asked.contains(august + 1) && all.totals.numbers[.spendMilliunits] == Int64(asked.count) * 2_000)
        #expect(all.totals.ratios[.roas] == (try roas(all.totals.numbers[.proceedsEstimatedMilliunits], asked.count)))
        #expect(all.rows.map(\.values) == [all.totals] && days.totals == all.totals && sources.totals == all.totals)
        #expect(all.erased.numbers[.spendMilliunits] == nil)
    }

    @Test("of too many groups are refused, with what to do")
    func groups() throws {
        let charges = (0..<4).map { Self.charge(1_000, product: "\($0)") }

        #expect(throws: RevenueError.tooManyGroups) { try Self.document(charges, mostGroups: 3) }
        #expect(try Self.document(charges, mostGroups: 4).rows.count == 4)
    }

    @Test("distinguish keys by their bytes")
    func bytes() throws {
        let charges = ["\u{212A}ate", "Kate"].map { Self.charge(1_000, product: $0) }

        #expect(try Self.document(charges).rows.count == 2)
    }
}

@Suite("A document of revenue", .timeLimit(.minutes(1)))
struct RevenueDocumentTests {
    @Test("says the same after JSON, null included", arguments: [RevenueView.purchase, .subscriptions, .cohorts])
    func json(view: RevenueView) throws {
        let columns = RevenueColumn.list(view), known = RevenueValues(columns, numbers: [columns[0]: 3], ratios: [RevenueColumn.churn: 0.5].filter { columns.contains($0.key) })
        let document = RevenueDocument(
            currency: nil, by: ["day"], view: view, from: "2026-09-01", to: "2026-09-02", rows: [.init(key: ["day": "2026-09-01"], values: known)],
            totals: RevenueValues(columns), unconverted: [.init(currency: "GBP", grossMilliunits: 5, refundsMilliunits: 1)],
            erased: RevenueValues(columns), verified: .init(originals: 2, differences: ["one"]))

        let json = try JSONEncoder().encode(document)

        #expect(try JSONDecoder().decode(RevenueDocument.self, from: json) == document)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["currency"] is NSNull)
        #expect(Set((object["totals"] as? [String: Any] ?? [:]).keys) == Set(columns.map(\.rawValue)))
        let row = try #require((object["rows"] as? [[String: Any]])?.first)
        #expect(row["key"] as? [String: String] == ["day": "2026-09-01"] && row[columns[0].rawValue] as? Int == 3)
    }

    @Test("is one line of CSV for each row: its key first, then the columns of JSON; what is not known is empty")
    func csv() throws {
        let columns = RevenueColumn.list(.purchase)
        var values = RevenueValues(columns, numbers: Dictionary(uniqueKeysWithValues: columns.map { ($0, 1_234) }))
        values.numbers[.proceedsEstimatedMilliunits] = nil
        let document = RevenueDocument(
            currency: "USD", by: ["source", "campaign"], view: .purchase, from: "2026-09-01", to: "2026-09-02",
            rows: [.init(key: ["source": "=1+1", "campaign": "a,b"], values: values)], totals: values, unconverted: [], erased: values, verified: nil)

        #expect(
            RevenueCSV(document).text == "source,campaign," + columns.map(\.rawValue).joined(separator: ",") + "\n"
                + #"'=1+1,"a,b",1234,1234,1234,1234,,1234,1234,1234,1234,1234,"#)
    }

    @Test("has its columns defined on the page about revenue, in the same words")
    func page() throws {
        let lines = Set(try Sample.file("docs/features/revenue.md").split(separator: "\n").map(String.init))

        for column in RevenueColumn.allCases { #expect(lines.contains("| `\(column.rawValue)` | \(column.definition) |")) }
    }
}
