// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// Where a browser goes with an open link: at once, or by a page that offers several ways.
package struct LinkOpening: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case store(String)
        case web(String)
        case page
    }

    var outcome: Outcome
    /// The app-scheme form with the click's labels; nil on a computer, if the app has no scheme, or if the link leads elsewhere.
    package let appAddress: String?
    package let storeAddress: String?
    package let webAddress: String?

    /// - Parameters:
    ///   - usual: the ways of this domain for links without ways of their own.
    ///   - storePage: the domain's, for what the link leaves out.
    package init(
        _ link: FollowedLink, _ visitor: LinkVisitor, _ app: App, _ domains: LinkDomains, usual: PlatformWays = PlatformWays(),
        storePage: StorePage = StorePage()
    ) {
        let places = LinkPlaces(link, app, domains, visitor.platform, storePage)
        let ways = Self.ways(of: link, visitor, app, domains, places, usual).compactMap { way -> LinkWay? in
            switch way {
            case .app: places.app.map { _ in way }
            case .store: places.store.map { _ in way }
            case .site: places.web.map { .web($0) }
            // Such a link was made before this rule, or before the host was a brand domain.
            case .web(let address): domains.hasLinks(atText: address) ? nil : way
            case .page: way
            }
        }
        // An address of a store that the maker wrote is the way to the store, with its own parameters.
        let store = ways.lazy.compactMap { way -> String? in
            switch way {
            case .store: places.store
            case .web(let address): StoreAddress.isOne(address) ? address : nil
            case .app, .page, .site: nil
            }
        }.first ?? places.store
        let web = ways.lazy.compactMap { way -> String? in
            if case .web(let address) = way, !StoreAddress.isOne(address) { address } else { nil }
        }.first ?? places.web
        appAddress = visitor.platform == .desktop ? nil : places.app
        storeAddress = store
        webAddress = web

        let wantsApp = link.parameters.others.contains { $0.key.lowercased() == "open" && $0.value.lowercased() == "app" }
        let handsOver =
            link.decision.link.map { $0.handover.code || $0.handover.pasteboard && visitor.platform == .ios } ?? false
        switch ways.first {
        case _ where handsOver || wantsApp && appAddress != nil: outcome = .page
        case .web(let address) where !StoreAddress.isOne(address): outcome = .web(address)
        case .web where !visitor.isInApp, .store where !visitor.isInApp: outcome = store.map { .store($0) } ?? .page
        default: outcome = .page
        }
    }

    /// Those of its parameters, else the link's own ways for this platform, else the domain's, else the platform's.
    private static func ways(
        of link: FollowedLink, _ visitor: LinkVisitor, _ app: App, _ domains: LinkDomains, _ places: LinkPlaces,
        _ usual: PlatformWays
    ) -> [LinkWay] {
        let hasApp = visitor.platform == .ios && app.appStoreID != nil || visitor.platform == .android && app.android != nil
        var carried: [String?] = []
        // A deep link is meant for the app, so a redirect parameter is ignored.
        if link.parameters.deepLink == nil {
            carried = [visitor.isMac ? link.parameters.redirectMacOS : nil, link.parameters.redirect]
        }
        if !hasApp { carried.append(link.parameters.fallback) }
        let allowed = carried.compactMap { $0 }.filter { LinkPlaces.mayRedirect(to: $0, domains) }.map { LinkWay.web($0) }
        if !allowed.isEmpty { return allowed + [.store] }

        if let ways = link.decision.link?.ways[visitor.platform], !ways.isEmpty { return ways.map { $0.tapped(by: link.address) } }
        if let elsewhere = places.elsewhere { return [.web(elsewhere)] }
        if !usual[visitor.platform].isEmpty { return usual[visitor.platform].map { $0.tapped(by: link.address) } }
        switch visitor.platform {
        case .desktop, .ipadOrMac: return []
        case .ios, .android: return [.store] + (places.web.map { [.web($0)] } ?? [])
        }
    }
}

extension LinkWay {
    /// An address with the tapped link's query.
    fileprivate func tapped(by visitor: LinkAddress) -> LinkWay {
        guard case .web(let address) = self, let merged = try? FollowedLink.merged(address, with: visitor) else { return self }
        return .web(merged)
    }
}

/// The addresses that a link has outside the app. Each is as it was written, except for tracking parameters.
struct LinkPlaces: Hashable, Sendable {
    /// The app-scheme form: same path, query and fragment.
    let app: String?
    /// The destination's place on the team's web site.
    let web: String?
    /// The link's destination if its host does not belong to the app. Only makers with a key may set one.
    let elsewhere: String?
    /// The platform's store. A desktop gets Apple's page, which a phone nearby can open.
    let store: String?

    /// - Parameter storePage: of the link's domain.
    init(_ link: FollowedLink, _ app: App, _ domains: LinkDomains, _ platform: BrowserPlatform, _ storePage: StorePage) {
        let resolved = try? LinkAddress(link.resolved)
        let destination = resolved.flatMap { try? Destination($0, in: domains) }
        let tracking = Self.tracking(of: link)
        self.app = destination.flatMap { destination in
            guard let scheme = app.scheme else { return nil }
            return destination.text(inScheme: scheme)?.adding(parameters: tracking)
        }
        let target = resolved.map { (try? $0.carried(in: domains)) ?? $0 }
        let site = target.flatMap { target in target.host.flatMap { domains.isUniversal($0) ? target : nil } }
        // A visitor may not lead people to another port of the site: a different server may answer there.
        if let site, site.scheme == "https", link.decision.link != nil || site.hasUsualPort {
            web = site.withoutTracking
        } else if let host = site?.host ?? domains.universal.first {
            web = destination?.text(onHost: host)
        } else {
            web = nil
        }
        elsewhere = destination == nil && resolved?.isWeb == true ? link.resolved : nil
        store =
            platform == .android
            ? StoreAddress.play(link, app, tracking: tracking) : StoreAddress.appStore(link, app, usual: storePage)
    }

    /// True for a web address on one of the team's own sites. A brand domain would send the browser in a circle.
    static func mayRedirect(to address: String, _ domains: LinkDomains) -> Bool {
        guard let link = try? LinkAddress(address), link.scheme == "https", link.hasUsualPort, let host = link.host else {
            return false
        }
        return domains.isUniversal(host) && !domains.isBrand(host)
    }

    /// The parameters that the app needs to count the click for the link. Those of the stored link come first: the first of
    /// several wins.
    private static func tracking(of link: FollowedLink) -> String {
        let isStored = link.decision.link != nil
        let visitors = link.address.query { parameter in
            guard LinkQueryItem(parameter).isTracking, let mark = parameter.firstIndex(of: "_") else { return false }
            let name = parameter[parameter.index(after: mark)...].lowercased()
            return !Self.onTheWay.contains(name) && !(isStored && Self.labels.contains(name))
        }
        let own = isStored ? FollowedLink.text(of: link.labels.trackingItems) : ""
        return [own, visitors ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
    }

    private static let labels: Set = ["t", "tracker", "campaign", "adgroup", "creative", "label", "channel"]
    /// Parameters that have no meaning after the browser has followed them.
    private static let onTheWay: Set = ["open", "token", "redirect", "redirect_macos", "fallback", "deep_link", "deeplink"]
}
