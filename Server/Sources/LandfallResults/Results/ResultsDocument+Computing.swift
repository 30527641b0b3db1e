// SPDX-License-Identifier: Apache-2.0

extension ResultsDocument {
    /// The share of false positives that segments and secondary metrics may have among their positives.
    static let exploratoryShare = 0.1
    /// Below this p, shown over decided differs between variations.
    static let shownThreshold = 0.001

    /// - Throws: ``SampleError`` if weights or counts are impossible.
    package init(_ numbers: ExperimentNumbers) throws(SampleError) {
        let sequence = ConfidenceSequence(alpha: numbers.alpha, plannedUnits: numbers.plannedUnits)
        let ratio = try Self.ratio(numbers)
        var comparisons = Self.primary(numbers, sequence)
        comparisons += numbers.guardrails.flatMap { Self.guardrail(numbers, $0, sequence) }
        let secondaries = numbers.secondaries.flatMap { metric in
            numbers.others.map { Compared(numbers, metric.strata, $0, sequence, metric: metric.name, role: .secondary) }
        }
        let segments = numbers.segments.flatMap { segment in
            numbers.others.map {
                Compared(
                    numbers, segment.strata, $0, sequence, metric: numbers.primary.name, role: .segment, segment: segment.name)
            }
        }
        comparisons += Self.exploratory(secondaries) + Self.exploratory(segments)
        if !ratio.ok { comparisons = comparisons.map(\.suppressed) }
        self.comparisons = comparisons
        health = Health(
            ratio: ratio, ratioParts: try Self.ratioParts(numbers), shownOverDecided: Self.shown(numbers), crossovers: numbers.facts.crossovers,
            matured: numbers.facts.matured,
            echoed: numbers.facts.echoed, fallbackFirst: numbers.facts.fallbackFirst)
        variations = numbers.variations.indices.map { Self.variation(numbers, $0) }
        (experiment, state, day) = (numbers.facts.experiment, numbers.facts.state, numbers.facts.day)
        (basis, plannedUnits) = (numbers.basis, numbers.plannedUnits)
        let fewest = numbers.others.map { numbers.pair(numbers.primary.strata, $0).units }.min() ?? 0
        unitsLeft = max(0, numbers.plannedUnits - fewest)
        (currency, unconverted) = (numbers.currency, numbers.unconverted)
        notes = numbers.notes + numbers.unconverted.map(\.sentence)
    }

    private static func shown(_ numbers: ExperimentNumbers) -> Health.ShownOverDecided? {
        guard let decided = numbers.facts.decided else { return nil }
        let shown = numbers.facts.shown ?? numbers.variations.indices.map { numbers.pooled(numbers.primary.strata, $0)?.units ?? 0 }
        let test = ChiSquareTest(passed: shown, of: decided)
        let shares = zip(shown, decided).map { $1 > 0 ? Double($0) / Double($1) : 0 }
        return Health.ShownOverDecided(
            ok: test.p >= shownThreshold, p: test.p,
            byVariation: Dictionary(zip(numbers.variations, shares)) { first, _ in first })
    }

    private static func variation(_ numbers: ExperimentNumbers, _ place: Int) -> Variation {
        let sample = numbers.pooled(numbers.primary.strata, place), isRate = sample?.kind == .rate
        return Variation(
            variation: numbers.variations[place], units: sample?.units ?? 0, conversions: sample?.conversions,
            rate: isRate ? sample?.mean : nil, rateInterval: sample?.wilsonInterval(alpha: numbers.alpha),
            mean: isRate ? nil : sample?.mean, meanUncapped: numbers.uncappedMeans?[place], cap: numbers.cap)
    }

    private static func primary(_ numbers: ExperimentNumbers, _ sequence: ConfidenceSequence) -> [Comparison] {
        let compared = primary(numbers, numbers.primary.strata, sequence)
        let days = numbers.history.sorted { $0.day < $1.day }.map { moment in
            (day: moment.day, verdicts: primary(numbers, moment.strata, sequence).map(\.verdict))
        }
        return compared.enumerated().map { place, comparison in
            guard comparison.verdict != .notDecided else { return comparison.comparison(decidedOnDay: nil) }
            // The verdict of today, and the first day that had it.
            return comparison.comparison(
                decidedOnDay: days.first { $0.verdicts[place] == comparison.verdict }?.day ?? numbers.facts.day)
        }
    }

    private static func primary(
        _ numbers: ExperimentNumbers, _ strata: [ExperimentNumbers.Stratum], _ sequence: ConfidenceSequence
    ) -> [Compared] {
        var compared = numbers.others.map {
            Compared(numbers, strata, $0, sequence, metric: numbers.primary.name, role: .primary)
        }
        for (place, adjusted) in AdjustedP.holm(compared.map(\.p)).enumerated() {
            compared[place].adjustedP = adjusted
            compared[place].decide(adjusted <= sequence.alpha)
        }
        return compared
    }

    private static func guardrail(
        _ numbers: ExperimentNumbers, _ guarded: ExperimentNumbers.Guarded, _ sequence: ConfidenceSequence
    ) -> [Comparison] {
        numbers.others.map { variation in
            var compared = Compared(
                numbers, guarded.metric.strata, variation, sequence, metric: guarded.metric.name, role: .guardrail)
            if compared.hasEnough { compared.verdict = guarded.bound.verdict(lift: compared.liftInterval) }
            return compared.comparison(decidedOnDay: nil)
        }
    }

    /// By Benjamini and Hochberg, with intervals at the level at which they reject.
    private static func exploratory(_ compared: [Compared]) -> [Comparison] {
        let adjusted = AdjustedP.benjaminiHochberg(compared.map(\.p))
        let rejected = adjusted.count { $0 <= exploratoryShare }
        let level = exploratoryShare * Double(max(1, rejected)) / Double(max(1, compared.count))
        return zip(compared, adjusted).map { one, p in
            var one = one
            one.adjustedP = p
            one.level = level
            one.decide(p <= exploratoryShare)
            return one.comparison(decidedOnDay: nil)
        }
    }
}

extension ExperimentNumbers {
    /// Every variation but the control.
    var others: Range<Int> { variations.isEmpty ? 0..<0 : 1..<variations.count }
}

extension ResultsDocument.Comparison {
    fileprivate var suppressed: Self {
        Self(
            variation: variation, control: control, metric: metric, role: role, segment: segment, difference: difference,
            standardError: standardError, interval: interval, p: p, adjustedP: adjustedP, lift: lift,
            liftInterval: liftInterval,
            probabilityBetter: probabilityBetter, expectedLoss: expectedLoss, verdict: .suppressed, decidedOnDay: nil,
            units: units,
            level: level)
    }
}
