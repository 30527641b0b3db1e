// SPDX-License-Identifier: Apache-2.0

/// The one word about a comparison.
package enum Verdict: String, Hashable, Sendable, Codable {
    /// The variation is above the control.
    case higher
    /// The variation is below the control.
    case lower
    /// Zero is still possible. This does not mean that there is no difference.
    case notDecided = "not decided"
    /// A guardrail: harm beyond the bound is excluded.
    case safe
    /// A guardrail: the variation is worse than the control.
    case harmed
    /// The sample ratio failed: something is wrong with the experiment, and no number of it can be trusted.
    case suppressed

    /// - Parameters:
    ///   - difference: variation − control.
    ///   - isDecided: whether the adjusted p is at most its level.
    init(difference: Double?, isDecided: Bool) {
        self = if isDecided, let difference, difference != 0 { difference > 0 ? .higher : .lower } else { .notDecided }
    }
}

/// A metric that must not become much worse.
package struct Guardrail: Hashable, Sendable {
    /// Which direction is worse.
    package enum Worse: String, Hashable, Sendable, CaseIterable {
        case lower
        case higher
    }

    /// The bound: 0.02 if a relative loss of 2 % is still acceptable. Above 0.
    let harm: Double
    let worse: Worse

    package init(harm: Double, worse: Worse = .lower) throws(SampleError) {
        guard harm > 0, harm.isFinite else {
            throw SampleError(field: "harm", problem: "\(harm) is not a limit. Use a share above 0, such as 0.02 for 2 %.")
        }
        (self.harm, self.worse) = (harm, worse)
    }

    /// `harmed` if the whole interval is on the worse side of 0, `safe` if its worse end is within the bound, else `not decided`.
    /// A certain small harm fits both; it is `harmed`.
    /// - Parameter lift: the interval of the relative lift; nil decides nothing.
    func verdict(lift: Interval?) -> Verdict {
        guard let lift else { return .notDecided }
        let gain = worse == .lower ? lift : Interval(-lift.upper, -lift.lower)
        if gain.upper < 0 { return .harmed }
        return gain.lower > -harm ? .safe : .notDecided
    }
}
