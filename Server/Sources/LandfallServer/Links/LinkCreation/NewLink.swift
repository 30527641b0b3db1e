// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// A requested link: an element of `POST /v1/links`, a row of an import, or the options of the command.
package struct NewLink: Hashable, Sendable, Codable {
    /// Where it leads: https, or the app's own scheme.
    package var to: String
    /// One of the brand domains, or an old domain; nil is the first brand domain.
    package var domain: String?
    /// The path, of one or several segments, with or without a leading slash; nil draws a random code.
    package var suffix: String?
    package var campaign: String?
    package var adGroup: String?
    package var creative: String?
    package var label: String?
    package var channel: String?
    /// At most ``LinkRules/mostTags``, each of 1 to ``LinkRules/tagBytes`` bytes.
    package var tags: [String]?
    package var folder: String?
    /// Unix milliseconds, one of ``LinkRules/ends``; before it the link leads nowhere. nil has no beginning.
    package var startsAtMilliseconds: Int64?
    /// The same in RFC 3339. Only one of the two may be there.
    package var startsAt: String?
    /// Unix milliseconds, one of ``LinkRules/ends``; from then on the link leads nowhere. nil never expires.
    package var expiresAtMilliseconds: Int64?
    /// The same in RFC 3339. Only one of the two may be there.
    package var expiresAt: String?
    /// A template of the configuration, which gives what the new link does not have itself. The link that is made does not remember it.
    package var template: String?
    /// `app`, `store`, `page`, `web` or https addresses, in order.
    package var ios: [String]?
    package var android: [String]?
    package var desktop: [String]?
    package var preview: LinkPreview?
    /// The link's page offers to copy the link for the app to the pasteboard.
    package var pasteboard: Bool?
    /// The link's page shows a code to type.
    package var code: Bool?
    /// See ``StorePage``.
    package var ppid: String?
    package var pt: String?
    package var ct: String?
    /// The first that matches a visitor replaces ``to``.
    package var when: [Route]?

    package struct Route: Hashable, Sendable, Codable {
        /// Two letters each; nil is every country.
        package var country: [String]?
        /// `ios`, `android`, `desktop`; nil is every platform.
        package var platform: [String]?
        package var to: String

        package init(country: [String]? = nil, platform: [String]? = nil, to: String) {
            (self.country, self.platform, self.to) = (country, platform, to)
        }
    }

    package init(to: String) { self.to = to }

    /// The new link that a stored link would come from.
    package init(_ link: StoredLink) {
        func texts(_ ways: [LinkWay]) -> [String]? { ways.isEmpty ? nil : ways.map(\.text) }
        self.init(to: link.destination)
        (domain, suffix) = (link.host, link.path.text)
        (campaign, adGroup, creative) = (link.labels.campaign, link.labels.adGroup, link.labels.creative)
        (label, channel) = (link.labels.label, link.labels.channel)
        expiresAtMilliseconds = link.expiresAtMs.map(LinkRules.nearestEnd)
        (ios, android, desktop) = (texts(link.ways.ios), texts(link.ways.android), texts(link.ways.desktop))
        preview = link.preview == LinkPreview() ? nil : link.preview
        (pasteboard, code) = (link.handover.pasteboard, link.handover.code)
        takeTargets(of: link)
    }
}

extension NewLink {
    /// The link that the new link describes. A maker with a key may lead people to any https address.
    /// - Parameter code: a fresh random code, used if the new link has no suffix.
    func link(in snapshot: Snapshot, code: String) throws(LinkRefusal) -> StoredLink {
        if let template { return try completed(by: template, in: snapshot).link(in: snapshot, code: code) }
        let brands = snapshot.linkDomains.brand
        guard let host = domain?.lowercased() ?? brands.first, brands.contains(host) || snapshot.oldDomain(host) != nil else {
            throw LinkRefusal.invalid(
                "'domain' is not one of the brand domains of the configuration. Choose one, or add it to 'domains'."
            ).at("domain")
        }
        let old = snapshot.oldDomain(host)
        if old != nil, suffix == nil { throw LinkRefusal.invalid("A link of an old domain needs its path. Add 'suffix'.").at("suffix") }
        let brand = snapshot.brandDomain(host)
        let path = try at("suffix") { () throws(LinkRefusal) in
            let path = try self.path(code)
            return try LinkRules.free(suffix == nil ? path : brand?.written(path) ?? path)
        }
        if (brand?.paths ?? old?.paths ?? []).contains(where: { $0.matches(path) }) {
            throw LinkRefusal.taken(
                "'\(path)' belongs to the domain's 'paths', which lead into the app as they are. Choose another."
            ).at("suffix")
        }
        // Only the app follows an old link, so it leads into the app.
        let destination = try at("to") { () throws(LinkRefusal) in
            try LinkRules.destination(to, of: snapshot.linkDomains, isTrusted: old == nil)
        }
        var link = StoredLink(host: host, path: path, destination: destination)
        link.labels = LinkLabels(
            campaign: try label(campaign, "campaign"), adGroup: try label(adGroup, "adGroup"),
            creative: try label(creative, "creative"), label: try label(label, "label"), channel: try label(channel, "channel")
        )
        (link.startsAtMs, link.expiresAtMs) = try times()
        link.ways = PlatformWays(
            ios: try ways(ios, "ios", of: snapshot.linkDomains), android: try ways(android, "android", of: snapshot.linkDomains),
            desktop: try ways(desktop, "desktop", of: snapshot.linkDomains))
        link.preview = try at("preview") { () throws(LinkRefusal) in try checkedPreview() }
        link.handover = LinkHandover(pasteboard: pasteboard ?? false, code: self.code ?? false)
        link.routes = try at("when") { () throws(LinkRefusal) in try routes(of: snapshot.linkDomains, isTrusted: old == nil) }
        link.storePage = try storePage()
        (link.tags, link.folder) = (try checkedTags(), try label(folder, "folder"))
        return link
    }

    func at<Value>(_ field: String, _ check: () throws(LinkRefusal) -> Value) throws(LinkRefusal) -> Value {
        do { return try check() } catch { throw error.at(field) }
    }

    private func path(_ code: String) throws(LinkRefusal) -> LinkPath {
        guard let suffix else { return LinkPath(stored: "/" + code) }
        do {
            let path = try LinkPath(suffix.hasPrefix("/") ? suffix : "/" + suffix)
            guard path.text != "/", path.text.utf8.count <= Limits.linkPath,
                !suffix.utf8.contains(where: { "?#".utf8.contains($0) })
            else {
                throw LinkRefusal.invalid(
                    "'suffix' is a path of 1 to \(Limits.linkPath) bytes, without '?' and '#'. Correct it.")
            }
            return path
        } catch let error as LinkRefusal {
            throw error
        } catch {
            throw .invalid("'suffix' cannot be used. \(error)")
        }
    }

    private func label(_ text: String?, _ what: String) throws(LinkRefusal) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= Limits.label else {
            throw LinkRefusal.invalid("'\(what)' is longer than \(Limits.label) bytes. Shorten it.").at(what)
        }
        return text
    }

    private func ways(_ texts: [String]?, _ what: String, of domains: LinkDomains) throws(LinkRefusal) -> [LinkWay] {
        let texts = texts ?? []
        guard texts.count <= LinkRules.mostWays else {
            throw LinkRefusal.invalid("'\(what)' has more than \(LinkRules.mostWays) elements. Remove some.").at(what)
        }
        var ways: [LinkWay] = []
        for text in texts {
            ways.append(try at(what) { () throws(LinkRefusal) in try LinkRules.way(text, "'\(what)'", of: domains) })
        }
        return ways
    }

    private func checkedPreview() throws(LinkRefusal) -> LinkPreview {
        guard var preview else { return LinkPreview() }
        try Self.check(LinkPreview.Words(title: preview.title, description: preview.description, image: preview.image), "preview")
        preview.icon = try preview.icon.map { icon throws(LinkRefusal) in try LinkRules.icon(icon, "'preview.icon'") }
        preview.colour = try preview.colour.map { colour throws(LinkRefusal) in try LinkRules.colour(colour, "'preview.colour'") }
        let locales = preview.locales ?? [:]
        guard locales.count <= LinkPreview.mostLocales else {
            throw .invalid("'preview.locales' has more than \(LinkPreview.mostLocales) locales. Remove some.")
        }
        preview.locales = locales.isEmpty ? nil : [:]
        for (key, words) in locales {
            guard let locale = LocaleCode(rawValue: key) else {
                throw .invalid("'preview.locales' has '\(key.shortened)', which is not a locale. Write one such as en or pt-BR.")
            }
            try Self.check(words, "preview.locales.\(locale)")
            guard preview.locales?.updateValue(words, forKey: locale.rawValue) == nil else {
                throw .invalid("'preview.locales' has the locale '\(locale)' a second time. Keep one of them.")
            }
        }
        return preview
    }

    private static func check(_ words: LinkPreview.Words, _ field: String) throws(LinkRefusal) {
        if let image = words.image { _ = try LinkRules.image(image, "'\(field).image'") }
        guard (words.title?.utf8.count ?? 0) <= Limits.previewTitle,
            (words.description?.utf8.count ?? 0) <= Limits.previewDescription
        else {
            throw .invalid(
                "'\(field)' has a title of more than \(Limits.previewTitle) or a description of more than \(Limits.previewDescription) bytes. Shorten it."
            )
        }
    }
}
