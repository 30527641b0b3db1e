// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Whether units went to the variations in the ratio of their weights; valid after every look.
///
/// Each look multiplies a Bayes factor of "any other ratio" against "this ratio", from a Dirichlet prior of mean `weights`:
/// `ln BF += ln[Γ(A)/Γ(A+n)] + Σ ln[Γ(aᵢ+xᵢ)/Γ(aᵢ)] − Σ xᵢ ln wᵢ`, then `a ← a + x`, from `a = c·w`. The p-value is the least
/// `1/BF` of all looks, so it never rises: a failure stays. A change of weights starts a new prior and keeps the factor.
///
/// Source: Lindon and Malek, Anytime-Valid Inference for Multinomial Count Data (arXiv:2011.03567).
package struct SampleRatioTest: Hashable, Sendable {
    /// Below this p the ratio has failed. With ``usualConcentration`` 0.27 % of healthy experiments fail in 100 looks of 100.
    package static let threshold = 0.01
    package static let usualConcentration = 1000.0

    /// The least of all looks; 1 before the first look.
    package private(set) var p = 1.0
    private(set) var logBayesFactor = 0.0

    private let concentration: Double
    private var shares: [Double]
    private var counts: [Double]

    package var isOK: Bool { p >= Self.threshold }

    /// The p of the factors of several tests, whose logarithms add up.
    static func p(ofLogBayesFactor logarithm: Double) -> Double { min(1, exp(-logarithm)) }

    /// - Parameters:
    ///   - weights: one for each variation, not negative, at least one above 0; need not add up to 1.
    ///   - concentration: the certainty of the prior, c. More looks for small differences.
    package init(weights: [Double], concentration: Double = usualConcentration) throws(SampleError) {
        shares = try Self.shares(weights)
        self.concentration = concentration
        counts = shares.map { $0 * concentration }
    }

    /// Starts an epoch with other weights. The same number of variations as before.
    package mutating func change(weights: [Double]) throws(SampleError) {
        precondition(weights.count == shares.count, "Every epoch has a weight for each variation.")
        shares = try Self.shares(weights)
        counts = shares.map { $0 * concentration }
    }

    /// - Parameter units: how many came to each variation since the look before.
    package mutating func look(_ units: [Int]) {
        precondition(units.count == shares.count, "A look has a number for each variation.")
        precondition(units.allSatisfy { $0 >= 0 }, "A look counts units; there are no negative counts.")
        if zip(units, shares).contains(where: { $0 > 0 && $1 == 0 }) { logBayesFactor = .infinity }
        let before = counts
        for place in counts.indices { counts[place] += Double(units[place]) }
        logBayesFactor += logEvidence(counts) - logEvidence(before)
        p = min(p, Self.p(ofLogBayesFactor: logBayesFactor))
    }

    /// Σ ln Γ(aᵢ) − ln Γ(A) − Σ aᵢ ln wᵢ, but for a constant. Written as Σ aᵢ ln(aᵢ/(wᵢA)) and small terms, because the
    /// logarithms of two huge factorials would cancel.
    private func logEvidence(_ counts: [Double]) -> Double {
        let total = counts.reduce(0, +)
        var evidence = log(total) / 2 - GammaFunction.remainder(total)
        for (count, share) in zip(counts, shares) where share > 0 {
            evidence += count * log(count / (share * total)) - log(count) / 2 + GammaFunction.remainder(count)
        }
        return evidence
    }

    private static func shares(_ weights: [Double]) throws(SampleError) -> [Double] {
        guard weights.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            throw SampleError(field: "weights", problem: "A weight has to be a finite number and not negative.")
        }
        let most = weights.max() ?? 0
        guard most > 0 else { throw SampleError(field: "weights", problem: "At least one weight has to be above 0.") }
        let scaled = weights.map { $0 / most }
        let total = scaled.reduce(0, +)
        return scaled.map { $0 / total }
    }
}
