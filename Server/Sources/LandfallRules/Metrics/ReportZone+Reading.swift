// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    /// The section `reporting`.
    mutating func reportZone(_ node: ConfigurationNode) -> ReportZone? {
        let fields = fields(node, of: "'reporting'", optional: ["timeZone"])
        let name = matching(
            fields?["timeZone"], "'timeZone'", "Write UTC, or a name of the IANA database, such as Europe/Berlin."
        ) { ReportZone($0) != nil }
        return name.flatMap { ReportZone($0) }
    }
}
