// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import LandfallWire

/// Which links are the app's own, and which of them the phone can resolve without the server.
///
/// If nothing is set, every link is accepted: the server is asked about https links, and links of other schemes are passed
/// through.
public struct LinkRules: Hashable, Sendable {
    /// The app's own hosts and schemes: ``LandfallClient/receive(_:scene:)`` accepts links of these and of ``wrapperHosts``.
    /// Links of universal hosts and own schemes never need the network. If no host is named here, every https link is the app's
    /// own; if neither host nor scheme is named, every link is.
    public var domains: LinkDomains
    /// Paths of brand hosts that are known not to be short links, for example `/products/*`: they never need the network. The
    /// server sends the `paths:` of its domains with its first answer, and they count too. This list counts before that answer.
    public var longPaths: [PathPattern]
    /// Hosts whose links lead to the app's own by redirects (e-mail and other wrappers), written as in ``LinkDomains``. Only
    /// these are followed: over https, at most 10 hops, without the SDK key or anything else that identifies the app.
    public var wrapperHosts: [String]
    /// How long an unhandled link waits in the inbox: 0…365 days, default 7 days.
    public var lifetime: Duration

    public init(
        domains: LinkDomains = LinkDomains(), longPaths: [PathPattern] = [], wrapperHosts: [String] = [],
        lifetime: Duration = .seconds(7 * 86_400)
    ) {
        self.domains = domains
        self.longPaths = longPaths
        self.wrapperHosts = wrapperHosts
        self.lifetime = lifetime
    }
}

extension LinkRules {
    /// What the phone does with a link.
    enum Route: Hashable, Sendable {
        /// The link is its own destination.
        case direct
        /// It may be a short link: the server has to be asked.
        case ask
        /// It wraps another link.
        case unwrap
    }

    func route(of link: LinkAddress) -> Route {
        guard let host = link.host, !link.carriesCredential, !domains.isUniversal(host) else { return .direct }
        if domains.isBrand(host) { return isLong(link) ? .direct : .ask }
        if LinkDomains.matches(host, wrapperHosts) { return .unwrap }
        return domains.brand.isEmpty && domains.universal.isEmpty ? .ask : .direct
    }

    /// Whether a hook's link belongs into the app's inbox. If nothing is configured, every link does, except the answer of a
    /// sign-in.
    func takes(_ link: LinkAddress) -> Bool {
        if link.credential == .signInAnswer { return false }
        if domains.owns(link) { return true }
        let namesHosts = !domains.brand.isEmpty || !domains.universal.isEmpty
        guard let host = link.host else { return !namesHosts && domains.schemes.isEmpty }
        return !namesHosts || LinkDomains.matches(host, wrapperHosts)
    }

    /// A short link always has a path.
    private func isLong(_ link: LinkAddress) -> Bool {
        guard let segments = try? link.segments(), !segments.isEmpty else { return true }
        return longPaths.match(link)
    }

    /// Where a link leads inside the app. A link that was not resolved has no destination, because its path may be a code;
    /// unless it contains its deep link.
    func destination(of link: LinkAddress, status: LinkStatus) -> Destination? {
        let isSettled = status == .resolved || status == .passedThrough
        guard isSettled || status != .invalid && (try? link.carried(in: domains)) != nil else { return nil }
        do { return try Destination(link, in: domains) } catch { return nil }
    }
}

extension LinkAddress {
    /// - Returns: nil for a link that must not be followed, including its encoded parts.
    init?(receivedAs url: URL) { self.init(resolvedBy: url.absoluteString) }

    /// As ``init(receivedAs:)``, for an address from a server or another link.
    init?(resolvedBy text: String) {
        do {
            try self.init(text)
            try checkEncoding()
        } catch { return nil }
        guard URL(string: text) != nil else { return nil }
    }

    /// A stored link was made from a URL or checked as one.
    var url: URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
}
