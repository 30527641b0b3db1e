// SPDX-License-Identifier: Apache-2.0

/// Pearson's test of counts: χ² = Σ (O − E)²/E. For a single look; ``SampleRatioTest`` is for many.
package struct ChiSquareTest: Hashable, Sendable {
    /// Infinite if a variation without weight has units.
    package let statistic: Double
    package let degreesOfFreedom: Int

    package var p: Double { ChiSquareDistribution.above(statistic, degreesOfFreedom: degreesOfFreedom) }

    /// An epoch: how many units each variation has, and the weights by which they were drawn.
    package struct Epoch: Hashable, Sendable {
        let units: [Int]
        let weights: [Double]

        package init(units: [Int], weights: [Double]) {
            precondition(units.count == weights.count, "An epoch has a number of units and a weight for each variation.")
            (self.units, self.weights) = (units, weights)
        }
    }

    /// Do units lie in the ratio of the weights? What is expected is added up over epochs before it is compared.
    package init(ratioOf epochs: [Epoch]) {
        let width = epochs.first?.units.count ?? 0
        var observed = Array(repeating: 0.0, count: width), expected = observed
        for epoch in epochs {
            let units = epoch.units.reduce(0.0) { $0 + Double($1) }, weights = epoch.weights.reduce(0, +)
            for place in observed.indices {
                observed[place] += Double(epoch.units[place])
                if weights > 0 { expected[place] += units * (epoch.weights[place] / weights) }
            }
        }
        var statistic = 0.0
        for (observed, expected) in zip(observed, expected) {
            if expected > 0 { statistic += (observed - expected) * (observed - expected) / expected }
            if expected == 0, observed > 0 { statistic = .infinity }
        }
        self.statistic = statistic
        degreesOfFreedom = max(0, expected.count { $0 > 0 } - 1)
    }

    /// Is the share of units that passed (shown among decided) equal in all variations?
    package init(passed: [Int], of all: [Int]) {
        precondition(passed.count == all.count, "Each variation has a number that passed, and a number of all.")
        let tried = zip(passed, all).filter { $1 > 0 }
        let total = tried.reduce(0.0) { $0 + Double($1.1) }, through = tried.reduce(0.0) { $0 + Double($1.0) }
        guard through > 0, through < total else {
            (statistic, degreesOfFreedom) = (0, max(0, tried.count - 1))
            return
        }
        let share = through / total
        statistic = tried.reduce(0.0) { sum, pair in
            let away = Double(pair.0) - Double(pair.1) * share
            return sum + away * away / (Double(pair.1) * share * (1 - share))
        }
        degreesOfFreedom = max(0, tried.count - 1)
    }
}
