// SPDX-License-Identifier: Apache-2.0

/// Whether the units have the ratio of the weights, in the whole experiment and in its parts.
extension ResultsDocument {
    /// - Throws: ``SampleError`` if weights are impossible.
    static func ratio(_ numbers: ExperimentNumbers) throws(SampleError) -> Health.Ratio {
        let epochs = numbers.primary.strata.map { stratum in
            ChiSquareTest.Epoch(units: stratum.samples.map { $0?.units ?? 0 }, weights: stratum.weights)
        }
        let looks = numbers.ratio.isEmpty ? epochs.map { .init(weights: $0.weights, looks: [$0.units]) } : numbers.ratio
        let chiSquare = ChiSquareTest(ratioOf: epochs)
        let p = try leastP(looks)
        let statistic = chiSquare.statistic.isFinite ? chiSquare.statistic : nil
        return Health.Ratio(ok: p >= SampleRatioTest.threshold, p: p, chiSquare: statistic, chiSquareP: chiSquare.p)
    }

    /// The parts do not suppress verdicts: a variation may change which units are in a part, for example if its
    /// users update sooner. The parts show where to look.
    static func ratioParts(_ numbers: ExperimentNumbers) throws(SampleError) -> [Health.RatioPart] {
        var parts: [Health.RatioPart] = []
        for part in numbers.ratioParts {
            let p = try leastP(part.epochs), adjusted = min(1, p * Double(numbers.ratioParts.count))
            let units = part.epochs.flatMap(\.looks).reduce(into: numbers.variations.map { _ in 0 }) { sums, look in
                for place in look.indices { sums[place] += look[place] }
            }
            parts.append(
                .init(
                    by: part.by, value: part.value, ok: adjusted >= SampleRatioTest.threshold, p: p, adjustedP: adjusted,
                    units: units))
        }
        return parts
    }

    /// The sequential test's p after all looks; 1 without looks.
    private static func leastP(_ epochs: [ExperimentNumbers.RatioLooks]) throws(SampleError) -> Double {
        guard let first = epochs.first else { return 1 }
        guard epochs.allSatisfy({ $0.days.count == $0.looks.count }) else {
            var test = try SampleRatioTest(weights: first.weights), weights = first.weights
            for epoch in epochs {
                if epoch.weights != weights { try test.change(weights: epoch.weights) }
                weights = epoch.weights
                for look in epoch.looks { test.look(look) }
            }
            return test.p
        }
        // Units of an earlier epoch still come when a later one is open. So the epochs of a day are one look: the product of
        // their factors, which is a factor again.
        var tests: [SampleRatioTest] = [], looks: [(day: Int, epoch: Int, units: [Int])] = []
        for (place, epoch) in epochs.enumerated() {
            tests.append(try SampleRatioTest(weights: epoch.weights))
            looks += zip(epoch.days, epoch.looks).map { ($0, place, $1) }
        }
        looks.sort { ($0.day, $0.epoch) < ($1.day, $1.epoch) }
        var p = 1.0
        for (place, look) in looks.enumerated() {
            tests[look.epoch].look(look.units)
            guard place + 1 == looks.count || looks[place + 1].day != look.day else { continue }
            p = min(p, SampleRatioTest.p(ofLogBayesFactor: tests.reduce(0) { $0 + $1.logBayesFactor }))
        }
        return p
    }
}
