// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules

extension Charge.Fraction {
    /// A year has twelve of these, on average over the leap years: 30.4375 days.
    private static let averageMonthMs: Int64 = 2_629_800_000

    /// The months of a paid period. Those that the App Store sells are recognised by their days: a week is 84/365 of a month, so that a
    /// year of weeks is twelve months. Other lengths are measured in average months. Nil unless the period ends after it begins.
    init?(monthsFrom startMs: Int64, to endMs: Int64) {
        let (ms, isTooLong) = endMs.subtractingReportingOverflow(startMs)
        guard !isTooLong, ms > 0 else { return nil }
        // An hour more or less is a change of the clocks.
        switch ms / Retention.dayMs + (ms % Retention.dayMs * 2 >= Retention.dayMs ? 1 : 0) {
        case 7: self.init(numerator: 84, denominator: 365)
        case 28...31: self.init(numerator: 1, denominator: 1)
        case 59...62: self.init(numerator: 2, denominator: 1)
        case 89...92: self.init(numerator: 3, denominator: 1)
        case 181...184: self.init(numerator: 6, denominator: 1)
        case 365...366: self.init(numerator: 12, denominator: 1)
        default: self.init(numerator: ms, denominator: Self.averageMonthMs)
        }
    }
}
