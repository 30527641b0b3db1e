// SPDX-License-Identifier: Apache-2.0

/// p-values of several questions, adjusted for asking them all.
enum AdjustedP {
    /// Holm's method: among all questions, at least one false positive with probability at most alpha. For the variations of one
    /// experiment.
    ///
    /// The i-th smallest of m becomes the largest of `(m − j + 1)·p(j)` for j ≤ i, at most 1. In the order of the arguments.
    static func holm(_ values: [Double]) -> [Double] {
        var adjusted = values, least = 0.0
        for (rank, place) in ascending(values).enumerated() {
            least = max(least, min(1, Double(values.count - rank) * values[place]))
            adjusted[place] = least
        }
        return adjusted
    }

    /// Benjamini and Hochberg's method: limits the share of false ones among the positives. For segments, which are exploratory.
    ///
    /// The i-th smallest of m becomes the smallest of `m/j·p(j)` for j ≥ i. In the order of the arguments.
    static func benjaminiHochberg(_ values: [Double]) -> [Double] {
        var adjusted = values, most = 1.0
        for (rank, place) in ascending(values).enumerated().reversed() {
            most = min(most, Double(values.count) / Double(rank + 1) * values[place])
            adjusted[place] = most
        }
        return adjusted
    }

    private static func ascending(_ values: [Double]) -> [Int] {
        precondition(values.allSatisfy { (0...1).contains($0) }, "A p-value is a number from 0 to 1.")
        return values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    }
}
