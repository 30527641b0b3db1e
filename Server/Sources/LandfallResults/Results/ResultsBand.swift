// SPDX-License-Identifier: Apache-2.0

/// How the interval of one variation against the control narrowed, day by day.
package struct ResultsBand: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package let day: Int
        package let units: Int
        package let estimate: Double
        package let interval: Interval
        /// Whether this day has more epochs than the one before.
        package let opensEpoch: Bool
    }

    package let points: [Point]
    /// Lifts if every day has the interval of one, else differences.
    package let isRelative: Bool

    /// Without points where the numbers have no days.
    package init(_ numbers: ExperimentNumbers, variation: Int) {
        guard numbers.variations.indices.contains(variation) else {
            (points, isRelative) = ([], true)
            return
        }
        let sequence = ConfidenceSequence(alpha: numbers.alpha, plannedUnits: numbers.plannedUnits)
        let level = numbers.alpha / Double(numbers.variations.count - 1)
        let estimates = numbers.history.compactMap { moment in
            numbers.pair(moment.strata, variation).estimate.map { (moment: moment, estimate: $0) }
        }.filter { $0.estimate.z != nil }
        func lift(_ pair: PairEstimate) -> Interval? {
            pair.fiellerInterval(multiplier: sequence.multiplier(units: pair.units, level: level))
        }
        let isRelative = estimates.allSatisfy { lift($0.estimate) != nil }
        var points: [Point] = [], epochs: Int?
        for (moment, estimate) in estimates {
            let opensEpoch = epochs.map { moment.strata.count > $0 } ?? false
            epochs = moment.strata.count
            guard let interval = isRelative ? lift(estimate) : sequence.interval(estimate, level: level),
                let value = isRelative ? estimate.lift : estimate.difference
            else { continue }
            points.append(
                .init(day: moment.day, units: estimate.units, estimate: value, interval: interval, opensEpoch: opensEpoch))
        }
        (self.points, self.isRelative) = (points, isRelative)
    }
}
