// SPDX-License-Identifier: Apache-2.0
import LandfallResults

extension Trial {
    /// Fair halves: neither test may complain often.
    static let fairRatio = Trial(name: "Sample ratio of fair halves, 100 looks of 100 units") { runs, seed, progress in
        var chance = Chance(seed: seed)
        return ratios(runs, gate: 0...0.006, progress) { _ in (0..<100).map { _ in chance.half(of: 64) + chance.half(of: 36) } }
    }

    /// The published draw is fair too: a salt for each run, and a tenth of the runs, because each unit is hashed.
    static let drawnRatio = Trial(name: "Sample ratio of the published draw, 100 looks of 100 units, a tenth of the runs") {
        runs, seed, progress in
        ratios(max(1, runs / 10), gate: 0...0.015, { progress($0 * 10) }) { run in
            AssignedLooks(salt: "ratio-\(seed)-\(run)#1", looks: 100).variation
        }
    }

    private static func ratios(
        _ runs: Int, gate: ClosedRange<Double>, _ progress: (Int) -> Void, _ looks: (Int) -> [Int]
    ) -> [Figure] {
        var (failed, naive) = (0, 0)
        for run in 0..<runs {
            progress(run)
            var counts = [0, 0], isNaive = false
            guard var test = try? SampleRatioTest(weights: [1, 1]) else { continue }
            for count in looks(run) {
                let look = [AssignedLooks.unitsPerLook - count, count]
                test.look(look)
                counts = [counts[0] + look[0], counts[1] + look[1]]
                if ChiSquareTest(ratioOf: [.init(units: counts, weights: [1, 1])]).p < 0.001 { isNaive = true }
            }
            failed += test.isOK ? 0 : 1
            naive += isNaive ? 1 : 0
        }
        return [
            Figure("sequential test ever below 0.01", Double(failed) / Double(runs), gate),
            Figure("chi-square ever below 0.001", Double(naive) / Double(runs)),
        ]
    }

    /// 48 of 100 where 50 should be.
    static let unfairRatio = Trial(name: "Sample ratio of 48 to 52, looks of 100 units") { runs, seed, progress in
        var chance = Chance(seed: seed), found: [Int] = []
        for run in 0..<runs {
            progress(run)
            guard var test = try? SampleRatioTest(weights: [1, 1]) else { continue }
            var looks = 0
            while test.isOK, looks < 1000 {
                looks += 1
                let count = (0..<AssignedLooks.unitsPerLook).count { _ in chance.uniform() < 0.48 }
                test.look([AssignedLooks.unitsPerLook - count, count])
            }
            found.append(test.isOK ? .max : looks * AssignedLooks.unitsPerLook)
        }
        found.sort()
        return [
            Figure("found within 100,000 units", Double(found.count { $0 < .max }) / Double(runs), 0.999...1),
            Figure("median units until it is found", Double(found[found.count / 2]), 6500...7700),
        ]
    }

    /// One variation loses 2 % of its units before they are counted as shown.
    static let renderLoss = Trial(name: "2 % of one variation is never shown, looks of 6,400 units") { runs, seed, progress in
        var chance = Chance(seed: seed), (ratio, shown, healthy) = (0, 0, 0)
        let runs = max(1, runs / 10)
        for run in 0..<runs {
            progress(run * 10)
            guard var lossy = try? SampleRatioTest(weights: [1, 1]), var fair = try? SampleRatioTest(weights: [1, 1]) else {
                continue
            }
            var decided = [0, 0], seen = [0, 0]
            for _ in 0..<60 {
                let count = chance.half(of: 6400), control = 6400 - count
                let lost = (0..<8).reduce(0) { sum, part in sum + chance.conversions(of: (count + part) / 8, rate: 0.02) }
                fair.look([control, count])
                lossy.look([control, count - lost])
                decided = [decided[0] + control, decided[1] + count]
                seen = [seen[0] + control, seen[1] + count - lost]
            }
            ratio += lossy.isOK ? 0 : 1
            healthy += fair.isOK ? 0 : 1
            shown += ChiSquareTest(passed: seen, of: decided).p < 0.001 ? 1 : 0
        }
        return [
            Figure("sample ratio of those shown fails within 384,000 units", Double(ratio) / Double(runs), 0.97...1),
            Figure("shown over decided differs", Double(shown) / Double(runs), 1...1),
            Figure("sample ratio of those decided fails", Double(healthy) / Double(runs), 0...0.02),
        ]
    }
}
