// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The rules for the fields of a link, in landfall.yaml and in a call. Each refusal tells what is wrong and what to do.
package enum LinkRules {
    package static let mostWays = 10
    /// When a link may end, in Unix milliseconds: from 1970 to the end of the year 9999, as in the file.
    package static let ends: ClosedRange<Int64> = 0...Instant.latestMs

    /// For a stored link, which may end at any time: it may be older than the rule.
    package static func nearestEnd(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, ends.lowerBound), ends.upperBound) }

    static func address(_ text: String, _ field: String) throws(LinkRefusal) -> LinkAddress {
        guard text.utf8.count <= Limits.address else {
            throw .invalid("\(field) is longer than \(Limits.address) bytes. Shorten it.")
        }
        do { return try LinkAddress(text) } catch { throw .invalid("\(field) cannot be '\(text.shortened)'. \(error)") }
    }

    /// The destination of a link.
    /// - Parameter isTrusted: its maker may lead people to any https address. A link in the file leads into the app.
    package static func destination(_ text: String, of domains: LinkDomains, isTrusted: Bool) throws(LinkRefusal) -> String {
        let link = try address(text, "'to'")
        let isOwn = domains.owns(link) && link.scheme != "http"
        if isOwn || isTrusted && link.scheme == "https" { return link.text }
        throw .invalid(
            isTrusted
                ? "'to' is https, or the app's own scheme. Correct it."
                : "A link leads to https on one of the app's domains, or to the app's scheme. Correct it, or extend 'domains'.")
    }

    /// Refuses the paths that the server reserves on every host.
    package static func free(_ path: LinkPath) throws(LinkRefusal) -> LinkPath {
        guard !path.isReserved else {
            throw .taken("'\(path.text.shortened)' is a path that the server keeps for itself. Choose another.")
        }
        return path
    }

    /// Refuses an address on a brand domain: the browser would come back to a link.
    package static func way(_ text: String, _ field: String, of domains: LinkDomains) throws(LinkRefusal) -> LinkWay {
        let way = LinkWay(text)
        if case .web = way {
            guard text.utf8.count <= Limits.address, let link = try? LinkAddress(text), link.scheme == "https" else {
                throw .invalid("\(field) cannot be '\(text.shortened)'. Write app, store, page, web or an https address.")
            }
            guard !domains.hasLinks(at: link) else {
                throw .toLink("\(field) cannot be '\(text.shortened)': its host serves links, so the browser would come back to a link. Write where that leads.")
            }
        }
        return way
    }

    /// Where a destination leads: the deep link in it, if it has one that stays in the app.
    package static func target(of destination: String, in domains: LinkDomains) -> LinkAddress? {
        guard let address = try? LinkAddress(destination) else { return nil }
        guard let carried = try? LinkParameters(address).deepLink, let inner = try? LinkAddress(carried), domains.owns(inner) else {
            return address
        }
        return inner
    }

    /// Why a link cannot lead to this address of a brand domain. A link leads to a place in the app or on the web, never to another
    /// link: a second link is not followed.
    /// - Parameters:
    ///   - place: of the link itself.
    ///   - target: the address, which is at `targetPlace`.
    ///   - decision: what the brand domain has there.
    /// - Returns: nil if the app itself knows the place.
    package static func refusal(
        leading place: LinkPlace, to target: LinkAddress, at targetPlace: LinkPlace, _ decision: LinkDecision
    ) -> LinkRefusal? {
        let what =
            switch decision {
            case _ where targetPlace == place: "that is the address of the link itself. Write where it leads."
            case .stored(let link), .expired(let link), .early(let link):
                "that is a link itself, and it leads to '\(link.destination.shortened)'. Write where it leads in the end."
            case .ownPath, .tracked: ""
            case .reserved, .notFound:
                "its host serves links, and neither a link nor one of its 'paths' is there. Write the address on your web site, or one of the app's scheme."
            }
        return what.isEmpty ? nil : .toLink("'to' cannot be '\(target.text.shortened)': \(what)").at("to")
    }

    package static let mostTags = 20
    /// Of each tag.
    package static let tagBytes = 64

    /// Tags in their order, each once. A table has them in one cell, with commas between.
    package static func tags(_ texts: [String]) throws(LinkRefusal) -> [String] {
        var seen: Set<ExactText> = []
        let tags = texts.prefix(mostTags + 1).filter { seen.insert(ExactText($0)).inserted }
        guard texts.count <= mostTags else { throw .invalid("'tags' has more than \(mostTags) elements. Remove some.") }
        for tag in tags {
            guard (1...tagBytes).contains(tag.utf8.count), !tag.utf8.contains(UInt8(ascii: ",")),
                !tag.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw .invalid("A tag cannot be '\(tag.shortened)'. It has 1 to \(tagBytes) bytes, and neither commas nor control characters.")
            }
        }
        return tags
    }

    package static func icon(_ text: String, _ field: String) throws(LinkRefusal) -> String {
        guard case .letters = BrandPage.Icon(text) else {
            throw .invalid("\(field) is not one or two characters, such as an emoji. A picture is the domain's icon: write it there.")
        }
        return text
    }

    package static func colour(_ text: String, _ field: String) throws(LinkRefusal) -> String {
        guard let colour = BrandPage.colour(text) else {
            throw .invalid("\(field) cannot be '\(text.shortened)'. Write it as #0a7cff.")
        }
        return colour
    }

    package static func image(_ text: String, _ field: String) throws(LinkRefusal) -> String {
        let link = try address(text, field)
        guard link.scheme == "https" else {
            throw .invalid("\(field) is not https, so messengers would not show it. Write an https address.")
        }
        return link.text
    }
}

/// Why a link cannot be made.
package struct LinkRefusal: Error, Hashable, Refusal {
    package let code: ErrorCode
    package let description: String
    /// The field of the new link that is refused; nil if it is none in particular.
    package var field: String?
    /// It leads to a link, or to an address at which links are.
    package var isToLink = false

    package init(code: ErrorCode, description: String, field: String? = nil, isToLink: Bool = false) {
        (self.code, self.description, self.field, self.isToLink) = (code, description, field, isToLink)
    }

    /// The same refusal of a field.
    package func at(_ field: String) -> LinkRefusal {
        var refusal = self
        refusal.field = refusal.field ?? field
        return refusal
    }

    package static func invalid(_ text: String) -> LinkRefusal { LinkRefusal(code: .invalidLink, description: text) }
    package static func taken(_ text: String) -> LinkRefusal { LinkRefusal(code: .linkTaken, description: text) }
    package static func toLink(_ text: String) -> LinkRefusal { LinkRefusal(code: .invalidLink, description: text, isToLink: true) }
}

extension LinkDomains {
    /// True for an address on a brand domain.
    package func hasLinks(at address: LinkAddress) -> Bool { address.host.map { isBrand($0) } ?? false }

    package func hasLinks(atText text: String) -> Bool { (try? LinkAddress(text)).map { hasLinks(at: $0) } ?? false }
}
