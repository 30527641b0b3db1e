// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// When a link leads somewhere, for whom, to which page of the store, and how people find it again.
extension NewLink {
    mutating func takeTargets(of link: StoredLink) {
        startsAtMilliseconds = link.startsAtMs.map(LinkRules.nearestEnd)
        (ppid, pt, ct) = (link.storePage.ppid, link.storePage.pt, link.storePage.ct)
        (tags, folder) = (link.tags.isEmpty ? nil : link.tags, link.folder)
        when = link.routes.isEmpty ? nil : link.routes.map(Route.init)
    }

    func times() throws(LinkRefusal) -> (startMs: Int64?, endMs: Int64?) {
        let start = try time(startsAtMilliseconds, startsAt, "startsAt"), end = try time(expiresAtMilliseconds, expiresAt, "expiresAt")
        if let start, let end, start >= end {
            let field = startsAt == nil ? "startsAtMilliseconds" : "startsAt"
            throw LinkRefusal.invalid("'\(field)' is not before the link's end. Correct one of the two.").at(field)
        }
        return (start, end)
    }

    /// - Parameter name: of the field with the text; the other one ends with `Milliseconds`.
    private func time(_ milliseconds: Int64?, _ text: String?, _ name: String) throws(LinkRefusal) -> Int64? {
        let number = name + "Milliseconds"
        if let text {
            guard milliseconds == nil else {
                throw LinkRefusal.invalid("'\(name)' and '\(number)' say the same. Leave one of them out.").at(name)
            }
            guard let instant = Instant(text), LinkRules.ends.contains(instant.milliseconds) else {
                throw LinkRefusal.invalid(
                    "'\(name)' cannot be '\(text.shortened)'. Write a time with its zone from 1970 on, such as 2027-06-01T00:00:00Z."
                ).at(name)
            }
            return instant.milliseconds
        }
        guard let milliseconds else { return nil }
        guard LinkRules.ends.contains(milliseconds) else {
            throw LinkRefusal.invalid(
                "'\(number)' cannot be \(milliseconds). Write Unix milliseconds from 0 to \(Instant.latestMs), the end of the year 9999."
            ).at(number)
        }
        return milliseconds
    }

    func routes(of domains: LinkDomains, isTrusted: Bool) throws(LinkRefusal) -> [LinkRoute] {
        var routes: [LinkRoute] = []
        for route in (when ?? []).prefix(LinkRules.mostRoutes + 1) {
            routes.append(
                try LinkRules.route(
                    countries: route.country ?? [], platforms: route.platform ?? [], to: route.to, of: domains, isTrusted: isTrusted))
        }
        try LinkRules.checkSize(of: routes)
        return routes
    }

    func storePage() throws(LinkRefusal) -> StorePage {
        var page = StorePage()
        if let ppid { page.ppid = try at("ppid") { () throws(LinkRefusal) in try LinkRules.ppid(ppid) } }
        if let pt { page.pt = try at("pt") { () throws(LinkRefusal) in try LinkRules.pt(pt) } }
        if let ct { page.ct = try at("ct") { () throws(LinkRefusal) in try LinkRules.ct(ct) } }
        return page
    }

    func checkedTags() throws(LinkRefusal) -> [String] {
        try at("tags") { () throws(LinkRefusal) in try LinkRules.tags(tags ?? []) }
    }
}

extension NewLink.Route {
    init(_ route: LinkRoute) {
        self.init(
            country: route.countries.isEmpty ? nil : route.countries,
            platform: route.platforms.isEmpty ? nil : route.platforms.map(\.rawValue), to: route.destination)
    }
}

extension NewLink: NamesItsFields {
    package static let fields: [String: KnownField] = {
        let values = [
            "to", "domain", "suffix", "campaign", "adGroup", "creative", "label", "channel", "tags", "folder", "startsAtMilliseconds",
            "startsAt", "expiresAtMilliseconds", "expiresAt", "ios", "android", "desktop", "pasteboard", "code", "ppid", "pt", "ct", "template",
        ]
        var fields = Dictionary(values.map { ($0, KnownField.value) }) { first, _ in first }
        fields["when"] = .list(["country": .value, "platform": .value, "to": .value])
        fields["preview"] = .object(["title": .value, "description": .value, "image": .value, "icon": .value, "colour": .value, "locales": .value])
        return fields
    }()
}
