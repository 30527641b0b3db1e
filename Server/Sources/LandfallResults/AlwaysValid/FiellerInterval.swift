// SPDX-License-Identifier: Apache-2.0

extension PairEstimate {
    /// The interval of the relative lift by Fieller: all r with `(m_B − r·m_A)² ≤ c²·(v_B + r²·v_A)`, less 1. It excludes 0 exactly
    /// when the interval of the difference with the same multiplier does.
    ///
    /// Nil if the control cannot be distinguished from zero (`c²·v_A ≥ m_A²`) or is not above zero: then no finite interval holds.
    /// - Parameter multiplier: c, how many standard errors the interval of the difference reaches to each side.
    package func fiellerInterval(multiplier c: Double) -> Interval? {
        let (a, b) = (control, variation), square = c * c
        let scale = a.mean * a.mean - square * a.variance
        guard a.mean > 0, scale > 0, c.isFinite else { return nil }
        let inner = a.mean * a.mean * b.variance + a.variance * (b.mean * b.mean - square * b.variance)
        let reach = c * max(0, inner).squareRoot()
        let middle = a.mean * b.mean
        // From (middle ± reach) / scale − 1; subtracted first, because scale is close to middle.
        let offset = a.mean * difference + square * a.variance
        guard (middle + reach).isFinite else { return nil }
        return Interval((offset - reach) / scale, (offset + reach) / scale)
    }
}
