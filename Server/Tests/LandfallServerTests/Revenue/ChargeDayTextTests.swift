// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Testing

@testable import LandfallPurchases
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("The text of a day's charges", .timeLimit(.minutes(1)))
struct ChargeDayTextTests {
    private static let day = RevenueStore.august + 9

    private static func text(_ charges: [RevenueCharge]) -> String {
        var counter = ChargeDayCounter()
        for charge in charges { counter.add(charge) }
        return counter.text
    }

    private static func report(by: [RevenueDimension], _ add: (inout RevenueReport) throws -> Void) throws -> RevenueDocument {
        var report = RevenueReport(try RevenueStore.request(by: by), RevenueStory.rules)
        try add(&report)
        return report.document()
    }

    private static func charge(_ random: inout SeededRandom) -> RevenueCharge {
        let kind = Charge.Kind.allCases.randomElement(using: &random)!
        var charge = RevenueCharge(
            day: day,
            terms: Pricing.Terms(
                kind: kind, currency: kind == .trial ? "" : ["USD", "EUR", "JPY", "GBP"].randomElement(using: &random)!,
                milliunits: kind == .trial ? 0 : [1_990, 9_990, 59_990].randomElement(using: &random)!,
                part: Charge.Fraction(numerator: 1, denominator: kind == .refund ? 3 : 1),
                upgradeCredit: kind == .purchase && Bool.random(using: &random) ? Charge.Fraction(numerator: 10, denominator: 30) : nil,
                storefront: [nil, "USA", "DEU", "JPN"].randomElement(using: &random)!, purchaseDay: Int(day) - (kind.isRefund ? 3 : 0),
                isAfterYear: .random(using: &random)),
            product: ["week", "a week", "", "50 %", "週\n"].randomElement(using: &random)!, followsTrial: .random(using: &random))
        charge.isRefundedBefore = kind.isRefund && .random(using: &random)
        for dimension in RevenueOrigin.acquisition + RevenueOrigin.sale {
            charge.origin.set(dimension, [nil, "a", "b c", "", "%41", "ü,-1"].randomElement(using: &random)!)
        }
        return charge
    }

    @Test("gives the same report as its charges, by each field, by several and by none", arguments: 1...12 as ClosedRange<UInt64>)
    func same(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let few = (0..<20).map { _ in Self.charge(&random) }, charges = (0..<300).map { _ in few.randomElement(using: &random)! }
        let text = Self.text(charges)

        for by in RevenueDimension.allCases.map({ [$0] }) + [[], [.campaign, .country], [.variation, .source, .currency], RevenueDimension.allCases] {
            let counted = try #require(try ChargeDayText.day(Self.day, text, by: by))

            let (one, other) = (
                try Self.report(by: by) { report in for charge in charges { try report.add(charge) } }, try Self.report(by: by) { try $0.add(.day(counted)) }
            )
            #expect(one == other, "\(by)")
        }
    }

    @Test("is the same for equal charges in any order, and empty for none")
    func order() throws {
        var random = SeededRandom(seed: 5)
        let charges = (0..<100).map { _ in Self.charge(&random) }

        #expect(Self.text(charges) == Self.text(charges.shuffled(using: &random)))
        #expect(Self.text([]).isEmpty)
    }

    @Test("of another form is not read; one that nobody has written is an error, wherever it breaks")
    func broken() throws {
        var random = SeededRandom(seed: 3)
        let text = Self.text([Self.charge(&random), Self.charge(&random)])

        #expect(try ChargeDayText.day(Self.day, "2\n" + String(text.dropFirst(2)), by: []) == nil)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // At the end of a line the text may be a whole one of fewer charges.
        for length in 2..<text.utf8.count where text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: length - 1)] != UInt8(ascii: "\n") {
            let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            #expect(throws: DatabaseError.self) { try ChargeDayText.day(Self.day, part, by: RevenueDimension.allCases) }
        }
        for (line, wrong) in [(2, "0 0 0 0 0 99"), (3, "0 0 99"), (2, "x"), (4, lines[4] + "9"), (4, lines[4] + ",99 0"), (4, "1 9223372036854775808")] {
            var broken = lines
            broken[line] = wrong
            let text = broken.joined(separator: "\n")
            #expect(throws: (any Error).self, "\(wrong)") { try ChargeDayText.day(Self.day, text, by: RevenueDimension.allCases) }
        }
    }
}
