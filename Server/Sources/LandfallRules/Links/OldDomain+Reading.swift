// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    private static let mostOldDomains = 100

    mutating func oldDomains(_ node: ConfigurationNode, _ seen: inout [String: ConfigurationNode.Place]) -> [OldDomain] {
        (list(node, of: "'old'", most: Self.mostOldDomains) ?? []).compactMap { element in
            guard let fields = fields(element, of: "An old domain", required: ["host", "until"], optional: ["paths"]) else {
                return nil
            }
            let host = fields["host"].flatMap { self.host($0, &seen) }
            let until = fields["until"].flatMap { instant($0, "'until'") }
            let paths = fields["paths"].map { patterns($0, of: "'paths'") } ?? []
            guard let host, let until else { return nil }
            return OldDomain(host: host, untilMs: until, paths: paths)
        }
    }
}
