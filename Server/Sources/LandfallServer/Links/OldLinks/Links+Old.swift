// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension Links {
    /// Resolves a link of an old domain that reached the app: the list has its new link, or the domain's paths lead into the
    /// app unchanged, or the resolver is asked. Its click counts for the new link.
    /// - Parameters:
    ///   - url: the link as it was sent.
    ///   - caller: the address whose questions to the resolver are limited.
    /// - Throws: ``InvalidLink`` if the link must not be followed; what the store throws.
    func open(
        _ address: LinkAddress, _ url: String, on old: OldDomain, in snapshot: Snapshot, from caller: ClientAddress?,
        country: String? = nil, nowMs: Int64
    ) async throws -> OpenedLink {
        guard nowMs < old.untilMs else { return OpenedLink(.expired, url) }
        let place = LinkPlace(host: old.host, path: try LinkPath(address))
        let stored = try await link(at: place, in: snapshot, nowMs: nowMs).link
        let decision = LinkDecision(
            address, path: place.path, stored: stored?.routed(country: country, on: .ios), patterns: old.paths,
            parameters: try LinkParameters(address), nowMs: nowMs
        )
        let followed = try FollowedLink(address, path: place.path, decision: decision, domains: snapshot.linkDomains)
        let click = InAppClick(followed, host: old.host)
        switch decision {
        case .stored(let link):
            let target = try Self.target(link.destination, of: address)
            if let opened = try await open(target, insteadOf: url, in: snapshot, country: country, nowMs: nowMs) { return opened }
            // A destination in the app: the list's row is a link of its own.
            return OpenedLink(.resolved, url, followed.resolved, click: click)
        case .expired, .early: return OpenedLink(.expired, url, click: click)
        case .ownPath, .tracked: return OpenedLink(.passedThrough, url, click: click)
        case .reserved: return OpenedLink(.notFound, url)
        case .notFound:
            guard let found = await resolver?.target(of: address, from: caller, nowMs: nowMs), let target = try? LinkAddress(found),
                target.scheme != "http", snapshot.linkDomains.owns(target)
            else { return OpenedLink(.notFound, url) }
            let tapped = try Self.target(found, of: address)
            if let opened = try await open(tapped, insteadOf: url, in: snapshot, country: country, nowMs: nowMs) { return opened }
            return OpenedLink(.resolved, url, tapped.text, click: InAppClick(tapped, try LinkParameters(tapped)))
        }
    }

    /// The same for the link of a brand domain that stands for the old one; nil if the host is not a brand domain.
    private func open(
        _ address: LinkAddress, insteadOf url: String, in snapshot: Snapshot, country: String?, nowMs: Int64
    ) async throws -> OpenedLink? {
        guard let followed = try await follow(address, in: snapshot, country: country, nowMs: nowMs) else { return nil }
        let click = InAppClick(followed, host: address.host ?? "")
        return switch followed.decision {
        case .stored, .ownPath, .tracked: OpenedLink(.resolved, url, followed.resolved, click: click)
        case .expired, .early: OpenedLink(.expired, url, click: click)
        case .reserved, .notFound: OpenedLink(.notFound, url)
        }
    }

    /// The new link as if it had been tapped itself: with the query of the tapped link, tracking parameters too.
    private static func target(_ destination: String, of tapped: LinkAddress) throws(InvalidLink) -> LinkAddress {
        let merged = try FollowedLink.merged(destination, with: tapped)
        let taken = try LinkAddress(merged).parameterNames
        return try LinkAddress(
            merged.adding(parameters: tapped.query { LinkQueryItem($0).isTracking && !taken.contains($0) }))
    }
}
