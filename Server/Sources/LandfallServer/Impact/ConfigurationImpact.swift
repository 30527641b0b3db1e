// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// How many installs would see another paywall, by a sample of those that are stored.
package struct ConfigurationImpact: Sendable, Codable {
    package struct Share: Sendable, Codable {
        package let placement: String
        /// Of the sample.
        package let changed: Int
        package let share: Double
        /// In which the share of all installs lies, with 95 % confidence.
        package let interval: [Double]

        init(_ placement: PlacementID, changed: Int, of sampled: Int) {
            self.placement = placement.rawValue
            self.changed = changed
            share = sampled == 0 ? 0 : Double(changed) / Double(sampled)
            interval = WilsonInterval.bounds(changed, of: sampled)
        }
    }

    /// How many installs were looked at: all where the store has no more than were wanted.
    package let sampled: Int
    /// Those of both versions, in the order of the new file. One that only one of them has changes for everybody.
    package let placements: [Share]
    /// About the new file; those about a value that installs lack say how many do.
    package let warnings: [ConfigurationCheck.Remark]
}

/// In which a share lies, by Wilson: also right for few, for none and for all.
enum WilsonInterval {
    /// Of the normal distribution, for 95 %.
    private static let z = 1.959963984540054

    static func bounds(_ count: Int, of total: Int) -> [Double] {
        guard total > 0 else { return [0, 1] }
        let n = Double(total), share = Double(count) / n
        let square = z * z
        let middle = (share + square / (2 * n)) / (1 + square / n)
        let half = z / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
        // None and all are bounds themselves, whatever rounding says.
        return [count == 0 ? 0 : max(0, middle - half), count == total ? 1 : min(1, middle + half)]
    }
}

/// Looks at a sample of stored installs through two versions.
struct ImpactMeasuring: Sendable {
    static let usualSample = 10_000
    static let largestSample = 100_000

    let installs: SampledInstalls

    private struct Tally: Sendable {
        var sampled = 0
        var changed: [Int]
        var lacked: LackedValues
    }

    /// - Parameter warnings: about the new version.
    func measure<Numbers: RandomNumberGenerator & Sendable>(
        from old: Snapshot, to new: Snapshot, warnings: [ConfigurationProblem], sample: Int, numbers: Numbers
    ) async throws -> ConfigurationImpact {
        let names = new.configuration.placements.map(\.id) + old.configuration.placements.map(\.id).filter { new.placements[$0] == nil }
        let first = Tally(changed: names.map { _ in 0 }, lacked: LackedValues(warnings))
        let tally = try await installs.tally(first, of: sample, numbers: numbers) { tally, install, nowMs in
            tally.sampled += 1
            let facts = new.facts(of: install, nowMs: nowMs)
            tally.lacked.look(at: facts)
            let locale = facts.values.locale
            for (index, name) in names.enumerated() {
                let before = old.decide(placement: name, locale: locale, facts: facts, pending: .nothing)
                let after = new.decide(placement: name, locale: locale, facts: facts, pending: .nothing)
                if before?.paywallID != after?.paywallID { tally.changed[index] += 1 }
            }
        }
        return ConfigurationImpact(
            sampled: tally.sampled,
            placements: zip(names, tally.changed).map { ConfigurationImpact.Share($0, changed: $1, of: tally.sampled) },
            warnings: tally.lacked.remarks)
    }
}
