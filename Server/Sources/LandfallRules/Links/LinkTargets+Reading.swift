// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// When a link of the file leads somewhere, for whom, to which page of the store, and how people find it again.
extension ConfigurationReader {
    mutating func readTargets(of link: inout StoredLink, _ fields: Fields, _ domains: LinkDomains) {
        if let node = fields["starts"] {
            link.startsAtMs = instant(node, "'starts'")
            if let start = link.startsAtMs, let end = link.expiresAtMs, start >= end {
                note(node.place, "'starts' is not before 'expires'. Correct one of the two.")
            }
        }
        if let node = fields["when"] { link.routes = routes(node, domains) }
        link.storePage = storePage(fields)
        if let node = fields["tags"] {
            let texts = (list(node, of: "'tags'", most: LinkRules.mostTags) ?? []).compactMap { text($0, "A tag", longest: LinkRules.tagBytes) }
            link.tags = ruled(node) { () throws(LinkRefusal) in try LinkRules.tags(texts) } ?? []
        }
        link.folder = text(fields["folder"], "'folder'", longest: Limits.label)
    }

    /// `ppid`, `pt` and `ct` of a link or a domain.
    mutating func storePage(_ fields: Fields) -> StorePage {
        StorePage(
            ppid: fields["ppid"].flatMap { checked($0, "'ppid'", LinkRules.ppid) },
            pt: fields["pt"].flatMap { checked($0, "'pt'", LinkRules.pt) }, ct: fields["ct"].flatMap { checked($0, "'ct'", LinkRules.ct) })
    }

    private mutating func routes(_ node: ConfigurationNode, _ domains: LinkDomains) -> [LinkRoute] {
        let routes = (list(node, of: "'when'", most: LinkRules.mostRoutes) ?? []).compactMap { element -> LinkRoute? in
            let fields = fields(element, of: "An entry of 'when'", required: ["to"], optional: ["country", "platform"])
            guard let fields, let to = text(fields["to"], "'to'", longest: Limits.address) else { return nil }
            let countries = texts(fields["country"], "'country'"), platforms = texts(fields["platform"], "'platform'")
            return ruled(element) { () throws(LinkRefusal) in
                try LinkRules.route(countries: countries, platforms: platforms, to: to, of: domains, isTrusted: true)
            }
        }
        _ = ruled(node) { () throws(LinkRefusal) in try LinkRules.checkSize(of: routes) }
        return routes
    }

    private mutating func texts(_ node: ConfigurationNode?, _ what: String) -> [String] {
        guard let node else { return [] }
        return (list(node, of: what, most: LinkRules.mostCountries) ?? []).compactMap { text($0, what) }
    }
}
