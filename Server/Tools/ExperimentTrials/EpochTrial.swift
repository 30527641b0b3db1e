// SPDX-License-Identifier: Apache-2.0
import LandfallResults

extension Trial {
    /// No effect, but the weights change from 1:1 to 1:4 while everybody's rate falls from 10 % to 4 %. Within epochs, the first
    /// looks of the second one count once there are ten conversions: merged with the first, 7 % of these experiments found an effect.
    static let weightChange = Trial(name: "A/A whose weights change while the rate falls, 50 + 50 looks of 100 units") {
        runs, seed, progress in
        let first = salts(runs, looks: 50), second = salts(runs, looks: 50, epoch: 2, share: 0.8)
        let sequence = ConfidenceSequence()
        var chance = Chance(seed: seed), (pooled, stratified, ratio) = (0, 0, 0)
        for run in 0..<runs {
            progress(run)
            var (isPooled, isStratified) = (false, false)
            var epochs: [Arms] = []
            guard var test = try? SampleRatioTest(weights: [1, 1]) else { continue }
            for (number, looks) in [first[run % first.count], second[run % second.count]].enumerated() {
                epochs.append(Arms(share: number == 0 ? 0.5 : 0.8))
                if number == 1 { try? test.change(weights: [1, 4]) }
                for count in looks.variation {
                    test.look([AssignedLooks.unitsPerLook - count, count])
                    epochs[number].add(count, rate: number == 0 ? 0.1 : 0.04, &chance)
                    let strata = epochs.compactMap(\.stratum)
                    isStratified = isStratified || excludesZero(PairedStrata(strata), sequence)
                    let one = epochs.reduce(into: Arms(share: 0.5)) { $0.add($1) }
                    isPooled = isPooled || excludesZero(PairedStrata([one.stratum].compactMap { $0 }), sequence)
                }
            }
            pooled += isPooled ? 1 : 0
            stratified += isStratified ? 1 : 0
            ratio += test.isOK ? 0 : 1
        }
        return [
            Figure("interval within epochs ever excludes 0", Double(stratified) / Double(runs), 0...falsePositives(runs)),
            Figure("interval of all units together ever excludes 0", Double(pooled) / Double(runs), 0.5...1),
            Figure("sample ratio fails", Double(ratio) / Double(runs), 0...0.01),
        ]
    }

    private static func excludesZero(_ pair: PairedStrata, _ sequence: ConfidenceSequence) -> Bool {
        guard let estimate = pair.estimate, (pair.conversions ?? 0) >= PairedStrata.fewestConversions else { return false }
        return sequence.interval(estimate)?.contains(0) == false
    }

    private struct Arms {
        let share: Double
        var units = [0, 0]
        var conversions = [0, 0]

        mutating func add(_ count: Int, rate: Double, _ chance: inout Chance) {
            for (arm, more) in [AssignedLooks.unitsPerLook - count, count].enumerated() {
                units[arm] += more
                conversions[arm] += chance.conversions(of: more, rate: rate)
            }
        }

        mutating func add(_ other: Arms) {
            for arm in 0...1 {
                units[arm] += other.units[arm]
                conversions[arm] += other.conversions[arm]
            }
        }

        var stratum: PairedStrata.Stratum? {
            guard let control = try? Sample(units: units[0], conversions: conversions[0]),
                let variation = try? Sample(units: units[1], conversions: conversions[1])
            else { return nil }
            return .init(control: control, variation: variation, share: share)
        }
    }
}
