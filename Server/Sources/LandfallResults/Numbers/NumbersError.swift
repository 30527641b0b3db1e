// SPDX-License-Identifier: Apache-2.0

/// A document of numbers that cannot be read, with the way to the wrong value.
package struct NumbersError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Such as `strata[0].variations.B.units`; empty for the document itself.
    let path: String
    /// What is wrong, and what to do.
    let problem: String

    init(path: String, problem: String) { (self.path, self.problem) = (path, problem) }

    package var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}
