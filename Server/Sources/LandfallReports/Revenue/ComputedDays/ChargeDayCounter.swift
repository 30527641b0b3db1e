// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

/// Counts the charges of a day, and writes them as one text that is read in a walk:
///
///     1                                  the form of the text
///     apple_search_ads EUR com.example…  all texts, from number 1 on; 0 is a text that there is not
///     1 0 5 6 7 0,…                      acquisitions: a number for each of ``RevenueOrigin/acquisition``
///     0 0 0,8 9 10                       sales: the same of ``RevenueOrigin/sale``
///     2 3 9990 1 1 … 0,0 1,4 0 2         for charges that are equal but for their origin: what they are, then acquisition, sale and count
///
/// Equal charges in any order are equal texts.
struct ChargeDayCounter {
    private struct Origin: Hashable { var acquisition: [[UInt8]?], sale: [[UInt8]?] }

    private var counts: [ChargeDay.Kind: [Origin: Int64]] = [:]

    mutating func add(_ charge: RevenueCharge) {
        let origin = Origin(
            acquisition: RevenueOrigin.acquisition.map { charge.origin.text($0) }, sale: RevenueOrigin.sale.map { charge.origin.text($0) })
        counts[charge.kind, default: [:]][origin, default: 0] += charge.count
    }

    /// Empty if there are no charges.
    var text: String {
        guard !counts.isEmpty else { return "" }
        let origins = Set(counts.values.flatMap(\.keys))
        let texts = Self.numbered(
            counts.keys.flatMap(\.texts) + origins.flatMap { ($0.acquisition + $0.sale).compactMap(\.self) }, first: 1
        ) { $0.lexicographicallyPrecedes($1) }
        func numbers(_ list: [[UInt8]?]) -> [Int64] { list.map { $0.flatMap { texts.places[$0] } ?? 0 } }
        let acquisitions = Self.numbered(origins.map { numbers($0.acquisition) }, first: 0) { $0.lexicographicallyPrecedes($1) }
        let sales = Self.numbered(origins.map { numbers($0.sale) }, first: 0) { $0.lexicographicallyPrecedes($1) }
        let lots = counts.map { kind, counts in
            let cells = counts.map { origin, count in
                let cell = [acquisitions.places[numbers(origin.acquisition)] ?? 0, sales.places[numbers(origin.sale)] ?? 0]
                return count == 1 ? cell : cell + [count]
            }
            return [kind.numbers { texts.places[$0] ?? 0 }] + cells.sorted { $0.lexicographicallyPrecedes($1) }
        }
        let lines = [acquisitions.list, sales.list] + lots.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
        let written = lines.map { $0.map { $0.map(String.init).joined(separator: " ") }.joined(separator: ",") }
        return ([ChargeDayText.form, texts.list.map(ChargeDayText.escaped).joined(separator: " ")] + written).joined(separator: "\n") + "\n"
    }

    private static func numbered<Value: Hashable>(
        _ values: [Value], first: Int64, _ precedes: (Value, Value) -> Bool
    ) -> (list: [Value], places: [Value: Int64]) {
        let list = Set(values).sorted(by: precedes)
        return (list, Dictionary(uniqueKeysWithValues: zip(list, first...)))
    }
}

extension ChargeDay.Kind {
    fileprivate var texts: [[UInt8]] {
        [terms.kind.rawValue, terms.currency, terms.storefront, product].compactMap { $0.map { Array($0.utf8) } }
    }

    /// In the order in which ``ChargeDayText`` reads them.
    fileprivate func numbers(_ place: ([UInt8]) -> Int64) -> [Int64] {
        func number(_ text: String?) -> Int64 { text.map { place(Array($0.utf8)) } ?? 0 }
        return [
            number(terms.kind.rawValue), number(terms.currency), number(terms.storefront), number(product), terms.milliunits,
            terms.part.numerator, terms.part.denominator, terms.upgradeCredit?.numerator ?? 0, terms.upgradeCredit?.denominator ?? 0,
            Int64(terms.purchaseDay), terms.isAfterYear ? 1 : 0, followsTrial ? 1 : 0, isRefundedBefore ? 1 : 0,
        ]
    }
}
