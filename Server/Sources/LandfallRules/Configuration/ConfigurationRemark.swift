// SPDX-License-Identifier: Apache-2.0

/// A remark about a place of the file. Lines and columns count from 1.
package struct ConfigurationRemark: Hashable, Sendable, Codable {
    package let line: Int
    package let column: Int
    /// What stands there, such as `placements.onboarding[0].paywall`; empty for the file as a whole.
    let path: String
    package let message: String
    /// How many installs it concerns; nil if there was no sample.
    var lacking: Lacking?

    package init(line: Int, column: Int, path: String, message: String, lacking: Lacking? = nil) {
        (self.line, self.column, self.path, self.message, self.lacking) = (line, column, path, message, lacking)
    }

    /// How many installs of a sample lack a value.
    package struct Lacking: Hashable, Sendable, Codable {
        /// The missing value: `attributes.plan`.
        package let attribute: String
        package let installs: Int
        package let sampled: Int

        package init(attribute: String, installs: Int, sampled: Int) {
            (self.attribute, self.installs, self.sampled) = (attribute, installs, sampled)
        }
    }
}

extension ConfigurationRemark {
    package init(_ problem: ConfigurationProblem) {
        self.init(line: problem.place.line, column: problem.place.column, path: problem.path, message: problem.message)
    }
}
