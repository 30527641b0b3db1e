// SPDX-License-Identifier: Apache-2.0

/// Student's t distribution.
struct StudentDistribution: Hashable, Sendable {
    /// Above 0; need not be whole.
    let degreesOfFreedom: Double

    init(degreesOfFreedom: Double) {
        precondition(degreesOfFreedom > 0, "Student's distribution has a positive number of degrees of freedom.")
        self.degreesOfFreedom = degreesOfFreedom
    }

    /// P(|T| ≥ |t|): the p-value of a test with two sides.
    func beyond(_ t: Double) -> Double {
        guard t.isFinite else { return 0 }
        // Above so many degrees of freedom the two distributions agree to the last digit.
        guard degreesOfFreedom < 1e9 else { return NormalDistribution.beyond(t) }
        let square = t * t
        let beta = BetaDistribution(alpha: 0.5, beta: degreesOfFreedom / 2)
        return beta.above(square / (degreesOfFreedom + square))
    }

    /// The t beyond which, on both sides together, the share `alpha` lies: 0 for 1, ∞ for 0.
    func critical(alpha: Double) -> Double {
        precondition((0...1).contains(alpha), "A critical value is computed for a share from 0 to 1.")
        guard alpha > 0 else { return .infinity }
        var (low, high) = (0.0, 1.0)
        while beyond(high) > alpha, high < 1e150 { (low, high) = (high, high * 2) }
        while case let middle = low + (high - low) / 2, middle > low, middle < high {
            if beyond(middle) > alpha { low = middle } else { high = middle }
        }
        return high
    }
}
