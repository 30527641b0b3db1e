// SPDX-License-Identifier: Apache-2.0
/// One thing that is wrong in a `landfall.yaml`, or that is allowed but probably a mistake: where, what, and what to do.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    package let place: ConfigurationNode.Place
    package let message: String
    /// What stands there, such as `placements.onboarding[0].paywall`; empty for the file as a whole.
    package var path = ""
    /// For a warning about installs that lack a value: the missing value.
    package var lacked: ConditionSubject?

    package var description: String { "\(place): \(message)" }
}

/// A `landfall.yaml` that cannot be served, with everything that is wrong in it, in the order of the file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A longer list would not help.
    static let mostListed = 50

    /// What the messages call the file.
    let file: String
    let problems: [ConfigurationProblem]

    package var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        let listed = problems.prefix(Self.mostListed).map { "  \(file):\($0)" }
        let more = problems.count > Self.mostListed ? ["  … and \(problems.count - Self.mostListed) more."] : []
        return (["\(file) has \(count):"] + listed + more).joined(separator: "\n")
    }
}
