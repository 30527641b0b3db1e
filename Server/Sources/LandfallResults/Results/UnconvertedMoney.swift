// SPDX-License-Identifier: Apache-2.0

/// Money that is in no sum, because no rate leads to the currency of the results.
package struct UnconvertedMoney: Encodable, Hashable, Sendable {
    package let metric: String
    /// Units that paid some of it; nil if they are too few to be told.
    package var units: Int?
    /// In alphabetical order.
    package let currencies: [String]

    package init(metric: String, units: Int?, currencies: [String]) {
        (self.metric, self.units, self.currencies) = (metric, units, currencies)
    }

    /// As the notes of the results say it.
    package var sentence: String {
        let list = currencies.joined(separator: ", "), rest = "This money is not in '\(metric)'. Add the rates: purchases.rates."
        guard let units else { return "Some units paid in \(list) on days without a rate. \(rest)" }
        return "Units that paid in \(list) on days without a rate: \(units). \(rest)"
    }

    private enum CodingKeys: String, CodingKey { case metric, units, currencies }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(metric, forKey: .metric)
        try keys.encode(units, forKey: .units)
        try keys.encode(currencies, forKey: .currencies)
    }
}
