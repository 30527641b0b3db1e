// SPDX-License-Identifier: Apache-2.0

extension PairEstimate {
    /// The relative lift and its variance by the delta method, as many tools show it. It may exclude 0 although the difference does
    /// not, and the other way round: ``fiellerInterval(multiplier:)`` never does. Nil unless the control is above zero.
    package var deltaLift: Estimate? {
        guard let lift, control.mean > 0 else { return nil }
        let square = control.mean * control.mean
        return Estimate(mean: lift, variance: variation.variance / square + control.variance / square * (1 + lift) * (1 + lift))
    }
}
