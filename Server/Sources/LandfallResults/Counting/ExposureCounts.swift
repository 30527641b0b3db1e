// SPDX-License-Identifier: Apache-2.0

/// How many units each variation has, by both rules of who is compared.
package struct ExposureCounts: Hashable, Sendable {
    /// One for each variation.
    package var shown: [Int]
    package var decided: [Int]

    package init(variations: Int) {
        shown = Array(repeating: 0, count: variations)
        decided = shown
    }

    /// The rule, and the decided units beside it: those to whom the variation was shown, as long as an equal share was shown;
    /// else all for whom it was decided.
    package func basis(showsNothing: Bool) -> ExperimentNumbers.Basis {
        if showsNothing { return .decided }
        return ChiSquareTest(passed: shown, of: decided).p >= ResultsDocument.shownThreshold ? .shown : .decided
    }
}
