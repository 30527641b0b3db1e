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
        let destination = fields["to"].flatMap { self.destination($0, domains: domains) }
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
        guard let link = address(node, "'url'") else { return nil }
        let isShort =
            link.scheme == "https" && link.host == link.authority.lowercased() && domains.isBrand(link.host ?? "")
            && link.query == nil && link.fragment == nil && link.path.contains { $0 != "/" }
        guard isShort, let host = link.host, let path = linkPath(link, at: node.place) else {
            if !isShort {
                note(
                    node.place,
                    "A link is https, one of the brand domains and a path, without query. Correct it, or add its host to 'domains'."
                )
            }
            return nil
        }
        guard !path.isReserved else {
            note(node.place, "'\(path.text.shortened)' is a path that the server keeps for itself. Choose another.")
            return nil
        }
        return (host, path)
    }

    private mutating func linkPath(_ link: LinkAddress, at place: ConfigurationNode.Place) -> LinkPath? {
        do {
            return try LinkPath(link)
        } catch {
            note(place, "\(error)")
            return nil
        }
    }

    private mutating func destination(_ node: ConfigurationNode, domains: LinkDomains) -> String? {
        guard let link = address(node, "'to'") else { return nil }
        if domains.owns(link), link.scheme != "http" { return link.text }
        note(
            node.place,
            "A link leads to https on one of the app's domains, or to the app's scheme. Correct it, or extend 'domains'."
        )
        return nil
    }

    /// One way, or a list of them.
    private mutating func ways(_ node: ConfigurationNode, _ what: String) -> [LinkWay] {
        var elements = [node]
        if case .list = node.content { elements = list(node, of: what, most: 10) ?? [] }
        return elements.compactMap { element in
            guard let text = text(element, what, longest: Limits.address) else { return nil }
            if case .web = LinkWay(text) {
                guard let link = try? LinkAddress(text), link.scheme == "https" else {
                    note(element.place, "\(what) cannot be '\(text.shortened)'. Write app, store or an https address.")
                    return nil
                }
            }
            return LinkWay(text)
        }
    }

    private mutating func preview(_ node: ConfigurationNode) -> LinkPreview {
        let fields = fields(node, of: "'preview'", optional: ["title", "description", "image"])
        let image = fields?["image"].flatMap { address($0, "'image'") }
        if let place = fields?["image"]?.place, let image, image.scheme != "https" {
            note(place, "'image' is not https, so messengers would not show it. Write an https address.")
        }
        return LinkPreview(
            title: text(fields?["title"], "'title'", longest: Limits.previewTitle),
            description: text(fields?["description"], "'description'", longest: Limits.previewDescription), image: image?.text
        )
    }

    private mutating func address(_ node: ConfigurationNode, _ what: String) -> LinkAddress? {
        guard let text = text(node, what, longest: Limits.address) else { return nil }
        do {
            return try LinkAddress(text)
        } catch {
            note(node.place, "\(what) cannot be '\(text.shortened)'. \(error)")
            return nil
        }
    }
}
