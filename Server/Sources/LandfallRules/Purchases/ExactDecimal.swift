// SPDX-License-Identifier: Apache-2.0

/// A decimal number that is exactly what its text says, such as `1.0850`: an integer over a power of ten. Not negative.
package struct ExactDecimal: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let mostDigits = 18
    package static let zero = ExactDecimal(digits: 0, decimals: 0)
    package static let one = ExactDecimal(digits: 1, decimals: 0)

    /// The number times ten to the power of ``decimals``.
    package let digits: Int64
    /// 0...18. The last digit is not a zero unless this is 0, so equal numbers are equal values.
    package let decimals: Int

    /// Reads `12`, `0.19` or `1.0850`. Nil for a sign, an exponent, a missing digit on either side of the point, and for more than
    /// eighteen digits.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= Self.mostDigits + 1 else {
            return nil
        }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        guard whole.count + fraction.count <= Self.mostDigits else { return nil }
        var digits: Int64 = 0
        for digit in Array(whole) + fraction {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            digits = digits * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        self.init(digits: digits, decimals: fraction.count)
    }

    private init(digits: Int64, decimals: Int) {
        var digits = digits, decimals = decimals
        while decimals > 0, digits % 10 == 0 {
            digits /= 10
            decimals -= 1
        }
        self.digits = digits
        self.decimals = decimals
    }

    /// Ten to the power of ``decimals``.
    package var divisor: Int64 { (0..<decimals).reduce(1) { power, _ in power * 10 } }

    package var description: String {
        guard decimals > 0 else { return String(digits) }
        let text = String(digits)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - text.utf8.count)) + text
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        left.digits.multipliedFullWidth(by: right.divisor) < right.digits.multipliedFullWidth(by: left.divisor)
    }
}
