// SPDX-License-Identifier: Apache-2.0

/// A variation beside the control on one metric, until its verdict is known.
struct Compared {
    let pair: PairedStrata
    let estimate: PairEstimate?
    let p: Double
    var adjustedP: Double
    var level: Double
    var verdict = Verdict.notDecided

    private let sequence: ConfidenceSequence
    private let names: (variation: String, control: String, metric: String)
    private let role: ResultsDocument.MetricRole
    private let segment: String?

    init(
        _ numbers: ExperimentNumbers, _ strata: [ExperimentNumbers.Stratum], _ variation: Int, _ sequence: ConfidenceSequence,
        metric: String, role: ResultsDocument.MetricRole, segment: String? = nil
    ) {
        pair = numbers.pair(strata, variation)
        estimate = pair.estimate
        p = estimate.map { sequence.p($0) } ?? 1
        adjustedP = p
        level = sequence.alpha / Double(max(1, numbers.others.count))
        self.sequence = sequence
        names = (numbers.variations[variation], numbers.variations[0], metric)
        (self.role, self.segment) = (role, segment)
    }

    /// The interval is asymptotic: below ten conversions in a variation it decides nothing.
    var hasEnough: Bool { (pair.conversions ?? .max) >= PairedStrata.fewestConversions }

    var liftInterval: Interval? {
        estimate.flatMap {
            $0.z == nil ? nil : $0.fiellerInterval(multiplier: sequence.multiplier(units: $0.units, level: level))
        }
    }

    mutating func decide(_ isDecided: Bool) {
        verdict = Verdict(difference: estimate?.difference, isDecided: isDecided && hasEnough)
    }

    func comparison(decidedOnDay: Int?) -> ResultsDocument.Comparison {
        let explanation = explanation
        return ResultsDocument.Comparison(
            variation: names.variation, control: names.control, metric: names.metric, role: role, segment: segment,
            difference: estimate?.difference, standardError: estimate?.standardError,
            interval: estimate.flatMap { sequence.interval($0, level: level) }, p: p, adjustedP: adjustedP,
            lift: estimate?.lift,
            liftInterval: liftInterval, probabilityBetter: explanation?.probabilityBetter,
            expectedLoss: explanation?.expectedLoss,
            verdict: verdict, decidedOnDay: decidedOnDay, units: pair.units, level: level)
    }

    /// Exact for two plain rates, else from a normal distribution of the difference.
    private var explanation: (probabilityBetter: Double, expectedLoss: Double)? {
        guard let estimate else { return nil }
        guard pair.strata.count == 1, let stratum = pair.strata.first, let control = BetaDistribution(stratum.control),
            let variation = BetaDistribution(stratum.variation)
        else { return Posterior.ofNormal(estimate) }
        return (
            Posterior.probabilitiesOfHighest([control, variation])[1],
            Posterior.expectedLoss(choosing: variation, over: control)
        )
    }
}

extension BetaDistribution {
    /// What is believed of a rate after a sample, from a flat start. Nil for a mean.
    init?(_ sample: Sample) {
        guard sample.kind == .rate, let conversions = sample.conversions else { return nil }
        self.init(alpha: Double(conversions) + 1, beta: Double(sample.units - conversions) + 1)
    }
}
