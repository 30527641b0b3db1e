// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ConfigurationReader {
    mutating func links(_ node: ConfigurationNode, domains: Domains, scheme: String?) -> [ConfiguredLink] {
        var seen: [String: ConfigurationNode.Place] = [:]
        var links: [ConfiguredLink] = []
        for element in list(node, of: "'links'") ?? [] {
            guard let link = link(element, domains: domains, scheme: scheme) else { continue }
            if let first = seen.updateValue(element.place, forKey: link.host + link.path) {
                note(
                    element.place,
                    "'\(link.host)\(link.path)' is here a second time; the first is in line \(first.line). Keep one of them.")
            } else {
                links.append(link)
            }
        }
        return links
    }

    private mutating func link(_ node: ConfigurationNode, domains: Domains, scheme: String?) -> ConfiguredLink? {
        let fields = fields(
            node, of: "A link", required: ["url", "to"], optional: ["campaign", "adGroup", "creative", "channel"]
        )
        guard let fields else { return nil }
        let url = address(fields["url"], "'url'")
        let destination = address(fields["to"], "'to'")
        let labels = ["campaign", "adGroup", "creative", "channel"].map { text(fields[$0], "'\($0)'", longest: 50) }

        if let (parts, place) = url {
            let isShort =
                parts.scheme == "https" && domains.brand.contains(parts.host?.lowercased() ?? "") && parts.port == nil
                && parts.path.count > 1 && parts.query == nil && parts.fragment == nil && parts.user == nil
            if !isShort {
                note(
                    place,
                    "A link is https, one of the brand domains and a path, without query. Correct it, or add its host to 'domains'."
                )
            }
        }
        if let (parts, place) = destination {
            let isOwnHost =
                parts.scheme == "https" && (domains.brand + domains.universal).contains(parts.host?.lowercased() ?? "")
            if parts.user != nil || !isOwnHost && (parts.scheme == nil || parts.scheme?.lowercased() != scheme) {
                note(
                    place,
                    "A link leads to https on one of the app's domains, or to the app's scheme. Correct it, or extend 'domains'."
                )
            }
        }
        guard let parts = url?.parts, let host = parts.host, let text = destination?.parts.string else { return nil }
        return ConfiguredLink(
            host: host.lowercased(), path: parts.percentEncodedPath, destination: text,
            campaign: labels[0], adGroup: labels[1], creative: labels[2], channel: labels[3]
        )
    }

    private mutating func address(
        _ node: ConfigurationNode?, _ what: String
    ) -> (parts: URLComponents, place: ConfigurationNode.Place)? {
        guard let node, let text = text(node, what, longest: 2048) else { return nil }
        if let parts = URLComponents(string: text) { return (parts, node.place) }
        note(node.place, "\(what) is no address. Write it with its scheme, such as https://go.example.com/beach.")
        return nil
    }
}
