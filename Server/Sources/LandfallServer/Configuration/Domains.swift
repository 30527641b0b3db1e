// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The hosts that belong to the app, in lower case.
struct Domains: Hashable, Sendable {
    /// Serve links.
    var brand: [BrandDomain] = []
    /// The team's own web site, whose addresses open the app. Its proxy may pass the association files on.
    var universal: [String] = []
    /// A vendor's, whose links still reach the app.
    var old: [OldDomain] = []
    /// The only hosts that answer the API; empty: every host that is neither a brand nor a universal domain.
    var api: [String] = []

    /// As links are compared with them.
    func linkDomains(scheme: String?) -> LinkDomains {
        LinkDomains(brand: brand.map(\.host), universal: universal, schemes: scheme.map { [$0] } ?? [])
    }
}

/// A host that serves links and nothing else.
struct BrandDomain: Hashable, Sendable {
    /// In lower case.
    let host: String
    /// Paths that lead somewhere without being stored: the app knows them.
    var paths: [PathPattern] = []
    /// Where browsers go with links that do not say it themselves; empty is the usual way of the platform.
    var ways = PlatformWays()
}
