// SPDX-License-Identifier: Apache-2.0

/// A share of all units, in whole buckets of a draw: at most four decimals, so that no value is rounded.
package struct Percentage: Hashable, Sendable, Comparable, CustomStringConvertible {
    static let zero = Percentage(buckets: 0)
    static let whole = Percentage(buckets: Draw.bucketCount)

    /// 0...1,000,000.
    package let buckets: Int

    private init(buckets: Int) { self.buckets = buckets }

    /// Reads `10%`, `0.0001%` or `100 %`. Returns nil for everything else: more than four decimals, a sign, no percent sign,
    /// above 100.
    init?(_ text: String) {
        guard text.utf8.count <= 16, text.utf8.last == UInt8(ascii: "%") else { return nil }
        let number = text.utf8.dropLast().reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...3).contains(whole.count), parts.count == 1 || (1...4).contains(parts[1].count) else {
            return nil
        }
        let decimals = parts.count == 1 ? [] : Array(parts[1])
        var buckets = 0
        for digit in Array(whole) + decimals + Array(repeating: UInt8(ascii: "0"), count: 4 - decimals.count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            buckets = buckets * 10 + Int(digit - UInt8(ascii: "0"))
        }
        guard buckets <= Draw.bucketCount else { return nil }
        self.buckets = buckets
    }

    package var description: String {
        let decimals = String(buckets % 10_000 + 10_000).dropFirst()
        let kept = decimals.lastIndex { $0 != "0" }.map { "." + decimals[...$0] } ?? ""
        return "\(buckets / 10_000)\(kept)%"
    }

    package static func < (left: Percentage, right: Percentage) -> Bool { left.buckets < right.buckets }
}
