// SPDX-License-Identifier: Apache-2.0

/// A number from which nothing can be computed.
public struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number's name, such as `units`.
    public let field: String
    /// What is wrong, and what to do.
    public let problem: String

    public init(field: String, problem: String) { (self.field, self.problem) = (field, problem) }

    public var description: String { "\(field): \(problem)" }
}
