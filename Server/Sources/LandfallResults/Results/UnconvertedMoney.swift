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

    private enum CodingKeys: String, CodingKey { case metric, units, currencies }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(metric, forKey: .metric)
        try keys.encode(units, forKey: .units)
        try keys.encode(currencies, forKey: .currencies)
    }
}
