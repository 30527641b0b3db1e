// SPDX-License-Identifier: Apache-2.0

/// What units paid, in milliunits, as counts of units whose amounts are the same: whole numbers, of which nothing is rounded before
/// a mean is computed. Its size grows with the different amounts.
package struct Payments: Hashable, Sendable {
    /// A unit that had paid one amount in all, and now another.
    package struct Step: Hashable, Sendable {
        /// 0 before the first payment.
        package let before: Int64
        package let after: Int64

        /// - Parameters: amounts of a unit, 0...``Payments/most``.
        package init(from before: Int64, to after: Int64) { (self.before, self.after) = (before, after) }
    }

    /// No unit counts with more: a trillion in any currency. So a sum of squares fits into 128 bits.
    package static let most: Int64 = 1_000_000_000_000_000

    private var steps: [Step: Int] = [:]

    package init() {}

    package mutating func count(_ step: Step, units: Int = 1) {
        guard step.before != step.after, units != 0 else { return }
        steps[step, default: 0] += units
        if steps[step] == 0 { steps[step] = nil }
    }

    package mutating func add(_ other: Payments, times: Int = 1) {
        for (step, units) in other.steps { count(step, units: times * units) }
    }

    /// Units that paid more than nothing in all.
    var payers: Int { steps.reduce(0) { $0 + (($1.key.after > 0 ? 1 : 0) - ($1.key.before > 0 ? 1 : 0)) * $1.value } }

    /// How many units paid each amount in all; without zeros.
    var amounts: [Int64: Int] {
        var amounts: [Int64: Int] = [:]
        for (step, units) in steps {
            amounts[step.after, default: 0] += units
            amounts[step.before, default: 0] -= units
        }
        return amounts.filter { $0.key > 0 && $0.value > 0 }
    }

    /// The sum of all amounts, in milliunits.
    func sum(cap: Int64 = most) -> Int128 {
        steps.reduce(0) { $0 + Int128(min($1.key.after, cap) - min($1.key.before, cap)) * Int128($1.value) }
    }

    private func sumOfSquares(cap: Int64) -> Int128 {
        func square(_ amount: Int64) -> Int128 { Int128(min(amount, cap)) * Int128(min(amount, cap)) }
        return steps.reduce(0) { $0 + (square($1.key.after) - square($1.key.before)) * Int128($1.value) }
    }

    /// In units of the currency, no longer in milliunits.
    /// - Parameters:
    ///   - units: all, also those that paid nothing.
    ///   - cap: of one unit, in milliunits.
    package func sample(units: Int, cap: Int64? = nil) throws(SampleError) -> Sample {
        let payers = max(0, payers), cap = cap ?? Self.most
        // If a unit was erased between two reads, its payments may remain.
        return try Sample(
            units: max(units, payers), sum: Double(max(0, sum(cap: cap))) / 1e3, sumOfSquares: Double(max(0, sumOfSquares(cap: cap))) / 1e6,
            conversions: payers)
    }

    /// See ``Spending/cap(_:thousandths:highestPrice:)``; in milliunits.
    package func cap(highestPrice: Int64) throws(SampleError) -> Int64? {
        let amounts = amounts.map { Spending.Amount(value: Double($0.key), count: $0.value) }
        let spending = try Spending(units: amounts.reduce(0) { $0 + $1.count }, amounts: amounts)
        return Spending.cap([spending], highestPrice: Double(highestPrice)).map { Int64($0) }
    }
}
