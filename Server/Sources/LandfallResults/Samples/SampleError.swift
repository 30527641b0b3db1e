// SPDX-License-Identifier: Apache-2.0

/// A number from which nothing can be computed.
package struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number's name, such as `units`.
    package let field: String
    /// What is wrong, and what to do.
    package let problem: String

    package init(field: String, problem: String) { (self.field, self.problem) = (field, problem) }

    package var description: String { "\(field): \(problem)" }
}
