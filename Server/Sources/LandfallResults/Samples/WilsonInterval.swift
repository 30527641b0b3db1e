// SPDX-License-Identifier: Apache-2.0

extension Sample {
    /// The interval of a rate by Wilson: never outside 0...1, and useful from the first conversion on. For a fixed number of
    /// units. Nil for a mean and without units.
    func wilsonInterval(alpha: Double) -> Interval? {
        guard kind == .rate, let rate = mean else { return nil }
        let z = NormalDistribution.quantile(1 - alpha / 2), n = Double(units)
        let middle = rate + z * z / (2 * n)
        let reach = z * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        let scale = 1 + z * z / n
        return Interval(rate == 0 ? 0 : max(0, (middle - reach) / scale), rate == 1 ? 1 : min(1, (middle + reach) / scale))
    }
}
