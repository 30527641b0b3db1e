// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// An amount of milliunits times fractions, exact until it is rounded once. None of its factors is negative.
package struct ExactAmount: Sendable {
    private var numerator: UInt128
    private var denominator: UInt128 = 1
    /// What no longer fits beside the numerator.
    private var factor: UInt128 = 1
    /// It is too large, or a factor is no fraction of such an amount.
    private var hasNoValue = false

    /// - Parameter milliunits: not negative.
    package init(_ milliunits: Int64) {
        numerator = UInt128(milliunits.magnitude)
        hasNoValue = milliunits < 0
    }

    /// - Parameters:
    ///   - over: not negative.
    ///   - under: above zero.
    package mutating func multiply(by over: Int64, over under: Int64) {
        guard over >= 0, under > 0 else {
            hasNoValue = true
            return
        }
        let divisor = Self.greatestCommonDivisor(over.magnitude, under.magnitude)
        multiply(by: UInt128(over.magnitude / divisor), dividingBy: UInt128(under.magnitude / divisor))
    }

    package mutating func multiply(by decimal: ExactDecimal) { multiply(by: decimal.digits, over: decimal.divisor) }

    private mutating func multiply(by over: UInt128, dividingBy under: UInt128) {
        if factor == 1, case (let product, false) = numerator.multipliedReportingOverflow(by: over) {
            numerator = product
        } else if case (let product, false) = factor.multipliedReportingOverflow(by: over) {
            factor = product
        } else {
            hasNoValue = true
        }
        if case (let product, false) = denominator.multipliedReportingOverflow(by: under) { denominator = product } else { hasNoValue = true }
    }

    /// Half a milliunit away from zero. Nil if the amount is too large for a number of 64 bits, or a factor was out of its range.
    package var rounded: Int64? {
        guard !hasNoValue else { return nil }
        let quotient: UInt128, remainder: UInt128
        if factor == 1 {
            (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        } else {
            let product = numerator.multipliedFullWidth(by: factor)
            guard product.high < denominator else { return nil }
            (quotient, remainder) = denominator.dividingFullWidth(product)
        }
        guard let whole = Int64(exactly: quotient) else { return nil }
        // The remainder is below the denominator, so this difference cannot be negative.
        guard remainder >= denominator - remainder else { return whole }
        return whole == .max ? nil : whole + 1
    }

    private static func greatestCommonDivisor(_ one: UInt64, _ other: UInt64) -> UInt64 {
        var (one, other) = (one, other)
        while other != 0 { (one, other) = (other, one % other) }
        return max(one, 1)
    }
}
