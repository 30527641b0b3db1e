// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// Reads a `landfall.yaml` as a starting server would, and stores and serves nothing.
package struct ConfigurationCheck: Sendable, Encodable, CustomStringConvertible {
    /// The file can be served. Warnings do not keep it from that.
    package var ok: Bool { problems.isEmpty }
    package let problems: [ConfigurationRemark]
    /// What is allowed but probably not meant.
    package let warnings: [ConfigurationRemark]
    /// What messages call the text.
    let file: String
    /// What is in a file that can be served, or all problems with line, column and advice.
    package let description: String

    /// - Throws: why the file cannot be read.
    package init(file: String, nowMs: Int64) throws {
        self.init(yaml: try Configuration.text(ofFile: file), file: file, nowMs: nowMs)
    }

    /// The same for a text that is not in a file yet.
    package init(yaml text: String, file: String, nowMs: Int64) {
        let reading = ReadConfiguration(yaml: text, file: file)
        self.file = file
        problems = reading.problems.map(ConfigurationRemark.init)
        warnings = reading.warnings(nowMs: nowMs).map(ConfigurationRemark.init)
        do throws(ConfigurationError) {
            let configuration = try reading.requireConfiguration()
            description =
                "\(file) can be served: \(configuration.placements.count) placement(s), \(configuration.audiences.count) audience(s), "
                + "\(configuration.paywalls.count) paywall(s)."
        } catch {
            description = error.description
        }
    }

    /// One problem about the whole file: it cannot be read.
    package init(unreadable error: any Error, file: String) {
        self.file = file
        description = "\(error)"
        problems = [ConfigurationRemark(line: 1, column: 1, path: "", message: description)]
        warnings = []
    }

    /// The result of another check.
    package init(file: String, problems: [ConfigurationRemark], warnings: [ConfigurationRemark]) {
        (self.file, self.problems, self.warnings) = (file, problems, warnings)
        let listed = problems.prefix(ConfigurationError.mostListed).map { "  \(file):\($0.line):\($0.column): \($0.message)" }
        description =
            problems.isEmpty
            ? "\(file) can be served." : (["\(file) has \(problems.count) problem(s):"] + listed).joined(separator: "\n")
    }

    private enum CodingKeys: CodingKey { case ok, problems, warnings }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ok, forKey: .ok)
        try container.encode(problems, forKey: .problems)
        try container.encode(warnings, forKey: .warnings)
    }
}
