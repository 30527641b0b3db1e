// SPDX-License-Identifier: Apache-2.0

/// Reads a `landfall.yaml` as a starting server would, and stores and serves nothing.
public struct ConfigurationCheck: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    public let paywalls: Int
    public let audiences: Int
    public let placements: Int

    /// - Throws: every problem at once, with line, column and advice; or why the file cannot be read.
    public init(file: String) throws {
        try self.init(yaml: try Configuration.text(ofFile: file), file: file)
    }

    /// The same with a text that is in no file yet.
    public init(yaml text: String, file: String) throws {
        let configuration = try Configuration(yaml: text, file: file)
        self.file = file
        paywalls = configuration.paywalls.count
        audiences = configuration.audiences.count
        placements = configuration.placements.count
    }

    public var description: String {
        "\(file) can be served: \(placements) placement(s), \(audiences) audience(s), \(paywalls) paywall(s)."
    }
}
