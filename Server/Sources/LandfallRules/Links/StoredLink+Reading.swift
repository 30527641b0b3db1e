// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func links(_ node: ConfigurationNode, domains: Domains, scheme: String?) -> [StoredLink] {
        let linkDomains = domains.linkDomains(scheme: scheme)
        var seen: [LinkPlace: ConfigurationNode.Place] = [:]
        var links: [(link: StoredLink, to: ConfigurationNode.Place)] = []
        for element in list(node, of: "'links'") ?? [] {
            guard var read = link(element, domains: linkDomains) else { continue }
            if let domain = domains.brand.first(where: { $0.host.hasSameBytes(as: read.link.host) }) {
                read.link.path = domain.written(read.link.path)
            }
            if let first = seen.updateValue(element.place, forKey: read.link.place) {
                note(
                    element.place,
                    "'\(read.link.host)\(read.link.path)' is here a second time; the first is in line \(first.line). Keep one of them.")
            } else {
                links.append(read)
            }
        }
        checkDestinations(links, domains, linkDomains)
        checkPlaces(links.map(\.link), seen, domains)
        return links.map(\.link)
    }

    private mutating func checkPlaces(
        _ links: [StoredLink], _ places: [LinkPlace: ConfigurationNode.Place], _ domains: Domains
    ) {
        for link in links where domains.brand.contains(where: { $0.covered(link) != nil }) {
            guard let place = places[link.place] else { continue }
            warn(
                place,
                "'\(link.host)\(link.path)' is a short link on one of the domain's 'paths'. Therefore phones do not get that pattern, and a tap on a link under it waits for the server. Choose another path, or a narrower pattern.")
        }
    }

    /// A link must not lead to a link. The links of the store are not known here.
    private mutating func checkDestinations(
        _ links: [(link: StoredLink, to: ConfigurationNode.Place)], _ domains: Domains, _ linkDomains: LinkDomains
    ) {
        let brands = Dictionary(domains.brand.map { (ExactText($0.host), $0) }) { first, _ in first }
        let stored = Dictionary(links.map { ($0.link.place, $0.link) }) { first, _ in first }
        for (link, place) in links {
            guard let target = LinkRules.target(of: link.destination, in: linkDomains), let host = target.host, let domain = brands[ExactText(host)] else {
                continue
            }
            do {
                let targetPlace = LinkPlace(host: host, path: try LinkPath(target))
                let decision = LinkDecision(
                    target, path: targetPlace.path, stored: stored[targetPlace], patterns: domain.paths,
                    parameters: try LinkParameters(target), nowMs: .min)
                guard let refusal = LinkRules.refusal(leading: link.place, to: target, at: targetPlace, decision) else { continue }
                // A place without a link leads into the app until somebody makes a link there.
                if decision == .notFound { warn(place, refusal.description) } else { note(place, refusal.description) }
            } catch {
                note(place, "'to' cannot be followed. \(error)")
            }
        }
    }

    /// The values that a link has besides its address, its destination and its times.
    static let linkValues = [
        "campaign", "adGroup", "creative", "label", "channel", "ios", "android", "desktop", "preview", "pasteboard", "code", "when", "ppid", "pt", "ct",
        "tags", "folder",
    ]

    /// - Returns: the link, and the place of its destination in the file.
    private mutating func link(
        _ node: ConfigurationNode, domains: LinkDomains
    ) -> (link: StoredLink, to: ConfigurationNode.Place)? {
        let fields = fields(node, of: "A link", required: ["url", "to"], optional: Self.linkValues + ["expires", "starts"])
        guard let fields else { return nil }
        let url = fields["url"].flatMap { shortLink($0, domains: domains) }
        let destination = fields["to"].flatMap { node in
            checked(node, "'to'") { text throws(LinkRefusal) in
                try LinkRules.destination(text, of: domains, isTrusted: false)
            }
        }
        var link = StoredLink(host: url?.host ?? "", path: url?.path ?? LinkPath(stored: ""), destination: destination ?? "")
        link.expiresAtMs = fields["expires"].flatMap { instant($0, "'expires'") }
        readValues(of: &link, fields, domains)
        guard url != nil, destination != nil, let to = fields["to"]?.place else { return nil }
        return (link, to)
    }

    mutating func readValues(of link: inout StoredLink, _ fields: Fields, _ domains: LinkDomains) {
        func label(_ name: String) -> String? { text(fields[name], "'\(name)'", longest: Limits.label) }
        link.labels = LinkLabels(
            campaign: label("campaign"), adGroup: label("adGroup"), creative: label("creative"), label: label("label"),
            channel: label("channel")
        )
        link.ways = platformWays(fields, of: domains)
        link.preview = fields["preview"].map { self.preview($0, and: ["icon", "colour"]) } ?? LinkPreview()
        link.handover = LinkHandover(
            pasteboard: flag(fields["pasteboard"], "'pasteboard'") ?? false, code: flag(fields["code"], "'code'") ?? false
        )
        readTargets(of: &link, fields, domains)
    }

    private mutating func shortLink(_ node: ConfigurationNode, domains: LinkDomains) -> (host: String, path: LinkPath)? {
        let link = checked(node, "'url'") { text throws(LinkRefusal) in try LinkRules.address(text, "'url'") }
        guard let link else { return nil }
        let isShort =
            link.scheme == "https" && link.host == link.authority.lowercased() && domains.isBrand(link.host ?? "")
            && link.query == nil && link.fragment == nil && link.path.contains { $0 != "/" }
        guard isShort, let host = link.host else {
            note(
                node.place,
                "A link is https, one of the brand domains and a path, without query. Correct it, or add its host to 'domains'."
            )
            return nil
        }
        do {
            return (host, try LinkRules.free(try LinkPath(link)))
        } catch {
            note(node.place, "\(error)")
            return nil
        }
    }

    /// `ios`, `android` and `desktop` of a link or a domain.
    mutating func platformWays(_ fields: Fields, of domains: LinkDomains) -> PlatformWays {
        PlatformWays(
            ios: fields["ios"].map { ways($0, "'ios'", of: domains) } ?? [],
            android: fields["android"].map { ways($0, "'android'", of: domains) } ?? [],
            desktop: fields["desktop"].map { ways($0, "'desktop'", of: domains) } ?? []
        )
    }

    /// One way, or a list of them.
    private mutating func ways(_ node: ConfigurationNode, _ what: String, of domains: LinkDomains) -> [LinkWay] {
        var elements = [node]
        if case .list = node.content { elements = list(node, of: what, most: LinkRules.mostWays) ?? [] }
        return elements.compactMap { element in
            checked(element, what) { text throws(LinkRefusal) in try LinkRules.way(text, what, of: domains) }
        }
    }

    /// - Parameter more: fields that only a link's own preview has.
    mutating func preview(_ node: ConfigurationNode, and more: [String] = []) -> LinkPreview {
        guard let fields = fields(node, of: "'preview'", optional: ["title", "description", "image", "locales"] + more) else {
            return LinkPreview()
        }
        let words = self.words(fields)
        var preview = LinkPreview(title: words.title, description: words.description, image: words.image)
        preview.icon = fields["icon"].flatMap { checked($0, "'icon'") { text throws(LinkRefusal) in try LinkRules.icon(text, "'icon'") } }
        preview.colour = fields["colour"].flatMap { checked($0, "'colour'") { text throws(LinkRefusal) in try LinkRules.colour(text, "'colour'") } }
        let entries = fields["locales"].map { locales($0, of: "'locales'", most: LinkPreview.mostLocales) } ?? []
        for entry in entries {
            let fields = self.fields(entry.value, of: "A preview's locale", optional: ["title", "description", "image"])
            guard let fields else { continue }
            let own = self.words(fields)
            preview.locales = (preview.locales ?? [:]).merging([entry.locale.rawValue: own]) { _, new in new }
        }
        return preview
    }

    private mutating func words(_ fields: Fields) -> LinkPreview.Words {
        let image = fields["image"].flatMap { node in
            checked(node, "'image'") { text throws(LinkRefusal) in try LinkRules.image(text, "'image'") }
        }
        return LinkPreview.Words(
            title: text(fields["title"], "'title'", longest: Limits.previewTitle),
            description: text(fields["description"], "'description'", longest: Limits.previewDescription), image: image
        )
    }

    /// A text of the file, checked by the rule of its field. A refusal is reported at its place.
    mutating func checked<Value>(
        _ node: ConfigurationNode, _ what: String, _ rule: (String) throws(LinkRefusal) -> Value
    ) -> Value? {
        guard let text = text(node, what, longest: Limits.address) else { return nil }
        return ruled(node) { () throws(LinkRefusal) in try rule(text) }
    }

    /// A refusal is reported at the node.
    mutating func ruled<Value>(_ node: ConfigurationNode, _ rule: () throws(LinkRefusal) -> Value) -> Value? {
        do {
            return try rule()
        } catch {
            note(node.place, error.description)
            return nil
        }
    }
}
