// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallCommand
@testable import LandfallReports

@Suite("Revenue", .timeLimit(.minutes(1)))
struct RevenueFormTests {
    private static func values(_ numbers: [RevenueColumn: Int64]) -> RevenueValues {
        let columns = RevenueColumn.list(.purchase)
        return RevenueValues(columns, numbers: Dictionary(uniqueKeysWithValues: columns.map { ($0, numbers[$0] ?? 0) }))
    }

    private static let link = values([
        .purchases: 96, .grossMilliunits: 2_304_000, .netMilliunits: 2_304_000, .proceedsEstimatedMilliunits: 1_612_800,
    ])
    private static let unknown = values([
        .purchases: 1, .grossMilliunits: 4_995, .refundsMilliunits: 10_000, .netMilliunits: -5_005, .proceedsEstimatedMilliunits: -3_504,
    ])
    private static let total = values([
        .purchases: 97, .grossMilliunits: 2_308_995, .refundsMilliunits: 10_000, .netMilliunits: 2_298_995, .proceedsEstimatedMilliunits: 1_609_296,
    ])

    private static func document(
        currency: String? = "USD", by: [String] = ["source"], rows: [RevenueDocument.Row]? = nil, unconverted: [RevenueDocument.Unconverted] = [],
        erased: RevenueValues = values([:]), verified: RevenueDocument.Verified? = nil
    ) -> RevenueDocument {
        RevenueDocument(
            currency: currency, by: by, view: .purchase, from: "2026-11-01", to: "2026-11-22",
            rows: rows ?? [.init(key: ["source": "link"], values: link), .init(key: ["source": "unknown"], values: unknown)], totals: total,
            unconverted: unconverted, erased: erased, verified: verified)
    }

    @Test("is a table that is read at a glance: amounts with two decimals, the totals below, without what was never counted")
    func table() {
        #expect(
            RevenueTable(Self.document()).lines == [
                "revenue by day of purchase, 2026-11-01 to 2026-11-22 (UTC), in USD",
                "source   purchases     gross  paid back       net  proceeds (estimated)",
                "link            96  2,304.00       0.00  2,304.00              1,612.80",
                "unknown          1      5.00      10.00     −5.01                 −3.50",
                "total           97  2,309.00      10.00  2,299.00              1,609.30",
            ])
    }

    @Test("says below the table what is in no row, what is of erased people, and what differs from what Apple signed")
    func remarks() {
        let money = RevenueDocument.Unconverted(currency: "JPY", grossMilliunits: 12_000_000, refundsMilliunits: 500)
        let erased = Self.values([.purchases: 1, .grossMilliunits: 4_990, .netMilliunits: 4_990])

        let lines = RevenueTable(Self.document(unconverted: [money], erased: erased, verified: .init(originals: 1_200, differences: ["Charge 7 is missing."]))).lines

        #expect(
            lines.suffix(4) == [
                "Not converted, and in no row: 12,000.00 JPY gross, 0.50 JPY paid back. Add a rate of JPY for these days to 'rates' in 'purchases' of the configuration.",
                "Of the total, 4.99 net is of people who were erased since.",
                "Verified: what is stored differs from the 1,200 originals that Apple signed:",
                "  Charge 7 is missing.",
            ])
        #expect(
            RevenueTable(Self.document(verified: .init(originals: 1_200, differences: []))).lines.last
                == "Verified: 1,200 originals that Apple signed say the same.")
    }

    @Test("of several currencies without a configured one says what to configure")
    func currencies() {
        let money = RevenueDocument.Unconverted(currency: "EUR", grossMilliunits: 1_000, refundsMilliunits: 0)

        let lines = RevenueTable(Self.document(currency: nil, rows: [], unconverted: [money])).lines

        #expect(
            lines == [
                "revenue by day of purchase, 2026-11-01 to 2026-11-22 (UTC)", "Nothing was paid on these days.",
                "Not converted, and in no row: 1.00 EUR gross, 0.00 EUR paid back. Name the currency of reports as 'currency' in 'purchases' of the configuration.",
            ])
    }

    @Test("shows the first rows of many, and says where the others are")
    func many() {
        let rows = Array(repeating: RevenueDocument.Row(key: ["source": "link"], values: Self.link), count: 60)

        let lines = RevenueTable(Self.document(rows: rows)).lines

        #expect(lines.count == 54)
        #expect(lines[52] == "… and 10 more rows; --csv has all.")
    }

    @Test("without fields is one row, which is the total")
    func one() {
        let lines = RevenueTable(Self.document(by: [], rows: [.init(key: [:], values: Self.total)])).lines

        #expect(
            lines.dropFirst() == [
                "purchases     gross  paid back       net  proceeds (estimated)", "       97  2,309.00      10.00  2,299.00              1,609.30",
            ])
    }

    @Test(
        "rounds the thousandths of an amount half away from zero, only for the table",
        arguments: [
            (0, "0.00"), (4, "0.00"), (5, "0.01"), (-4, "0.00"), (-5, "−0.01"), (994, "0.99"), (995, "1.00"), (1_234_567, "1,234.57"),
            (.max, "9,223,372,036,854,775.81"), (.min, "−9,223,372,036,854,775.81"),
        ] as [(Int64, String)])
    func amounts(milliunits: Int64, text: String) { #expect(RevenueTable.amount(milliunits) == text) }
}
