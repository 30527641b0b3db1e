// SPDX-License-Identifier: Apache-2.0

/// How many units each variation has, by decision and by exposure.
package struct ExposureCounts: Hashable, Sendable {
    /// One for each variation.
    package var shown: [Int]
    package var decided: [Int]

    package init(variations: Int) {
        shown = Array(repeating: 0, count: variations)
        decided = shown
    }

    /// The basis of the comparison, and the decided units: units to whom the variation was shown, as long as an equal share was shown;
    /// else all units with a decision.
    package func basis(showsNothing: Bool) -> ExperimentNumbers.Basis {
        if showsNothing { return .decided }
        return ChiSquareTest(passed: shown, of: decided).p >= ResultsDocument.shownThreshold ? .shown : .decided
    }
}
