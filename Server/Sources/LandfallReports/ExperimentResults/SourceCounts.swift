// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// Units, conversions and payments by source. They come from different reads, and are added up here.
struct SourceCounts: Sendable {
    /// More sources than this are one, `other`.
    static let most = 1_000
    private static let other = "other"

    struct Counts: Sendable {
        var units = 0, conversions = 0
        var paid = Payments()
    }

    private(set) var bySource: [String: [ExperimentTally.Arm: Counts]] = [:]

    mutating func count(
        units: Int = 0, conversions: Int = 0, paid: Payments = Payments(), of arm: ExperimentTally.Arm, from source: String
    ) {
        let name = bySource[source] != nil || bySource.count < Self.most ? source : Self.other
        bySource[name, default: [:]][arm, default: Counts()].units += units
        bySource[name, default: [:]][arm, default: Counts()].conversions += conversions
        bySource[name, default: [:]][arm, default: Counts()].paid.add(paid)
    }

    mutating func add(_ others: SourceCounts) {
        for (source, arms) in others.bySource {
            for (arm, counts) in arms {
                count(units: counts.units, conversions: counts.conversions, paid: counts.paid, of: arm, from: source)
            }
        }
    }

    /// The largest sources first: a tally names as many as a page can show.
    func count(into tally: inout ExperimentTally) {
        let sums = bySource.map { source, arms in (source: source, units: arms.values.reduce(0) { $0 + $1.units }) }
        for (source, units) in sums.sorted(by: { ($1.units, $0.source) < ($0.units, $1.source) }) where units > 0 {
            for (arm, counts) in bySource[source] ?? [:] where counts.units > 0 {
                tally.count(
                    units: counts.units, conversions: min(counts.units, counts.conversions), paid: counts.paid, of: arm, in: source)
            }
        }
    }
}
