// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A named set of labels and targets: a new link that names it takes from it what the link does not have itself.
package struct LinkTemplate: Hashable, Sendable {
    package static let most = 200

    package let name: String
    /// Labels, ways, preview, handover, routes, page of the store, tags and folder. Its address, its destination and its times mean
    /// nothing.
    package let values: StoredLink

    package init(name: String, values: StoredLink) {
        (self.name, self.values) = (name, values)
    }
}

extension ConfigurationReader {
    mutating func linkTemplates(_ node: ConfigurationNode, domains: Domains, scheme: String?) -> [LinkTemplate] {
        let linkDomains = domains.linkDomains(scheme: scheme)
        guard let entries = entries(node, of: "'linkTemplates'") else { return [] }
        guard entries.count <= LinkTemplate.most else {
            note(node.place, "'linkTemplates' has \(entries.count) templates; at most \(LinkTemplate.most) fit. Remove some.")
            return []
        }
        return entries.compactMap { entry in
            guard isName(entry.key, at: entry.keyPlace, of: "A link template"),
                let fields = fields(entry.value, of: "A link template", optional: Self.linkValues)
            else { return nil }
            var link = StoredLink(host: "", path: LinkPath(stored: "/"), destination: "")
            readValues(of: &link, fields, linkDomains)
            return LinkTemplate(name: entry.key, values: link)
        }
    }
}
