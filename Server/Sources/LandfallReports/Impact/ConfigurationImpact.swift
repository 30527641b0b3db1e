// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
import LandfallWire

/// How many installs would see another paywall, estimated from a sample of the stored installs.
package struct ConfigurationImpact: Sendable, Codable {
    package struct Share: Sendable, Codable {
        package let placement: String
        /// The number of installs in the sample that would see another paywall. Nil if it is not shown, see ``FewInstalls``.
        package let changed: Int?
        package let share: Double?
        /// The two ends of the range of the share of all installs, with 95 % confidence; wider where the number is not told.
        package let interval: [Double]

        /// - Parameter few: nil if the number may be told.
        init(_ placement: PlacementID, changed: Int, of sampled: Int, few: FewInstalls? = nil) {
            self.placement = placement.rawValue
            guard let few else {
                self.changed = changed
                share = sampled == 0 ? 0 : Double(changed) / Double(sampled)
                interval = WilsonInterval.bounds(changed, of: sampled)
                return
            }
            (self.changed, share) = (nil, nil)
            interval = few.ends(of: sampled).enumerated().map { WilsonInterval.bounds($1, of: sampled)[$0] }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(placement, forKey: .placement)
            // Null, as everywhere what cannot be known.
            try container.encode(changed, forKey: .changed)
            try container.encode(share, forKey: .share)
            try container.encode(interval, forKey: .interval)
        }
    }

    /// The number of installs in the sample: all installs if the store has no more than were requested.
    package let sampled: Int
    /// The placements of both versions, in the order of the new file. A placement of only one version changes for all installs.
    package let placements: [Share]
    /// The warnings about the new file. A warning about a value that installs lack says how many installs lack it.
    package let warnings: [ConfigurationRemark]
}

/// The range of a share by Wilson's formula, which is also right for few installs, for none and for all.
package enum WilsonInterval {
    /// The quantile of the normal distribution for 95 %.
    private static let z = 1.959963984540054

    package static func bounds(_ count: Int, of total: Int) -> [Double] {
        guard total > 0 else { return [0, 1] }
        let n = Double(total), share = Double(count) / n
        let square = z * z
        let middle = (share + square / (2 * n)) / (1 + square / n)
        let half = z / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
        // For none and for all, the bounds are exactly 0 and 1, whatever rounding gives.
        return [count == 0 ? 0 : max(0, middle - half), count == total ? 1 : min(1, middle + half)]
    }
}

/// Decides for a sample of stored installs by two versions.
package struct ImpactMeasurement: Sendable {
    static let usualSample = 10_000
    static let largestSample = 100_000

    package let installs: SampledInstalls

    package init(installs: SampledInstalls) {
        self.installs = installs
    }

    private struct Tally: Sendable {
        var sampled = 0
        var changed: [Int]
        var lacked: LackedValues
    }

    /// - Parameters:
    ///   - warnings: the warnings about the new version.
    ///   - seesPeople: false for who may not see single people: then few installs are not told.
    package func measure<Numbers: RandomNumberGenerator & Sendable>(
        from old: Snapshot, to new: Snapshot, warnings: [ConfigurationProblem], sample: Int, seesPeople: Bool, numbers: Numbers
    ) async throws -> ConfigurationImpact {
        let names = new.configuration.placements.map(\.id) + old.configuration.placements.map(\.id).filter { new.placements[$0] == nil }
        let first = Tally(changed: names.map { _ in 0 }, lacked: LackedValues(warnings))
        let readsAssignments = old.storesAssignments || new.storesAssignments
        let haveSameLevels = old.configuration.purchases.accessLevels == new.configuration.purchases.accessLevels
        let tally = try await installs.tally(
            first, of: sample, numbers: numbers, readsAssignments: readsAssignments
        ) { tally, install, nowMs in
            tally.sampled += 1
            let facts = new.facts(of: install, nowMs: nowMs)
            tally.lacked.look(at: facts)
            let earlier = haveSameLevels ? facts : old.facts(of: install, nowMs: nowMs)
            let locale = facts.values.locale
            for (index, name) in names.enumerated() {
                let before = old.decide(placement: name, locale: locale, facts: earlier, install: install)
                let after = new.decide(placement: name, locale: locale, facts: facts, install: install)
                if !Decision.showsTheSame(before, after) { tally.changed[index] += 1 }
            }
        }
        return ConfigurationImpact(
            sampled: tally.sampled,
            placements: zip(names, tally.changed).map { name, changed in
                // What only one version has changes for everybody.
                let isShared = new.placements[name] != nil && old.placements[name] != nil
                return ConfigurationImpact.Share(
                    name, changed: changed, of: tally.sampled,
                    few: seesPeople || !isShared ? nil : FewInstalls(changed, of: tally.sampled))
            },
            warnings: tally.lacked.remarks(seesPeople: seesPeople))
    }
}
