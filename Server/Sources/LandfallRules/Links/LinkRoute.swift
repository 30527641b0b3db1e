// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// Where visitors of some countries and platforms are led instead of the link's destination.
package struct LinkRoute: Hashable, Sendable, Codable {
    /// Two capital letters each. Empty is every country, and visitors whose country is not known.
    package var countries: [String]
    /// Empty is every platform. `desktop` includes Safari on an iPad or a Mac.
    package var platforms: [BrowserPlatform]
    package var destination: String

    package init(countries: [String] = [], platforms: [BrowserPlatform] = [], destination: String) {
        (self.countries, self.platforms, self.destination) = (countries, platforms, destination)
    }

    func matches(country: String?, _ platform: BrowserPlatform) -> Bool {
        let isThere = countries.isEmpty || country.map { countries.contains($0) } ?? false
        return isThere && (platforms.isEmpty || platforms.contains(platform == .ipadOrMac ? .desktop : platform))
    }
}

extension StoredLink {
    /// The link for one visitor: the first route that matches replaces the destination. Browsers go at once to a web address of a
    /// route; to a route into the app they go by the link's own ways.
    package func routed(country: String?, on platform: BrowserPlatform) -> StoredLink {
        guard let route = routes.first(where: { $0.matches(country: country, platform) }) else { return self }
        var link = self
        link.destination = route.destination
        if (try? LinkAddress(route.destination))?.isWeb == true {
            let ways = [LinkWay.web(route.destination)]
            link.ways = PlatformWays(ios: ways, android: ways, desktop: ways)
        }
        return link
    }

    /// True if the answer to a visitor depends on the country.
    package var asksCountry: Bool { routes.contains { !$0.countries.isEmpty } }
}

extension LinkRules {
    package static let mostRoutes = 20
    /// There are 249 in ISO 3166.
    package static let mostCountries = 250
    /// All routes of a link: their destinations and two bytes for each country.
    package static let routeBytes = 8_192
    /// The platforms that a route can name.
    package static let routedPlatforms: [BrowserPlatform] = [.ios, .android, .desktop]

    /// A route of a link, checked.
    /// - Parameter isTrusted: as for ``destination(_:of:isTrusted:)``.
    package static func route(
        countries: [String], platforms: [String], to: String, of domains: LinkDomains, isTrusted: Bool
    ) throws(LinkRefusal) -> LinkRoute {
        guard countries.count <= mostCountries, platforms.count <= routedPlatforms.count else {
            throw .invalid(
                "An entry of 'when' has more than \(mostCountries) countries or \(routedPlatforms.count) platforms. Write each once."
            )
        }
        let codes = countries.map { $0.uppercased() }
        if let wrong = codes.indices.first(where: { !isCountry(codes[$0]) }) {
            throw .invalid("'when' has the country '\(countries[wrong].shortened)'. Write two letters as in ISO 3166, such as DE.")
        }
        let known = platforms.map { text in routedPlatforms.first { $0.rawValue == text } }
        if let wrong = known.firstIndex(of: nil) {
            throw .invalid("'when' has the platform '\(platforms[wrong].shortened)'. Write ios, android or desktop.")
        }
        guard !codes.isEmpty || !platforms.isEmpty else {
            throw .invalid("An entry of 'when' has neither 'country' nor 'platform', so it would be for everybody. Add one.")
        }
        let led = try destination(to, of: domains, isTrusted: isTrusted)
        // The browser would come back to a link.
        guard !domains.hasLinks(atText: led) else {
            throw .toLink("'when' leads to '\(led.shortened)': its host serves links. Write where that leads.")
        }
        return LinkRoute(countries: codes, platforms: known.compactMap { $0 }, destination: led)
    }

    /// Refuses more routes than a link keeps.
    package static func checkSize(of routes: [LinkRoute]) throws(LinkRefusal) {
        let bytes = routes.reduce(0) { $0 + $1.destination.utf8.count + 2 * $1.countries.count }
        guard routes.count <= mostRoutes, bytes <= routeBytes else {
            throw .invalid(
                "'when' has more than \(mostRoutes) entries, or their addresses and countries have more than \(routeBytes) bytes. Remove some."
            )
        }
    }

    private static func isCountry(_ code: String) -> Bool { code.utf8.count == 2 && code.utf8.allSatisfy { (65...90).contains($0) } }
}
