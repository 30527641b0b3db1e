// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func links(_ node: ConfigurationNode, domains: LinkDomains) -> [StoredLink] {
        var seen: [String: ConfigurationNode.Place] = [:]
        var links: [StoredLink] = []
        for element in list(node, of: "'links'") ?? [] {
            guard let link = link(element, domains: domains) else { continue }
            if let first = seen.updateValue(element.place, forKey: link.host + link.path.text) {
                note(
                    element.place,
                    "'\(link.host)\(link.path)' is here a second time; the first is in line \(first.line). Keep one of them.")
            } else {
                links.append(link)
            }
        }
        return links
    }

    private mutating func link(_ node: ConfigurationNode, domains: LinkDomains) -> StoredLink? {
        let fields = fields(
            node, of: "A link", required: ["url", "to"],
            optional: [
                "campaign", "adGroup", "creative", "label", "channel", "expires", "ios", "android", "desktop", "preview",
                "pasteboard", "code",
            ]
        )
        guard let fields else { return nil }
        let url = fields["url"].flatMap { shortLink($0, domains: domains) }
        let destination = fields["to"].flatMap { node in
            checked(node, "'to'") { text throws(LinkRefusal) in
                try LinkRules.destination(text, of: domains, isTrusted: false)
            }
        }
        func label(_ name: String) -> String? { text(fields[name], "'\(name)'", longest: Limits.label) }
        let labels = LinkLabels(
            campaign: label("campaign"), adGroup: label("adGroup"), creative: label("creative"), label: label("label"),
            channel: label("channel")
        )
        let expiresAtMs = fields["expires"].flatMap { instant($0, "'expires'") }
        let ways = platformWays(fields)
        let preview = fields["preview"].map { self.preview($0) } ?? LinkPreview()
        let handover = LinkHandover(
            pasteboard: flag(fields["pasteboard"], "'pasteboard'") ?? false, code: flag(fields["code"], "'code'") ?? false
        )
        guard let (host, path) = url, let destination else { return nil }
        return StoredLink(
            host: host, path: path, destination: destination, labels: labels, expiresAtMs: expiresAtMs, ways: ways,
            preview: preview, handover: handover
        )
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
    mutating func platformWays(_ fields: Fields) -> PlatformWays {
        PlatformWays(
            ios: fields["ios"].map { ways($0, "'ios'") } ?? [], android: fields["android"].map { ways($0, "'android'") } ?? [],
            desktop: fields["desktop"].map { ways($0, "'desktop'") } ?? []
        )
    }

    /// One way, or a list of them.
    private mutating func ways(_ node: ConfigurationNode, _ what: String) -> [LinkWay] {
        var elements = [node]
        if case .list = node.content { elements = list(node, of: what, most: LinkRules.mostWays) ?? [] }
        return elements.compactMap { element in
            checked(element, what) { text throws(LinkRefusal) in try LinkRules.way(text, what) }
        }
    }

    mutating func preview(_ node: ConfigurationNode) -> LinkPreview {
        guard let fields = fields(node, of: "'preview'", optional: ["title", "description", "image", "locales"]) else {
            return LinkPreview()
        }
        let words = self.words(fields)
        var preview = LinkPreview(title: words.title, description: words.description, image: words.image)
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
    private mutating func checked<Value>(
        _ node: ConfigurationNode, _ what: String, _ rule: (String) throws(LinkRefusal) -> Value
    ) -> Value? {
        guard let text = text(node, what, longest: Limits.address) else { return nil }
        do {
            return try rule(text)
        } catch {
            note(node.place, error.description)
            return nil
        }
    }
}
