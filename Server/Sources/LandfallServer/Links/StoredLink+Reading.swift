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
        let ways = PlatformWays(
            ios: fields["ios"].map { self.ways($0, "'ios'") } ?? [],
            android: fields["android"].map { self.ways($0, "'android'") } ?? [],
            desktop: fields["desktop"].map { self.ways($0, "'desktop'") } ?? []
        )
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

    /// One way, or a list of them.
    private mutating func ways(_ node: ConfigurationNode, _ what: String) -> [LinkWay] {
        var elements = [node]
        if case .list = node.content { elements = list(node, of: what, most: LinkRules.mostWays) ?? [] }
        return elements.compactMap { element in
            checked(element, what) { text throws(LinkRefusal) in try LinkRules.way(text, what) }
        }
    }

    private mutating func preview(_ node: ConfigurationNode) -> LinkPreview {
        let fields = fields(node, of: "'preview'", optional: ["title", "description", "image"])
        let image = fields?["image"].flatMap { node in
            checked(node, "'image'") { text throws(LinkRefusal) in try LinkRules.image(text, "'image'") }
        }
        return LinkPreview(
            title: text(fields?["title"], "'title'", longest: Limits.previewTitle),
            description: text(fields?["description"], "'description'", longest: Limits.previewDescription), image: image
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
