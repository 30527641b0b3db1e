// SPDX-License-Identifier: Apache-2.0

/// Adds up the rows of an experiment's units, in any order and in any portions. Its size grows with the days of the
/// experiment and with the different amounts that units paid, never with its units.
package struct ExperimentTally: Hashable, Sendable {
    /// Units of one epoch with one variation.
    package struct Arm: Hashable, Sendable, Comparable {
        package var epoch: Int64
        /// The index in the experiment's variations.
        package var variation: Int

        package init(epoch: Int64, variation: Int) { (self.epoch, self.variation) = (epoch, variation) }

        package static func < (one: Arm, other: Arm) -> Bool { (one.epoch, one.variation) < (other.epoch, other.variation) }
    }

    struct Part: Hashable { let by: String, value: String }

    /// More sources, versions and platforms than a page can show are one part, `other`.
    static let mostParts = 40
    static let other = "other"
    /// The most days of the history; the newest are kept.
    static let mostDays = 400

    /// Units, and those that converted by the primary metric, or what they paid.
    struct Counts: Hashable {
        var units = 0, conversions = 0
        var paid = Payments()
    }

    let experiment: CountedExperiment
    /// By arm and day of the first exposure.
    package private(set) var units: [Arm: [Int64: Int]] = [:]
    /// For each metric, by arm and day of the first conversion.
    private(set) var conversions: [[Arm: [Int64: Int]]]
    /// For each metric, by arm and day of the purchase.
    private(set) var payments: [[Arm: [Int64: Payments]]]
    /// For each metric, the highest price of one purchase, in milliunits.
    private var highestPrices: [Int64]
    private(set) var segments: [String: [Arm: Counts]] = [:]
    private(set) var parts: [Part: [Arm: Int]] = [:]

    package init(_ experiment: CountedExperiment) {
        self.experiment = experiment
        conversions = experiment.metrics.map { _ in [:] }
        payments = experiment.metrics.map { _ in [:] }
        highestPrices = experiment.metrics.map { _ in 0 }
    }

    package mutating func count(units count: Int, of arm: Arm, exposedOn day: Int64) {
        guard count != 0 else { return }
        units[arm, default: [:]][day, default: 0] += count
    }

    /// - Parameter metric: its index. A unit converts once.
    package mutating func count(conversions count: Int = 1, by metric: Int, of arm: Arm, on day: Int64) {
        conversions[metric][arm, default: [:]][day, default: 0] += count
    }

    /// - Parameters:
    ///   - metric: its index.
    ///   - day: of the purchases that made the amount grow.
    package mutating func count(_ step: Payments.Step, by metric: Int, of arm: Arm, on day: Int64) {
        payments[metric][arm, default: [:]][day, default: Payments()].count(step)
    }

    /// - Parameter milliunits: the price of one purchase.
    package mutating func note(price milliunits: Int64, by metric: Int) { highestPrices[metric] = max(highestPrices[metric], milliunits) }

    /// What a unit may count with at most, in milliunits; nil if nobody paid.
    func cap(of metric: Int) throws(SampleError) -> Int64? {
        var all = Payments()
        for days in payments[metric].values { for paid in days.values { all.add(paid) } }
        return try all.cap(highestPrice: highestPrices[metric])
    }

    /// What an arm's units paid on all days.
    func paid(by metric: Int, _ arm: Arm) -> Payments {
        payments[metric][arm, default: [:]].values.reduce(into: Payments()) { $0.add($1) }
    }

    package mutating func count(units: Int, conversions: Int, paid: Payments = Payments(), of arm: Arm, in segment: String) {
        let name = segments[segment] != nil || segments.count < Self.mostParts ? segment : Self.other
        segments[name, default: [:]][arm, default: Counts()].units += units
        segments[name, default: [:]][arm, default: Counts()].conversions += conversions
        segments[name, default: [:]][arm, default: Counts()].paid.add(paid)
    }

    package mutating func count(units: Int, of arm: Arm, whose by: String, is value: String) {
        let part = Part(by: by, value: value)
        let name = parts[part] != nil || parts.count < Self.mostParts ? part : Part(by: by, value: Self.other)
        parts[name, default: [:]][arm, default: 0] += units
    }

    /// Counts every unit that is in no segment yet, with its conversion or what it paid, in this one.
    package mutating func countRest(in segment: String) {
        for (arm, days) in units {
            let known = segments.values.reduce(into: Counts()) { sum, counts in
                sum.units += max(0, counts[arm]?.units ?? 0)
                sum.conversions += counts[arm]?.conversions ?? 0
                if let paid = counts[arm]?.paid { sum.paid.add(paid) }
            }
            var paid = paid(by: 0, arm)
            paid.add(known.paid, times: -1)
            let converted = conversions[0][arm].map { $0.values.reduce(0, +) } ?? 0
            let rest = (units: Self.sum(days) - known.units, conversions: converted - known.conversions)
            guard rest.units > 0 else { continue }
            count(units: rest.units, conversions: min(rest.units, max(0, rest.conversions)), paid: paid, of: arm, in: segment)
        }
    }

    /// Checks the sample ratio of each segment too.
    package mutating func countSegments(as by: String) {
        for (name, counts) in segments { for (arm, counts) in counts { count(units: counts.units, of: arm, whose: by, is: name) } }
    }

    /// All units of all arms.
    package var allUnits: Int { units.values.reduce(0) { $0 + Self.sum($1) } }

    private static func sum(_ days: [Int64: Int]) -> Int { days.values.reduce(0) { $0 + max(0, $1) } }

    /// The same without counts below 0. Units are counted at one moment, and the team's own units are subtracted at another: if one of
    /// them was erased in between, its day has one unit too few.
    package var atLeastZero: ExperimentTally {
        var tally = self
        tally.units = units.mapValues { days in days.mapValues { max(0, $0) } }
        tally.segments = segments.mapValues { arms in
            arms.mapValues { Counts(units: max(0, $0.units), conversions: max(0, $0.conversions), paid: $0.paid) }
        }
        tally.parts = parts.mapValues { arms in arms.mapValues { max(0, $0) } }
        return tally
    }
}
