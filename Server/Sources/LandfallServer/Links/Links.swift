// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The links of the served configuration and of the store, as one.
struct Links: Sendable {
    let snapshot: Snapshot
    let store: any LinkStore

    /// The link at this place: the configuration's, else the store's.
    func link(host: String, path: LinkPath) async throws -> StoredLink? {
        if let link = snapshot.link(host: host, path: path) { return link }
        return try await store.link(snapshot.app.id, host: host, path: path)
    }

    /// Decides what a link on a brand domain is.
    /// - Returns: nil where the link's host is no brand domain: then there is nothing to resolve.
    /// - Throws: ``InvalidLink`` where nobody should follow it; what the store throws.
    func follow(_ address: LinkAddress, nowMs: Int64) async throws -> FollowedLink? {
        guard let host = address.host, let domain = snapshot.brandDomain(host) else { return nil }
        let path = try LinkPath(address)
        let stored = path.isReserved ? nil : try await link(host: domain.host, path: path)
        let decision = LinkDecision(
            address, path: path, stored: stored, patterns: domain.paths, parameters: try LinkParameters(address), nowMs: nowMs
        )
        return try FollowedLink(address, path: path, decision: decision, domains: snapshot.linkDomains)
    }
}
