// SPDX-License-Identifier: Apache-2.0

/// What the units of one variation paid in all, refunds subtracted. Units that paid nothing count too.
struct Spending: Hashable, Sendable {
    struct Amount: Hashable, Sendable {
        let value: Double
        /// How many units paid this amount.
        let count: Int

        init(value: Double, count: Int) { (self.value, self.count) = (value, count) }
    }

    let units: Int
    /// Without zeros.
    let amounts: [Amount]

    /// - Parameter amounts: zeros may be among them, and the same value several times.
    init(units: Int, amounts: [Amount]) throws(SampleError) {
        guard amounts.allSatisfy({ $0.value.isFinite && abs($0.value) < 1e100 && (0...Sample.mostUnits).contains($0.count) })
        else {
            throw SampleError(
                field: "values", problem: "An amount has to be a finite number, with a count that is not negative.")
        }
        self.amounts = amounts.filter { $0.value != 0 && $0.count > 0 }
        let buyers = self.amounts.reduce(0.0) { $0 + Double($1.count) }
        guard (0...Sample.mostUnits).contains(units), buyers <= Double(units) else {
            throw SampleError(
                field: "units", problem: "\(Int(buyers)) amounts are more than \(units) units. Give one amount for each unit.")
        }
        self.units = units
    }

    var buyers: Int { amounts.reduce(0) { $0 + $1.count } }

    /// As numbers to compare, each amount at most the cap.
    func sample(cap: Double = .infinity) throws(SampleError) -> Sample {
        var sum = 0.0, squares = 0.0
        for amount in amounts {
            let value = min(amount.value, cap)
            sum += value * Double(amount.count)
            squares += value * value * Double(amount.count)
        }
        return try Sample(units: units, sum: sum, sumOfSquares: squares, conversions: buyers)
    }

    /// The cap of payments: one of the pooled amounts of all variations, zeros left out, at rank
    /// `⌈thousandths · m / 1000⌉`, and never below the highest price that was tested. Nil if nobody paid.
    ///
    /// Source: 99.9 % is what Statsig takes. Below 1,000 buyers it changes nothing.
    /// - Parameters:
    ///   - thousandths: 1...1000.
    ///   - highestPrice: of all variations; 0 if no price is known.
    static func cap(_ variations: [Spending], thousandths: Int = 999, highestPrice: Double = 0) -> Double? {
        precondition((1...1000).contains(thousandths), "A quantile in thousandths is a whole number from 1 to 1000.")
        let amounts = variations.flatMap(\.amounts).sorted { $0.value < $1.value }
        let buyers = amounts.reduce(0) { $0 + $1.count }
        let (high, low) = buyers.multipliedFullWidth(by: thousandths)
        let (quotient, remainder) = 1000.dividingFullWidth((high, low))
        let rank = quotient + (remainder > 0 ? 1 : 0)
        var passed = 0
        for amount in amounts {
            passed += amount.count
            if passed >= rank { return max(amount.value, highestPrice) }
        }
        return nil
    }
}
