// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallResults

extension Trial {
    /// No effect on revenue: 3 % pay, log-normal amounts. 100 looks of 100 units.
    static let revenue = Trial(name: "A/A on revenue: 3 % pay, log-normal (3, 1.2), 100 looks of 100 units") {
        runs, seed, progress in
        let assigned = salts(runs, looks: 100), sequence = ConfidenceSequence()
        var chance = Chance(seed: seed)
        var (naive, decided, covered) = (0, 0, 0)
        for run in 0..<runs {
            progress(run)
            var arms = [Sums(), Sums()], isNaive = false, isDecided = false
            for count in assigned[run % assigned.count].variation {
                arms[0].add(AssignedLooks.unitsPerLook - count, &chance)
                arms[1].add(count, &chance)
                guard let control = arms[0].sample?.estimate, let variation = arms[1].sample?.estimate else { continue }
                let pair = PairEstimate(control: control, variation: variation, units: arms[0].units + arms[1].units)
                guard let z = pair.z, min(arms[0].buyers, arms[1].buyers) >= PairedStrata.fewestConversions else { continue }
                if abs(z) > 1.959_963_984_540_054 { isNaive = true }
                if abs(z) > sequence.multiplier(units: pair.units) { isDecided = true }
            }
            naive += isNaive ? 1 : 0
            decided += isDecided ? 1 : 0
            covered += isDecided ? 0 : 1
        }
        return [
            Figure(
                "always-valid interval ever excludes 0", Double(decided) / Double(runs), 0...min(0.035, falsePositives(runs))),
            Figure("z-test ever below 0.05", Double(naive) / Double(runs), 0.15...1),
            Figure("always-valid interval contains 0 at all looks", Double(covered) / Double(runs), 0.965...1),
        ]
    }

    private struct Sums {
        var units = 0
        var buyers = 0
        private var sum = 0.0
        private var squares = 0.0

        mutating func add(_ count: Int, _ chance: inout Chance) {
            units += count
            for _ in 0..<chance.conversions(of: count, rate: 0.03) {
                let amount = exp(3 + 1.2 * chance.normal())
                buyers += 1
                sum += amount
                squares += amount * amount
            }
        }

        var sample: Sample? { try? Sample(units: units, sum: sum, sumOfSquares: squares, conversions: buyers) }
    }
}
