// SPDX-License-Identifier: Apache-2.0

/// A document of numbers that cannot be read, with the way to the wrong value.
public struct NumbersError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Such as `strata[0].variations.B.units`; empty for the document itself.
    public let path: String
    /// What is wrong, and what to do.
    public let problem: String

    public init(path: String, problem: String) { (self.path, self.problem) = (path, problem) }

    public var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}
