// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The hosts that belong to the app, in lower case.
package struct Domains: Hashable, Sendable {
    /// Serve links.
    package var brand: [BrandDomain] = []
    /// The team's own web site, whose addresses open the app. Its proxy may pass the association files on.
    package var universal: [String] = []
    /// A vendor's, whose links still reach the app.
    package var old: [OldDomain] = []
    /// The only hosts that answer the API; empty: every host that is neither a brand nor a universal domain.
    package var api: [String] = []

    /// The form in which links are compared with them.
    package func linkDomains(scheme: String?) -> LinkDomains {
        LinkDomains(brand: brand.map(\.host), universal: universal, schemes: scheme.map { [$0] } ?? [])
    }
}

/// A host that serves links and nothing else.
package struct BrandDomain: Hashable, Sendable {
    /// In lower case.
    package let host: String
    /// Paths that lead somewhere without being stored: the app knows them.
    package var paths: [PathPattern] = []
    /// The ways for links without ways of their own; empty means the usual way of the platform.
    package var ways = PlatformWays()
    /// For links that leave it out.
    package var storePage = StorePage()
    /// Links that a person wrote are found in upper and lower case alike; random codes are not.
    package var ignoresCase = false
}

extension BrandDomain {
    /// The path of a link that a person writes.
    package func written(_ path: LinkPath) -> LinkPath { ignoresCase ? path.lowered : path }

    /// The address of a link of this domain that one of the domain's patterns covers. There the link counts, and the pattern does
    /// not. Nil for any other link.
    package func covered(_ link: StoredLink) -> LinkAddress? {
        guard link.host.hasSameBytes(as: host), let address = try? LinkAddress(link.address), paths.match(address) else { return nil }
        return address
    }
}
