// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// One experiment on conversions, look by look.
struct RateRun {
    /// The first look at which the interval that is valid at any look excluded zero; nil if none did.
    var decided: Look?
    /// The same for the usual z-test.
    var naive: Look?
    var naiveWithTen: Look?
    /// The same for the last look only.
    var naiveAtEnd = false
    /// Whether every interval contained the truth.
    var covered = true
    /// Whether every interval of the lift did, by Fieller and by the delta method.
    var fiellerCovered = true
    var deltaCovered = true

    struct Look {
        let units: Int
        let difference: Double
        let lift: Double
    }

    init(
        _ rates: (Double, Double), _ assigned: AssignedLooks, _ sequence: ConfidenceSequence, lifts: Bool,
        _ chance: inout Chance
    ) {
        var (controls, others, first, second) = (0, 0, 0, 0)
        let truth = rates.1 - rates.0, naiveMultiplier = 1.959_963_984_540_054
        for count in assigned.variation {
            controls += AssignedLooks.unitsPerLook - count
            others += count
            first += chance.conversions(of: AssignedLooks.unitsPerLook - count, rate: rates.0)
            second += chance.conversions(of: count, rate: rates.1)
            guard let control = try? Sample(units: controls, conversions: first).estimate,
                let variation = try? Sample(units: others, conversions: second).estimate
            else { continue }
            let pair = PairEstimate(control: control, variation: variation, units: controls + others)
            guard let z = pair.z else { continue }
            let look = Look(units: pair.units, difference: pair.difference, lift: pair.lift ?? 0)
            let hasTen = min(first, second) >= PairedStrata.fewestConversions
            let multiplier = sequence.multiplier(units: pair.units)
            naiveAtEnd = abs(z) > naiveMultiplier
            if naiveAtEnd, naive == nil { naive = look }
            if naiveAtEnd, hasTen, naiveWithTen == nil { naiveWithTen = look }
            guard hasTen else { continue }
            if abs(z) > multiplier, decided == nil { decided = look }
            if abs(pair.difference - truth) > multiplier * pair.standardError { covered = false }
            if lifts { check(pair, multiplier, rates.1 / rates.0 - 1) }
        }
    }

    private mutating func check(_ pair: PairEstimate, _ multiplier: Double, _ lift: Double) {
        if pair.fiellerInterval(multiplier: multiplier)?.contains(lift) == false { fiellerCovered = false }
        if let delta = pair.deltaLift, abs(delta.mean - lift) > multiplier * delta.variance.squareRoot() {
            deltaCovered = false
        }
    }
}

extension Trial {
    /// No effect: how often is one found? 100 looks of 100 units.
    static func noEffect(rate: Double) -> Trial {
        Trial(name: "A/A at \(Int((rate * 100).rounded())) %, 100 looks of 100 units") { runs, seed, progress in
            let all = rates((rate, rate), looks: 100, plannedUnits: 5000, runs, seed, progress)
            return [
                Figure(
                    "always-valid interval ever excludes 0", all.share { $0.decided != nil },
                    0...min(0.035, falsePositives(runs))),
                Figure("z-test ever below 0.05", all.share { $0.naive != nil }, 0.25...1),
                Figure("z-test ever below 0.05, from ten conversions on", all.share { $0.naiveWithTen != nil }, 0.25...1),
                Figure("z-test below 0.05 at the last look alone", all.share(where: \.naiveAtEnd), 0.03...0.07),
                Figure("always-valid interval contains 0 at all looks", all.share(where: \.covered), 0.965...1),
            ]
        }
    }

    /// 5 % against 6 %, 16,400 planned units, twice as many seen.
    static let effect = Trial(name: "A/B at 5 % and 6 %, 16,400 planned units, 328 looks of 100") { runs, seed, progress in
        let planned = 16_400
        let all = rates(
            (0.05, 0.06), looks: 2 * planned / AssignedLooks.unitsPerLook, plannedUnits: planned, runs, seed, progress)
        let early = all.compactMap(\.decided).filter { $0.units <= planned }, decided = all.compactMap(\.decided)
        let naive = all.compactMap(\.naiveWithTen)
        func mean(_ looks: [RateRun.Look]) -> Double { looks.reduce(0) { $0 + $1.lift } / Double(max(1, looks.count)) }
        return [
            Figure("found by the planned end", Double(early.count) / Double(all.count), 0.49...0.57),
            Figure("found by twice the planned end", Double(decided.count) / Double(all.count), 0.84...0.92),
            Figure("found with the wrong sign", Double(decided.count { $0.difference < 0 }) / Double(all.count), 0...0.002),
            Figure("mean lift where it was found by the planned end (truth 0.20)", mean(early), 0.3...0.42),
            Figure("mean lift where it was found (truth 0.20)", mean(decided), 0.24...0.34),
            Figure("mean lift where a z-test was first below 0.05 (truth 0.20)", mean(naive)),
            Figure("interval contains the truth at all looks", all.share(where: \.covered), 0.97...1),
        ]
    }

    /// 3 % against 3.6 %: the interval of the lift.
    static let lift = Trial(name: "Lift at 3 % and 3.6 %, 5,000 planned units, 200 looks of 100") { runs, seed, progress in
        let all = rates((0.03, 0.036), looks: 200, plannedUnits: 5000, lifts: true, runs, seed, progress)
        return [
            Figure("Fieller contains the truth at all looks", all.share(where: \.fiellerCovered), 0.965...1),
            Figure("delta method contains the truth at all looks", all.share(where: \.deltaCovered), 0...0.965),
        ]
    }

    private static func rates(
        _ rates: (Double, Double), looks: Int, plannedUnits: Int, lifts: Bool = false, _ runs: Int, _ seed: UInt64,
        _ progress: (Int) -> Void
    ) -> [RateRun] {
        let assigned = salts(runs, looks: looks), sequence = ConfidenceSequence(plannedUnits: plannedUnits)
        var chance = Chance(seed: seed)
        return (0..<runs).map { run in
            progress(run)
            return RateRun(rates, assigned[run % assigned.count], sequence, lifts: lifts, &chance)
        }
    }
}

extension [RateRun] {
    func share(where isMeant: (RateRun) -> Bool) -> Double { Double(count(where: isMeant)) / Double(Swift.max(1, count)) }
}
