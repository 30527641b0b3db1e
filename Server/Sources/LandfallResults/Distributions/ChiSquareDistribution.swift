// SPDX-License-Identifier: Apache-2.0

/// The chi-square distribution.
package enum ChiSquareDistribution {
    /// P(X ≥ x): the p-value of a statistic x. 1 at 0 and with no degree of freedom; 0 at infinity.
    package static func above(_ x: Double, degreesOfFreedom: Int) -> Double {
        precondition(x >= 0 && degreesOfFreedom >= 0, "A chi-square statistic and its degrees of freedom are not negative.")
        guard degreesOfFreedom > 0 else { return 1 }
        return GammaFunction.upperTail(shape: Double(degreesOfFreedom) / 2, x / 2)
    }
}
