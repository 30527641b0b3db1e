// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// Reads a `landfall.yaml` as a starting server would, and stores and serves nothing.
public struct ConfigurationCheck: Sendable, Encodable, CustomStringConvertible {
    /// A place of the file, and what is to say about it. Lines and columns count from 1.
    public struct Remark: Hashable, Sendable, Codable {
        public let line: Int
        public let column: Int
        /// What stands there, such as `placements.onboarding[0].paywall`; empty for the file as a whole.
        public let path: String
        public let message: String
        /// How many installs it concerns; nil if there was no sample.
        public var lacking: Lacking?

        init(line: Int, column: Int, path: String, message: String, lacking: Lacking? = nil) {
            (self.line, self.column, self.path, self.message, self.lacking) = (line, column, path, message, lacking)
        }
    }

    /// How many installs of a sample lack a value.
    public struct Lacking: Hashable, Sendable, Codable {
        /// The missing value: `attributes.plan`.
        public let attribute: String
        public let installs: Int
        public let sampled: Int
    }

    /// The file can be served. Warnings do not keep it from that.
    public var ok: Bool { problems.isEmpty }
    public let problems: [Remark]
    /// What is allowed but probably not meant.
    public let warnings: [Remark]
    /// What messages call the text.
    public let file: String
    /// What is in a file that can be served, or all problems with line, column and advice.
    public let description: String

    /// - Throws: why the file cannot be read.
    public init(file: String) throws {
        self.init(yaml: try Configuration.text(ofFile: file), file: file)
    }

    /// The same with a text that is in no file yet.
    public init(yaml text: String, file: String) {
        let reading = ConfigurationReading(yaml: text, file: file)
        self.file = file
        problems = reading.problems.map(Remark.init)
        warnings = reading.warnings.map(Remark.init)
        do throws(ConfigurationError) {
            let configuration = try reading.requireConfiguration()
            description =
                "\(file) can be served: \(configuration.placements.count) placement(s), \(configuration.audiences.count) audience(s), "
                + "\(configuration.paywalls.count) paywall(s)."
        } catch {
            description = error.description
        }
    }

    /// Where no file can be read: one problem, of the file as a whole.
    public init(unreadable error: any Error, file: String) {
        self.file = file
        description = "\(error)"
        problems = [Remark(line: 1, column: 1, path: "", message: description)]
        warnings = []
    }

    /// The answer of a server, which knows its own secrets and installs.
    package init(file: String, answer: PublishingAnswer) {
        self.init(file: file, problems: [], warnings: answer.warnings)
    }

    /// - Returns: nil if the refusal is not about the file's contents.
    package init?(file: String, refusal: BackendRefusal) {
        struct Details: Decodable { let problems, warnings: [Remark] }
        guard refusal.code == ErrorCode.configurationInvalid.rawValue,
            let details = try? WireCoding.decode(Details.self, from: Data(refusal.document))
        else { return nil }
        self.init(file: file, problems: details.problems, warnings: details.warnings)
    }

    private init(file: String, problems: [Remark], warnings: [Remark]) {
        (self.file, self.problems, self.warnings) = (file, problems, warnings)
        let listed = problems.prefix(ConfigurationError.mostListed).map { "  \(file):\($0.line):\($0.column): \($0.message)" }
        description =
            problems.isEmpty
            ? "\(file) can be served." : (["\(file) has \(problems.count) problem(s):"] + listed).joined(separator: "\n")
    }

    private enum CodingKeys: CodingKey { case ok, problems, warnings }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ok, forKey: .ok)
        try container.encode(problems, forKey: .problems)
        try container.encode(warnings, forKey: .warnings)
    }
}

extension ConfigurationCheck.Remark {
    init(_ problem: ConfigurationProblem) {
        self.init(line: problem.place.line, column: problem.place.column, path: problem.path, message: problem.message)
    }
}
