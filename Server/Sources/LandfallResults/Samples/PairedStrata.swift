// SPDX-License-Identifier: Apache-2.0

/// A variation beside its control, stratum by stratum: epochs with other weights, or sources, are compared within themselves.
///
/// `d = Σ (n_s/n)(p_Bs − p_As)`, `var = Σ (n_s/n)² (v_As + v_Bs)`, where n_s are both variations' units of the stratum.
/// Without strata a change of weights looks like an effect where the rate changes with time.
package struct PairedStrata: Hashable, Sendable {
    /// A stratum with fewer conversions in either variation is merged with another of the same share.
    package static let fewestConversions = 10

    package struct Stratum: Hashable, Sendable {
        let control: Sample
        let variation: Sample
        /// The variation's share of the pair's weight, 0...1.
        let share: Double

        package init(control: Sample, variation: Sample, share: Double) {
            (self.control, self.variation, self.share) = (control, variation, share)
        }

        var units: Int { control.units + variation.units }
        var evidence: Int { min(control.evidence, variation.evidence) }

        /// The result is the same in whatever order strata come.
        static func isSmaller(_ left: Stratum, _ right: Stratum) -> Bool {
            (left.evidence, left.units, left.control.sum, left.variation.sum, left.share)
                < (right.evidence, right.units, right.control.sum, right.variation.sum, right.share)
        }

        /// With a stratum of the same share.
        func merged(with other: Stratum) -> Stratum {
            Stratum(control: control + other.control, variation: variation + other.variation, share: share)
        }
    }

    /// After merging. A stratum in which only one of the two took part is left out: it compares nothing. So is one that is too
    /// small and has no other of its share: merged with another share, a change of the rate would look like an effect.
    let strata: [Stratum]

    package init(_ strata: [Stratum]) {
        let known = strata.filter { $0.share > 0 && $0.share < 1 && $0.units > 0 }
        var large: [Stratum] = [], alone: [Stratum] = []
        for group in Dictionary(grouping: known, by: \.share).values {
            var heap = StratumHeap(group)
            while let small = heap.popLeast() {
                if small.evidence >= Self.fewestConversions { large.append(small) }
                else if let partner = heap.popLeast() { heap.insert(partner.merged(with: small)) }
                else { alone.append(small) }
            }
        }
        // One that is too small and has no other is left out, unless it is all there is.
        if large.isEmpty, let most = alone.max(by: Stratum.isSmaller) { large = [most] }
        self.strata = large.sorted(by: Stratum.isSmaller)
    }

    /// Both variations' units.
    var units: Int { strata.reduce(0) { $0 + $1.units } }

    /// The conversions of the variation that has fewer, or nil if they were not counted.
    package var conversions: Int? {
        var control = 0, variation = 0
        for stratum in strata {
            guard let first = stratum.control.conversions, let second = stratum.variation.conversions else { return nil }
            control += first
            variation += second
        }
        return min(control, variation)
    }

    /// Nil if a variation has too few units for a mean and its variance.
    package var estimate: PairEstimate? {
        guard !strata.isEmpty else { return nil }
        let all = Double(units)
        var means = (control: 0.0, variation: 0.0), variances = means
        for stratum in strata {
            guard let control = stratum.control.estimate, let variation = stratum.variation.estimate else { return nil }
            let weight = Double(stratum.units) / all
            means.control += weight * control.mean
            means.variation += weight * variation.mean
            variances.control += weight * weight * control.variance
            variances.variation += weight * weight * variation.variance
        }
        return PairEstimate(
            control: Estimate(mean: means.control, variance: variances.control),
            variation: Estimate(mean: means.variation, variance: variances.variation), units: units)
    }
}
